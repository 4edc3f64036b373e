import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'mocha';
import { authenticate, findCaller, requireScope } from '../../../../http/authentication/authenticate.ts';
import { apiKeyOf, type Credentials } from '../../../../http/authentication/credentials.ts';
import { hashSecret } from '../../../../vault/key-secret.ts';
import { sign, signV2 } from '../../../../http/authentication/signature.ts';
import { ApiError } from '../../../../domain/api-error.ts';
import { createSingleFlight } from '../../../../http/authentication/single-flight.ts';
import type { RateLimiters } from '../../../../http/rate-limits/rate-limit.ts';
import { DAY_MS } from '../../../../domain/time.ts';
import { clientSecretsOf, splitClientSecret } from '../../../../vault/client-secret.ts';
import type { Database } from '../../../../prisma/connection/client.ts';
import { sealKeySalt } from '../../../../vault/key-salt.ts';
import { parseKeyring } from '../../../../vault/keyring.ts';
import { NO_LIMITS } from '../../../support/principal.ts';

const KEY = 'svc_live_0123456789abcdef';
const SALT = 'salt';
const NOW = Date.parse('2026-06-01T12:00:00Z');
const TIMESTAMP = new Date(NOW).toISOString();
const BODY = Buffer.from('{"amount":1}');
const TARGET = '/api/v1/refunds';

const KEYRING = parseKeyring(`k:${randomBytes(32).toString('base64')}`);

const GOOD: Credentials = {
  apiKeyId: 'key_1',
  merchantId: 'org_1',
  environment: 'production',
  saltHash: hashSecret(SALT),
  signatureVersion: 1,
  saltKeyId: null,
  saltCiphertext: null,
  scopes: ['payment-intents:read'],
  ipRestricted: false,
  ipAllowlist: [],
  accountBound: false,
  expiresAtMs: null,
  isRevoked: false,
  isOwnAccountActive: true,
  merchantAccountId: 'mer_1',
  merchantAccountStatus: 'active',
  attemptBudget: 5,
  requiresIdempotencyKeys: false,
};

interface Situation {
  /** The row that the database returns. */
  readonly row: object | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly peerAddress: string;
  readonly overLimit: boolean;
  /** Whether the nonce was used before. */
  readonly isReplay?: boolean;
  readonly target?: string;
  readonly keyring?: null;
}

const SOUND: Situation = {
  row: { credentials: GOOD },
  headers: {
    authorization: `Bearer ${KEY}`,
    'x-timestamp': TIMESTAMP,
    'x-secret-salt': SALT,
    'x-signature': sign(SALT, TIMESTAMP, BODY).toString('hex'),
  },
  peerAddress: '127.0.0.1',
  overLimit: false,
};

/** Each step adds one fault that an earlier check finds; the earliest failing check must answer. */
const LATEST_FIRST: readonly (readonly [code: string, breakIt: (situation: Situation) => Situation])[] = [
  ['MERCHANT_SUSPENDED', (now) => withCredentials(now, { merchantAccountStatus: 'suspended' })],
  ['MERCHANT_SUSPENDED', (now) => withCredentials(now, { isOwnAccountActive: false })],
  [
    'FORBIDDEN',
    (now) => withCredentials(now, { merchantAccountId: null, attemptBudget: null, requiresIdempotencyKeys: null }),
  ],
  ['RATE_LIMIT_EXCEEDED', (now) => ({ ...now, overLimit: true })],
  ['IP_NOT_WHITELISTED', (now) => withCredentials(now, { ipRestricted: true, ipAllowlist: ['203.0.113.1'] })],
  ['FORBIDDEN', (now) => ({ ...now, peerAddress: '198.51.100.1' })],
  ['API_KEY_EXPIRED', (now) => withCredentials(now, { expiresAtMs: NOW })],
  ['API_KEY_REVOKED', (now) => withCredentials(now, { isRevoked: true })],
  ['INVALID_SIGNATURE', (now) => withHeaders(now, { 'x-signature': '0'.repeat(64) })],
  ['TIMESTAMP_EXPIRED', (now) => withHeaders(now, { 'x-timestamp': 'yesterday' })],
  ['UNAUTHORIZED', (now) => ({ ...now, row: undefined })],
];

