import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { before, describe, it } from 'mocha';
import { EVENTS_SOCKET_PATH } from '../../gateway/attach-gateway.ts';
import { signRequest } from '../../sdk/server/sign.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { SANDBOX_ACCOUNTS } from '../../sandbox/stack/sandbox-data.ts';
import { sendSigned, signatureOf } from '../../sandbox/signed-request.ts';
import { assertRefused, createdIntentOf, intentOf, intentPageOf } from '../support/envelopes.ts';
import { connectSigned } from '../support/follow-account.ts';
import { createMerchant, type TestMerchant, useMerchant } from '../support/merchants.ts';
import { createPayment, INTENTS } from '../support/payments.ts';
import { type Answer, request } from '../support/signed-request.ts';
import { queryStack } from '../support/stack-database.ts';
import { getStack } from '../support/stack.ts';

/** The parts of a request that tests replace by wrong ones. */
interface Faults {
  body: string;
  apiKey: string;
  timestamp: string;
  salt: string;
  accountId: string | undefined;
  path: string;
}

/** A failing check, and how to repair its cause. The causes of later checks stay. */
interface FailingCheck {
  readonly status: number;
  readonly code: string;
  readonly repair: (faults: Faults, merchant: TestMerchant) => unknown;
}

const KEY = 'UPDATE api_key SET';
const ACCOUNT = 'UPDATE merchant_account SET';

/** The documented order of checks. Each failure is observed although all later checks would fail too. */
const CHECKS_IN_ORDER: readonly FailingCheck[] = [
  { status: 400, code: 'INVALID_REQUEST', repair: (faults) => (faults.body = '{"reason":7}') },
  { status: 401, code: 'UNAUTHORIZED', repair: (faults, { credentials }) => (faults.apiKey = credentials.apiKey) },
  { status: 401, code: 'TIMESTAMP_EXPIRED', repair: (faults) => (faults.timestamp = new Date().toISOString()) },
  {
    status: 401,
    code: 'INVALID_SIGNATURE',
    repair: (faults, { credentials }) => (faults.salt = credentials.secretSalt),
  },
  { status: 401, code: 'API_KEY_REVOKED', repair: change(`${KEY} revoked_at = NULL`) },
  { status: 401, code: 'API_KEY_EXPIRED', repair: change(`${KEY} expires_at = now() + interval '1 hour'`) },
  { status: 403, code: 'IP_NOT_WHITELISTED', repair: change(`${KEY} ip_allowlist = '{10.0.0.0/8,127.0.0.1}'`) },
  // A process remembers which keys it has rejected: with another id the key is counted anew.
  { status: 429, code: 'RATE_LIMIT_EXCEEDED', repair: change(`${KEY} id = id || '0'`) },
  { status: 403, code: 'FORBIDDEN', repair: (faults) => (faults.accountId = undefined) },
  { status: 403, code: 'MERCHANT_SUSPENDED', repair: change(`${ACCOUNT} status = 'active'`) },
  { status: 403, code: 'INSUFFICIENT_PERMISSIONS', repair: change(`${KEY} scopes = '{payment-intents:write}'`) },
  { status: 422, code: 'VALIDATION_ERROR', repair: (faults) => (faults.body = '{}') },
  { status: 409, code: 'STATE_CONFLICT', repair: () => undefined },
];

const SOCKET_HEADERS = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

function change(statement: string): FailingCheck['repair'] {
  const column = statement.startsWith(KEY) ? 'merchant_account_id' : 'id';
  return (_faults, { merchantAccountId }) => queryStack(`${statement} WHERE ${column} = $1`, [merchantAccountId]);
}

