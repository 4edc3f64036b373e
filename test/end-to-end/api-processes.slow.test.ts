import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { after, before, describe, it } from 'mocha';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { provideSecrets } from '../../sandbox/stack/data-folder.ts';
import { type ApiProcess, startApi } from '../support/api-process.ts';
import { assertRefused, createdIntentOf } from '../support/envelopes.ts';
import { eventually } from '../support/eventually.ts';
import { createMember } from '../support/dashboard.ts';
import { createKey, createMerchant } from '../support/merchants.ts';
import { INTENTS } from '../support/payments.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { request } from '../support/signed-request.ts';
import { queryStack } from '../support/stack-database.ts';
import { getDataDir } from '../support/stack.ts';
import { signRequest } from '../../sdk/server/sign.ts';
import type { Credentials } from '../../sandbox/signed-request.ts';

const LIMIT = 5;

describe('several API processes on one database', function () {
  this.timeout(3 * MINUTE_MS);
  let apis: readonly ApiProcess[];

  before(async () => {
    const settings = { RATE_LIMIT_SANDBOX: String(LIMIT), RATE_LIMIT_UNAUTHENTICATED: String(LIMIT) };
    apis = await Promise.all([1, 2].map(() => startApi({ ...settings, TRUST_PROXY: 'loopback' })));
  });

  after('shut down gracefully', async () => {
    assert.deepEqual(await Promise.all((apis ?? []).map((api) => api.stop())), [0, 0]);
  });

  const baseUrlOf = (index: number): string => apis[index % apis.length]?.baseUrl ?? '';

  it('share one exact limit', async () => {
    const { credentials } = await createMerchant();
    const asked = Array.from({ length: 4 * LIMIT }, (_, index) =>
      request({ method: 'GET', path: INTENTS }, { ...credentials, baseUrl: baseUrlOf(index) }),
    );
    const answers = await Promise.all(asked);
    const taken = answers.filter(({ status }) => status === 200);
    assert.equal(taken.length, LIMIT);
    assert.deepEqual(
      taken.map(({ headers }) => Number(headers.get('X-RateLimit-Remaining'))).sort(),
      Array.from({ length: LIMIT }, (_, remaining) => remaining),
    );
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      const { details, type } = assertRefused(answer, 429, 'RATE_LIMIT_EXCEEDED');
      assert.equal(type, 'rate_limit_error');
      const reset = Number(answer.headers.get('X-RateLimit-Reset'));
      const resetAtMs = Date.parse(String(details?.['resetAt']));
      assert.deepEqual({ ...details, resetAt: '' }, { limit: LIMIT, remaining: 0, resetAt: '' });
      assert.equal(reset, Math.ceil(resetAtMs / SECOND_MS));
      const retryAfter = Number(answer.headers.get('Retry-After'));
      assert.ok(retryAfter >= 1 && retryAfter <= 60, `${retryAfter}`);
    }
  });

  it('share one limit for the requests of an IPv6 network without a valid key, rejected sockets included', async () => {
    const { credentials } = await createMerchant();
    const from = (host: number) => ({ 'X-Forwarded-For': `2001:db8:7:7::${host}` });
    const askWith = (apiKey: string, index: number) =>
      request(
        { method: 'GET', path: INTENTS, headers: from(index + 1) },
        { ...credentials, apiKey, baseUrl: baseUrlOf(index) },
      );
    assert.equal((await askWith(credentials.apiKey, 0)).status, 200);
    const first = await handshake(`${baseUrlOf(0)}/api/v1/elsewhere`, from(99));
    assert.deepEqual([first.statusCode, first.headers['x-ratelimit-remaining']], [404, String(LIMIT - 1)]);
    const answers = await Promise.all(
      Array.from({ length: 2 * LIMIT }, (_, index) => askWith('svc_test_unknown_to_all', index)),
    );
    assert.equal(answers.filter(({ status }) => status === 401).length, LIMIT - 1);
    const refusedSocket = await handshake(`${baseUrlOf(1)}/api/v1/elsewhere`, from(100));
    assert.equal(refusedSocket.statusCode, 429);
    assert.ok(Number(refusedSocket.headers['retry-after']) >= 1);
    assert.equal(refusedSocket.headers['x-ratelimit-remaining'], '0');
    // The process knows this caller; one that it does not know is not even looked up.
    assert.equal((await askWith(credentials.apiKey, 0)).status, 200);
    const other = await createMerchant();
    const unknown = { ...other.credentials, baseUrl: baseUrlOf(0) };
    const refused = await request({ method: 'GET', path: INTENTS, headers: from(101) }, unknown);
    assertRefused(refused, 429, 'RATE_LIMIT_EXCEEDED');
    assert.equal((await request({ method: 'GET', path: INTENTS }, unknown)).status, 200);
  });

  it('replay responses that another process has stored', async () => {
    const { credentials } = await createMerchant();
    const ask = (index: number) =>
      request(
        {
          method: 'POST',
          path: INTENTS,
          body: { amount: 1_000, currency: 'USD' },
          headers: { 'X-Idempotency-Key': 'one' },
        },
        { ...credentials, baseUrl: baseUrlOf(index) },
      );
    const first = await ask(0);
    const second = await ask(1);
    createdIntentOf(first);
    assert.deepEqual(second.body, first.body);
    assert.equal(second.headers.get('Idempotent-Replayed'), 'true');
  });
});