function withCredentials(situation: Situation, change: Partial<Credentials>): Situation {
  const now = situation.row as { readonly credentials: Credentials };
  return { ...situation, row: { credentials: { ...now.credentials, ...change } } };
}

function withHeaders(situation: Situation, change: Readonly<Record<string, string>>): Situation {
  return { ...situation, headers: { ...situation.headers, ...change } };
}

function attempt(situation: Situation, counted: string[] = []) {
  const { row, headers, peerAddress, overLimit, isReplay = false, target = TARGET, keyring = KEYRING } = situation;
  const direct = { row: () => Promise.resolve(row), execute: () => Promise.resolve(isReplay ? 0 : 1) };
  const database = { direct } as unknown as Database;
  const rateLimitStatus = { limit: 10, remaining: 0, resetAtMs: NOW + 1_000, exceeded: overLimit };
  const rateLimiters: RateLimiters = {
    countKey: (_environment, apiKeyId) => Promise.resolve((counted.push(apiKeyId), rateLimitStatus)),
    countPerson: () => Promise.resolve(rateLimitStatus),
    inDatabase: null,
    countAddress: () => Promise.resolve(rateLimitStatus),
    blockedAddress: () => null,
    blockedKey: () => null,
    uncounted: () => rateLimitStatus,
  };
  const transport = {
    secure: false,
    peerAddress,
    peerIsTrustedProxy: false,
    isForwarded: false,
    tellsProtocol: false,
  };
  return authenticate(
    {
      method: 'POST',
      target,
      header: (name) => headers[name],
      rawBody: BODY,
      address: () => peerAddress,
      transport: () => transport,
      nowMs: NOW,
    },
    {
      database,
      keyring,
      acceptsClientSecrets: true,
      rateLimiters,
      lookups: createSingleFlight(),
      countingLookup: null,
      onCounted: () => undefined,
    },
  );
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'passed',
    (error: unknown) => (error instanceof ApiError ? error.code : String(error)),
  );

describe('authentication', () => {
  it('accepts a valid request, for the account it names', async () => {
    assert.deepEqual(await attempt(SOUND), {
      apiKeyId: 'key_1',
      actor: { type: 'api_key', id: 'key_1', address: '127.0.0.1' },
      merchantId: 'org_1',
      merchantAccountId: 'mer_1',
      environment: 'production',
      attemptBudget: 5,
      requiresIdempotencyKeys: false,
      scopes: ['payment-intents:read'],
      keyLimits: NO_LIMITS,
    });
  });

  it('fails with the first check that fails, in the documented order', async () => {
    let situation = SOUND;
    for (const [code, breakIt] of LATEST_FIRST) {
      situation = breakIt(situation);
      assert.equal(await codeOf(attempt(situation)), code);
    }
  });

  it('counts for the key only requests that its holder has signed', async () => {
    const counted: string[] = [];
    await codeOf(attempt(withHeaders(SOUND, { 'x-signature': '0'.repeat(64) }), counted));
    assert.deepEqual(counted, []);
    await codeOf(attempt(withCredentials(SOUND, { merchantAccountStatus: 'suspended' }), counted));
    assert.deepEqual(counted, ['key_1']);
  });

  it('rejects a key whose prefix names the other environment', async () => {
    assert.equal(await codeOf(attempt(withCredentials(SOUND, { environment: 'sandbox' }))), 'UNAUTHORIZED');
  });

  it('reads the key from a bearer header only', () => {
    assert.equal(apiKeyOf(`bearer  ${KEY}`), KEY);
    for (const header of [
      undefined,
      '',
      KEY,
      `Basic ${KEY}`,
      'Bearer ',
      'Bearer svc_prod_0123456789',
      `Bearer ${KEY} x`,
    ]) {
      assert.equal(apiKeyOf(header), undefined);
    }
  });

  it('requires the exact scope of an operation', async () => {
    const principal = await attempt(SOUND);
    assert.doesNotThrow(() => requireScope(principal, 'payment-intents:read'));
    assert.throws(() => requireScope(principal, 'payment-intents:write'), { code: 'INSUFFICIENT_PERMISSIONS' });
  });

  it('tells a page that its client secret does not allow the request, and nothing about scopes of API keys', async () => {
    const principal = { ...(await attempt(SOUND)), scopes: [], onlyPaymentIntentId: 'pi_1' };
    assert.throws(() => requireScope(principal, 'refunds:write'), {
      code: 'INSUFFICIENT_PERMISSIONS',
      message: /^A client secret does not allow this request\. Send it from your server, with an API key\.$/,
    });
  });
});