describe('authentication', function () {
  this.timeout(MINUTE_MS);
  let merchant: TestMerchant;
  let faults: Faults;
  const onVersion1 = useMerchant();

  before('prepare a request in which every check fails', async () => {
    merchant = await createMerchant();
    const payment = await createPayment({}, merchant.credentials);
    assert.equal(intentOf(await payment.cancel()).status, 'canceled');
    faults = {
      body: JSON.stringify({ reason: 'x'.repeat(3_000_000) }),
      apiKey: `${merchant.credentials.apiKey}0`,
      timestamp: '2026-01-01T00:00:00.000Z',
      salt: 'wrong',
      accountId: SANDBOX_ACCOUNTS[0].id,
      path: `${INTENTS}/${payment.id}/cancel`,
    };
    await queryStack(
      `UPDATE api_key SET revoked_at = now(), expires_at = now(), ip_restricted = true, ip_allowlist = '{10.0.0.0/8}',
         scopes = '{payment-intents:read}' WHERE id = $1`,
      [merchant.apiKeyId],
    );
    await queryStack(`UPDATE merchant_account SET status = 'suspended' WHERE id = $1`, [merchant.merchantAccountId]);
    await queryStack('UPDATE rate_limit SET points = 1000000000, expire = $2 WHERE key = $1', [
      `sandbox:${merchant.apiKeyId}`,
      Date.now() + 10 * MINUTE_MS,
    ]);
  });

  const ask = (): Promise<Answer> => {
    const { body, apiKey, timestamp, salt, accountId, path } = faults;
    const headers = {
      Authorization: `Bearer ${apiKey}`,
      'X-Timestamp': timestamp,
      'X-Secret-Salt': salt,
      'X-Signature': signatureOf(salt, timestamp, body),
      ...(accountId === undefined ? {} : { 'X-Merchant-ID': accountId }),
    };
    return request({ method: 'POST', path, body, headers }, merchant.credentials);
  };

  for (const { status, code, repair } of CHECKS_IN_ORDER) {
    it(`answers ${code} before it checks anything later`, async () => {
      assertRefused(await ask(), status, code);
      await repair(faults, merchant);
    });
  }

  for (const [title, headers, code, only] of [
    ['no API key', { Authorization: '' }, 'UNAUTHORIZED'],
    ['a key of another scheme', { Authorization: 'Basic c3ZjX3Rlc3Q6eA==' }, 'UNAUTHORIZED'],
    ['no timestamp', { 'X-Timestamp': '' }, 'TIMESTAMP_EXPIRED'],
    ['a timestamp in local time', { 'X-Timestamp': '2026-01-01 10:00' }, 'TIMESTAMP_EXPIRED'],
    ['no signature', { 'X-Signature': '' }, 'INVALID_SIGNATURE'],
    ['no salt', { 'X-Secret-Salt': '' }, 'INVALID_SIGNATURE', 1],
    ['no nonce', { 'X-Nonce': '' }, 'INVALID_SIGNATURE', 2],
    ['a salt that must not be sent', { 'X-Secret-Salt': 'x' }, 'INVALID_SIGNATURE', 2],
    ['a signature of something else', { 'X-Signature': '0'.repeat(64) }, 'INVALID_SIGNATURE'],
  ] as const) {
    for (const version of [1, 2] as const) {
      if (only !== undefined && only !== version) continue;
      it(`rejects ${title}, with version ${version}`, async () => {
        const credentials = version === 1 ? onVersion1.merchant.credentials : getStack().sandbox;
        assertRefused(await request({ method: 'GET', path: INTENTS, headers }, credentials), 401, code);
      });
    }
  }

  it('rejects two Authorization headers, also for sockets, whichever of them is valid', async () => {
    const { baseUrl, ...credentials } = getStack().sandbox;
    const { Authorization: valid = '', ...headers } = signRequest(credentials, {
      method: 'GET',
      target: INTENTS,
      body: undefined,
    });
    const unknown = 'Bearer svc_test_unknown_to_all';
    for (const [path, upgrade] of [
      [INTENTS, {}],
      [EVENTS_SOCKET_PATH, SOCKET_HEADERS],
    ] as const) {
      for (const values of [
        [valid, unknown],
        [unknown, valid],
        [valid, valid],
      ]) {
        const sent = get(`${baseUrl}${path}`, { headers: { ...headers, ...upgrade, Authorization: values } });
        const [answer] = (await once(sent, 'response')) as [IncomingMessage];
        assert.equal(answer.statusCode, 401, path);
        assert.match(await text(answer), /UNAUTHORIZED.*got several values/);
      }
    }
  });

  it('refuses a large body of an unknown key without looking for more', async () => {
    const headers = { Authorization: 'Bearer svc_test_unknown_to_all' };
    const body = JSON.stringify({ description: 'x'.repeat(500_000) });
    assertRefused(await request({ method: 'POST', path: INTENTS, body, headers }), 401, 'UNAUTHORIZED');
  });

  it('refuses production keys through a proxy that nobody named, also for sockets', async () => {
    const { credentials } = await createMerchant('production');
    assert.equal((await request({ method: 'GET', path: INTENTS }, credentials)).status, 200);
    const headers = { 'X-Forwarded-For': '203.0.113.7', 'X-Forwarded-Proto': 'https' };
    const { message } = assertRefused(
      await request({ method: 'GET', path: INTENTS, headers }, credentials),
      403,
      'FORBIDDEN',
    );
    assert.match(message, /set TRUST_PROXY/);
    await assert.rejects(connectSigned(credentials.baseUrl, credentials, headers), /server response: 403/);
  });

  it('accepts the signature over an empty text as over {} if there is no body', async () => {
    const { credentials } = onVersion1.merchant;
    const timestamp = new Date().toISOString();
    const headers = { 'X-Timestamp': timestamp, 'X-Signature': signatureOf(credentials.secretSalt, timestamp, '') };
    assert.equal((await request({ method: 'GET', path: INTENTS, headers }, credentials)).status, 200);
  });

  it('verifies the raw bytes, not the parsed body', async () => {
    const body = '{ "currency" :"USD",\n"amount": 1.0e3, "description": "\\u00e9 \u00fc" }';
    for (const credentials of [onVersion1.merchant.credentials, getStack().sandbox])
      assert.equal(createdIntentOf(await request({ method: 'POST', path: INTENTS, body }, credentials)).amount, 1_000);
    const { credentials } = onVersion1.merchant;
    const timestamp = new Date().toISOString();
    const signature = signatureOf(credentials.secretSalt, timestamp, JSON.stringify(JSON.parse(body)));
    const headers = { 'X-Timestamp': timestamp, 'X-Signature': signature };
    const changed = await request({ method: 'POST', path: INTENTS, body, headers }, credentials);
    assertRefused(changed, 401, 'INVALID_SIGNATURE');
  });
});