describe('several API processes on one Redis', function () {
  this.timeout(3 * MINUTE_MS);
  const limit = 20;
  let redis: RedisServer | undefined;
  let apis: readonly ApiProcess[] = [];

  before(async function () {
    redis = await startRedisServer(this);
    // Long enough that a busy machine causes no timeout.
    const { dashboardSecret } = await provideSecrets(getDataDir());
    const settings = {
      RATE_LIMIT_SANDBOX: String(limit),
      RATE_LIMIT_PERSON: String(limit),
      REDIS_URL: redis.url,
      REDIS_TIMEOUT_MS: '10000',
      DASHBOARD_SECRET: dashboardSecret,
    };
    apis = await Promise.all([1, 2].map(() => startApi(settings)));
  });

  after(async () => {
    await Promise.all(apis.map((api) => api.stop()));
    await redis?.kill();
  });

  /** Sends concurrent requests with one key, alternating between the processes. @returns the answers counted by status */
  async function ask(credentials: Credentials, requests: number): Promise<Readonly<Record<number, number>>> {
    const answers = await Promise.all(
      Array.from({ length: requests }, (_, index) =>
        request({ method: 'GET', path: INTENTS }, { ...credentials, baseUrl: apis[index % 2]?.baseUrl ?? '' }),
      ),
    );
    const counts: Record<number, number> = {};
    for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  }

  const baseUrlOf = (index: number): string => apis[index % apis.length]?.baseUrl ?? '';

  it('create one payment for one idempotency key that both get at the same time', async () => {
    const { credentials, merchantAccountId } = await createMerchant();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        request(
          {
            method: 'POST',
            path: INTENTS,
            body: { amount: 1_000, currency: 'USD' },
            headers: { 'X-Idempotency-Key': 'both' },
          },
          { ...credentials, baseUrl: baseUrlOf(index) },
        ),
      ),
    );
    const created = answers.filter(({ status }) => status === 201).map((answer) => createdIntentOf(answer).id);
    assert.equal(new Set(created).size, 1);
    const others = answers.filter(({ status }) => status !== 201);
    for (const answer of others) assertRefused(answer, 409, 'DUPLICATE_REQUEST');
    const rows = await queryStack('SELECT id FROM payment_intent WHERE merchant_account_id = $1', [merchantAccountId]);
    assert.equal(rows.length, 1);
  });

  it('accept a request on signature version 2 once in all', async () => {
    const merchant = await createMerchant();
    const { credentials } = await createKey(merchant, 'sandbox', { signatureVersion: 2 });
    const signer = { ...credentials, signatureVersion: 2 as const };
    const headers = signRequest(signer, { method: 'GET', target: INTENTS, body: undefined, headers: {} });
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => fetch(`${baseUrlOf(index)}${INTENTS}`, { headers })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401, 401, 401, 401]);
  });

  it('share the sessions of people, their end, and one exact limit of a person', async () => {
    const { merchantId } = await createMerchant();
    const { browser, personId } = await createMember(merchantId, 'owner');
    const [session = ''] = browser.cookies.values();
    const headers = { Authorization: `Session ${decodeURIComponent(session)}` };
    const read = async (index: number) => (await fetch(`${baseUrlOf(index)}/api/v1/me`, { headers })).status;
    const statuses = await Promise.all(Array.from({ length: 2 * limit }, (_, index) => read(index)));
    assert.deepEqual(
      [200, 429].map((status) => statuses.filter((each) => each === status).length),
      [limit, limit],
    );
    await queryStack('DELETE FROM person_session WHERE person_id = $1', [personId]);
    assert.deepEqual(await Promise.all([read(0), read(1)]), [401, 401]);
  });

  const askTwiceTheLimit = async () => ask((await createMerchant()).credentials, 2 * limit);

  it('share one exact limit, and stay within it when Redis dies and comes back', async () => {
    assert.ok(redis);
    // A process that has no connection yet counts in PostgreSQL.
    await eventually(async () => {
      const { credentials, apiKeyId } = await createMerchant();
      await ask(credentials, apis.length);
      const inPostgres = await queryStack('SELECT 1 FROM rate_limit WHERE key = $1', [`sandbox:${apiKeyId}`]);
      assert.deepEqual(inPostgres, []);
    });
    assert.deepEqual(await askTwiceTheLimit(), { 200: limit, 429: limit });

    const asked = askTwiceTheLimit();
    await redis.kill();
    const { 200: served = 0, 429: refused = 0 } = await asked;
    assert.ok(served >= limit && served + refused === 2 * limit, `${served} served, ${refused} refused`);
    assert.deepEqual(await askTwiceTheLimit(), { 200: limit, 429: limit });
    await redis.start();
    await eventually(async () => assert.deepEqual(await askTwiceTheLimit(), { 200: limit, 429: limit }));
  });
});

/** The answer to a request for a socket that is refused. */
async function handshake(url: string, headers: Readonly<Record<string, string>>): Promise<IncomingMessage> {
  const asking = get(url, {
    headers: {
      ...headers,
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    },
  });
  const [response]: IncomingMessage[] = await once(asking, 'response');
  assert.ok(response);
  response.resume();
  return response;
}