describe('headers that were sent twice', () => {
  for (const [name, value, code, says] of [
    ['authorization', `Bearer ${KEY}`, 'UNAUTHORIZED', /got several values\. Send the header once, with one key/],
    ['x-timestamp', TIMESTAMP, 'TIMESTAMP_EXPIRED', /got several values\. Send the header once/],
    ['x-secret-salt', SALT, 'INVALID_SIGNATURE', /got several values in X-Secret-Salt\. Send the header once/],
    ['x-signature', 'a'.repeat(64), 'INVALID_SIGNATURE', /got several values in X-Signature\. Send the header once/],
  ] as const) {
    it(`are refused with ${code}, and the message says so: ${name}`, async () => {
      await assert.rejects(attempt(withHeaders(SOUND, { [name]: `${value}, ${value}` })), { code, message: says });
    });
  }

  it('are refused with FORBIDDEN, and the message says so: x-merchant-id', async () => {
    const barred = withCredentials(SOUND, { merchantAccountId: null, attemptBudget: null });
    await assert.rejects(attempt(withHeaders(barred, { 'x-merchant-id': 'mer_1, mer_2' })), {
      code: 'FORBIDDEN',
      message: /It has several values: send the header once/,
    });
    await assert.rejects(attempt(barred), ({ message }: Error) => !message.includes('several'));
  });
});