describe('X-Merchant-ID', () => {
  const [main, second] = SANDBOX_ACCOUNTS;

  it('selects another account of the same merchant, which has payments of its own', async () => {
    const headers = { 'X-Merchant-ID': second.id };
    const body = { amount: 1_000, currency: 'USD' };
    const created = createdIntentOf(await request({ method: 'POST', path: INTENTS, body, headers }));
    assert.equal(created.merchantId, second.id);
    const path = `${INTENTS}/${created.id}`;
    assert.equal(intentOf(await request({ method: 'GET', path, headers })).id, created.id);
    assertRefused(await request({ method: 'GET', path }), 404, 'PAYMENT_INTENT_NOT_FOUND');
    const { data } = intentPageOf(await request({ method: 'GET', path: INTENTS, headers }));
    assert.ok(data.some(({ id }) => id === created.id));
    assert.ok(data.every(({ merchantId }) => merchantId === second.id));
  });

  it('defaults to the account of the key', async () => {
    assert.equal((await createPayment()).created.merchantId, main.id);
  });

  for (const accountId of ['mer_00000000000070008000000000000099', 'org_1', "mer_'"]) {
    it(`rejects ${accountId}`, async () => {
      const headers = { 'X-Merchant-ID': accountId };
      assertRefused(await request({ method: 'GET', path: INTENTS, headers }), 403, 'FORBIDDEN');
    });
  }

  it('rejects the account of another merchant', async () => {
    const stranger = await createMerchant();
    const headers = { 'X-Merchant-ID': stranger.merchantAccountId };
    assertRefused(await request({ method: 'GET', path: INTENTS, headers }), 403, 'FORBIDDEN');
  });
});

describe('every response', () => {
  const cases: readonly (readonly [string, () => Promise<Response>])[] = [
    ['of /healthz', () => fetch(`${getStack().sandbox.baseUrl}/healthz`)],
    ['of /readyz', () => fetch(`${getStack().sandbox.baseUrl}/readyz`)],
    ['without credentials', () => fetch(`${getStack().sandbox.baseUrl}${INTENTS}`)],
    ['to an unknown path', () => signed('GET', '/api/v1/nothing')],
    ['to an unknown method', () => signed('DELETE', INTENTS)],
    ['with a list', () => signed('GET', INTENTS)],
    ['with a creation', () => signed('POST', INTENTS, { amount: 1_000, currency: 'USD' })],
    ['that refuses a body', () => signed('POST', INTENTS, { amount: 1_000 })],
    ['that refuses a huge body', () => signed('POST', INTENTS, { description: 'x'.repeat(3_000_000) })],
    ['to a provider without a signature', () => signed('POST', '/api/v1/providers/alpha/webhooks', {})],
  ];
  const signed = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Response> =>
    sendSigned(getStack().sandbox, { method, path, ...(body === undefined ? {} : { body }) });

  for (const [title, ask] of cases) {
    it(`has the rate-limit headers and the request id: ${title}`, async () => {
      const askedAt = Date.now() / SECOND_MS;
      const { headers, status } = await ask();
      const [limit, remaining, reset] = ['Limit', 'Remaining', 'Reset'].map((name) =>
        Number(headers.get(`X-RateLimit-${name}`) ?? 'absent'),
      );
      assert.ok(Number.isSafeInteger(limit) && Number.isSafeInteger(remaining), `${status}`);
      assert.ok(limit !== undefined && remaining !== undefined && reset !== undefined && remaining <= limit);
      const answeredAt = Date.now() / SECOND_MS;
      assert.ok(reset > askedAt - 2 && reset < answeredAt + 62, `${askedAt}, reset at ${reset}, ${answeredAt}`);
      assert.match(headers.get('X-Request-Id') ?? '', /^req_[0-9a-f]{32}$/);
      assert.match(headers.get('Content-Type') ?? '', /^application\/json/);
    });
  }

  it('has the request id that the client sent, if it is well-formed', async () => {
    const given = await request({ method: 'GET', path: INTENTS, headers: { 'X-Request-Id': 'order-4711-try-2' } });
    assert.equal(given.headers.get('X-Request-Id'), 'order-4711-try-2');
    const odd = await request({ method: 'GET', path: INTENTS, headers: { 'X-Request-Id': '4242424242424242' } });
    assert.match(odd.headers.get('X-Request-Id') ?? '', /^req_/);
  });
});