describe('the rejection of a signature', () => {
  const rejectionOf = async (situation: Situation): Promise<ApiError> => {
    const error: unknown = await attempt(situation).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof ApiError && error.code === 'INVALID_SIGNATURE', String(error));
    return error;
  };
  const inSandbox = (situation: Situation): Situation =>
    withCredentials(withHeaders(situation, { authorization: 'Bearer svc_test_0123456789abcdef' }), {
      environment: 'sandbox',
    });
  const wrongSignature = withHeaders(SOUND, { 'x-signature': '0'.repeat(64) });
  const wrongSalt = withHeaders(SOUND, {
    'x-secret-salt': 'pepper',
    'x-signature': sign('pepper', TIMESTAMP, BODY).toString('hex'),
  });

  it('says in the sandbox what the server signed, and whether the salt was right', async () => {
    const known = {
      signatureVersion: 1,
      signedBytes: TIMESTAMP.length + BODY.length,
      signedSha256: hashSecret(`${TIMESTAMP}${BODY.toString()}`),
    };
    assert.deepEqual((await rejectionOf(inSandbox(wrongSignature))).details, { ...known, saltMatched: true });
    assert.deepEqual((await rejectionOf(inSandbox(wrongSalt))).details, { ...known, saltMatched: false });
  });

  it('gives production keys no details, and the same message for a wrong salt as for a wrong signature', async () => {
    const [ofSignature, ofSalt] = [await rejectionOf(wrongSignature), await rejectionOf(wrongSalt)];
    for (const { message, details } of [ofSignature, ofSalt]) {
      assert.equal(details, undefined);
      assert.doesNotMatch(message, /[0-9a-f]{64}|matched/);
    }
    assert.equal(ofSignature.message, ofSalt.message);
  });

  it('says in the sandbox, and there alone, that the HMAC is keyed with the API key', async () => {
    const key = 'svc_test_0123456789abcdef';
    const keyed = { 'x-signature': sign(key, TIMESTAMP, BODY).toString('hex') };
    const { message, details } = await rejectionOf(inSandbox(withHeaders(SOUND, keyed)));
    assert.match(message, /got one that is keyed with the API key\. Use the secret salt/);
    assert.equal(details, undefined);
    const both = await rejectionOf(inSandbox(withHeaders(SOUND, { ...keyed, 'x-secret-salt': key })));
    assert.match(both.message, /keyed with the API key/);
    const keyAsSalt = withHeaders(wrongSignature, { 'x-secret-salt': key });
    assert.match((await rejectionOf(inSandbox(keyAsSalt))).message, /got the API key in X-Secret-Salt/);
    const live = withHeaders(SOUND, { 'x-signature': sign(KEY, TIMESTAMP, BODY).toString('hex') });
    assert.equal((await rejectionOf(live)).message, (await rejectionOf(wrongSignature)).message);
  });

  it('names all headers that sign a request, if it has none of them', async () => {
    const { authorization = '' } = SOUND.headers;
    const page = '/docs/signature-calculator';
    const says = (code: string, names: readonly string[]) => ({
      code,
      message: new RegExp(`Expected the headers .*${names.join('.*')}.*; got none of them\\..*${page}`),
    });
    const v1 = ['X-Timestamp', 'X-Secret-Salt', 'X-Signature'];
    await assert.rejects(attempt({ ...SOUND, headers: { authorization } }), says('TIMESTAMP_EXPIRED', v1));
    const version2 = { ...withCredentials(SOUND, { signatureVersion: 2 }), headers: { authorization } };
    await assert.rejects(attempt(version2), says('TIMESTAMP_EXPIRED', ['X-Timestamp', 'X-Nonce', 'X-Signature']));
    const nobody = { ...SOUND, row: undefined, headers: {} };
    await assert.rejects(attempt(nobody), says('UNAUTHORIZED', ['Authorization', ...v1]));
    const { 'x-timestamp': _timestamp, ...some } = SOUND.headers;
    await assert.rejects(attempt({ ...SOUND, headers: some }), { message: /got no such header\. Add it\./ });
  });

  it('gives no details without a key that exists', async () => {
    for (const situation of [wrongSignature, wrongSalt]) {
      assert.equal(await codeOf(attempt({ ...inSandbox(situation), row: undefined })), 'UNAUTHORIZED');
    }
  });
});

describe('authentication with signature version 2', () => {
  const NONCE = 'nonce-of-a-request-1';
  const { keyId, ciphertext } = sealKeySalt(KEYRING, GOOD, SALT);
  const sealed = { saltHash: '', saltKeyId: keyId, saltCiphertext: Buffer.from(ciphertext).toString('base64') };
  const headersFor = (change: Readonly<Record<string, string>> = {}) => {
    const sent = { 'x-timestamp': TIMESTAMP, 'x-nonce': NONCE, 'x-idempotency-key': 'refund 1', ...change };
    const signature = signV2(SALT, {
      method: 'POST',
      target: TARGET,
      timestamp: sent['x-timestamp'],
      nonce: sent['x-nonce'],
      account: '',
      idempotencyKey: sent['x-idempotency-key'],
      rawBody: BODY,
    });
    return { authorization: `Bearer ${KEY}`, 'x-signature': signature.toString('hex'), ...sent };
  };
  const sound = { ...withCredentials(SOUND, { ...sealed, signatureVersion: 2 }), headers: headersFor() };

  it('accepts a signed request once', async () => {
    assert.equal((await attempt(sound)).keyLimits.signatureVersion, 2);
    const counted: string[] = [];
    const replay = attempt({ ...sound, isReplay: true }, counted);
    await assert.rejects(replay, { code: 'INVALID_SIGNATURE', details: { reason: 'nonce_used' } });
    assert.deepEqual(counted, [], 'a replay does not use up the limit of the key');
  });

  it('says in the sandbox that the HMAC is keyed with the API key', async () => {
    const key = 'svc_test_0123456789abcdef';
    const headers = { ...headersFor(), authorization: `Bearer ${key}` };
    const parts = { method: 'POST', target: TARGET, timestamp: TIMESTAMP, nonce: NONCE, account: '' };
    const signature = signV2(key, { ...parts, idempotencyKey: 'refund 1', rawBody: BODY }).toString('hex');
    const owner = { ...GOOD, environment: 'sandbox' as const };
    const salt = sealKeySalt(KEYRING, owner, SALT);
    const situation = withCredentials(
      { ...sound, headers: { ...headers, 'x-signature': signature } },
      {
        environment: 'sandbox',
        saltKeyId: salt.keyId,
        saltCiphertext: Buffer.from(salt.ciphertext).toString('base64'),
      },
    );
    await assert.rejects(attempt(situation), { code: 'INVALID_SIGNATURE', message: /keyed with the API key\. Use/ });
  });

  it('says which header was sent twice', async () => {
    for (const [name, title] of Object.entries({ 'x-nonce': 'X-Nonce', 'x-merchant-id': 'X-Merchant-ID' })) {
      const twice = attempt(withHeaders(sound, { [name]: 'one, two' }));
      await assert.rejects(twice, { code: 'INVALID_SIGNATURE', message: new RegExp(`got several values in ${title}`) });
    }
  });

  for (const [what, code, situation] of [
    ['another path', 'INVALID_SIGNATURE', { ...sound, target: '/api/v1/refunds/cancel' }],
    ['another query', 'INVALID_SIGNATURE', { ...sound, target: `${TARGET}?limit=1` }],
    ['another timestamp', 'INVALID_SIGNATURE', withHeaders(sound, { 'x-timestamp': TIMESTAMP.replace('.000Z', 'Z') })],
    ['an old timestamp', 'TIMESTAMP_EXPIRED', withHeaders(sound, { 'x-timestamp': '2026-05-01T00:00:00Z' })],
    ['another nonce', 'INVALID_SIGNATURE', withHeaders(sound, { 'x-nonce': 'nonce-of-a-request-2' })],
    ['a nonce that is too short', 'INVALID_SIGNATURE', { ...sound, headers: headersFor({ 'x-nonce': 'short' }) }],
    ['another account', 'INVALID_SIGNATURE', withHeaders(sound, { 'x-merchant-id': 'mer_2' })],
    ['another idempotency key', 'INVALID_SIGNATURE', withHeaders(sound, { 'x-idempotency-key': 'refund 2' })],
    ['two nonces', 'INVALID_SIGNATURE', withHeaders(sound, { 'x-nonce': `${NONCE}, ${NONCE}` })],
    ['the salt beside the signature', 'INVALID_SIGNATURE', withHeaders(sound, { 'x-secret-salt': SALT })],
    ['version 1 with a key on version 2', 'INVALID_SIGNATURE', { ...sound, headers: SOUND.headers }],
    ['version 2 with a key on version 1', 'INVALID_SIGNATURE', { ...SOUND, headers: headersFor() }],
    ['a process without vault keys', 'FORBIDDEN', { ...sound, keyring: null }],
    ['a revoked key', 'API_KEY_REVOKED', withCredentials(sound, { isRevoked: true })],
    ['an address that is not on its list', 'IP_NOT_WHITELISTED', withCredentials(sound, { ipRestricted: true })],
    ['a replay to a full limit', 'INVALID_SIGNATURE', { ...sound, isReplay: true, overLimit: true }],
    ['too many requests', 'RATE_LIMIT_EXCEEDED', { ...sound, overLimit: true }],
    ['a suspended account', 'MERCHANT_SUSPENDED', withCredentials(sound, { merchantAccountStatus: 'suspended' })],
  ] as const) {
    it(`rejects ${what} with ${code}`, async () => {
      assert.equal(await codeOf(attempt(situation)), code);
    });
  }
});

describe('authentication with a client secret', () => {
  const INTENT = `pi_${'0'.repeat(31)}1`;
  const [clientSecret = ''] = clientSecretsOf(KEYRING, INTENT);
  const { key, salt } = splitClientSecret(clientSecret);
  const row = {
    paymentIntentId: INTENT,
    environment: 'sandbox',
    status: 'processing',
    statusSince: new Date(NOW - DAY_MS),
    merchantId: 'org_1',
    merchantAccountId: 'mer_1',
    merchantAccountStatus: 'active',
    attemptBudget: 5,
  };
  const sound = withHeaders(
    { ...SOUND, row },
    {
      authorization: `Bearer ${key}`,
      'x-secret-salt': salt,
      'x-signature': sign(salt, TIMESTAMP, BODY).toString('hex'),
    },
  );
  const withRow = (situation: Situation, change: object) => ({ ...situation, row: { ...row, ...change } });

  it('is looked up once for requests at the same time, because no block of an address stops who has one', async () => {
    let queries = 0;
    const direct = { row: () => Promise.resolve(((queries += 1), row)) };
    const dependencies = {
      database: { direct } as unknown as Database,
      keyring: KEYRING,
      acceptsClientSecrets: true,
      lookups: createSingleFlight<Credentials | undefined>(),
    };
    const header = (name: string) => sound.headers[name];
    const found = await Promise.all(Array.from({ length: 50 }, () => findCaller(header, dependencies)));
    assert.deepEqual([new Set(found.map((caller) => caller?.paymentIntentId)), queries], [new Set([INTENT]), 1]);
  });

  it('gives access to its intent, without scopes', async () => {
    const principal = await attempt(sound);
    assert.equal(principal.onlyPaymentIntentId, INTENT);
    assert.equal(principal.merchantAccountId, 'mer_1');
    assert.deepEqual(principal.scopes, []);
    assert.equal(principal.isReadOnly, false);
  });

  it('gives access to read its intent for a day after the end', async () => {
    const ended = withRow(sound, { status: 'failed', statusSince: new Date(NOW - DAY_MS + 1) });
    assert.equal((await attempt(ended)).isReadOnly, true);
  });

  for (const [what, code, situation] of [
    [
      'a key that was never given out',
      'UNAUTHORIZED',
      withHeaders(sound, { authorization: `Bearer ${key.slice(0, -1)}~` }),
    ],
    [
      'a key of another intent',
      'UNAUTHORIZED',
      withHeaders(sound, { authorization: `Bearer ${key.replace('1_', '2_')}` }),
    ],
    ['an unknown intent', 'UNAUTHORIZED', { ...sound, row: undefined }],
    ['an old timestamp', 'TIMESTAMP_EXPIRED', withHeaders(sound, { 'x-timestamp': '2026-05-01T00:00:00Z' })],
    ['another salt', 'INVALID_SIGNATURE', withHeaders(sound, { 'x-secret-salt': SALT })],
    ['a signature of another text', 'INVALID_SIGNATURE', withHeaders(sound, { 'x-signature': '0'.repeat(64) })],
    ['an intent that ended a day ago', 'API_KEY_EXPIRED', withRow(sound, { status: 'succeeded' })],
    [
      'production over plain HTTP',
      'FORBIDDEN',
      { ...withRow(sound, { environment: 'production' }), peerAddress: '198.51.100.1' },
    ],
    ['another account', 'FORBIDDEN', withHeaders(sound, { 'x-merchant-id': 'mer_2' })],
    ['a suspended account', 'MERCHANT_SUSPENDED', withRow(sound, { merchantAccountStatus: 'suspended' })],
    ['too many requests', 'RATE_LIMIT_EXCEEDED', { ...sound, overLimit: true }],
  ] as const) {
    it(`rejects ${what} with ${code}`, async () => {
      assert.equal(await codeOf(attempt(situation)), code);
    });
  }

  it('says what to do when its payment ended a day ago, and not what to do about an API key', async () => {
    const refused = attempt(withRow(sound, { status: 'succeeded' }));
    await assert.rejects(refused, /create another payment intent on your server, and use its client secret/);
    await assert.rejects(attempt(withCredentials(SOUND, { expiresAtMs: NOW })), /^ApiError: The API key has expired/);
  });

  it('counts each intent separately', async () => {
    const counted: string[] = [];
    await attempt(sound, counted);
    assert.deepEqual(counted, [INTENT]);
  });
});
