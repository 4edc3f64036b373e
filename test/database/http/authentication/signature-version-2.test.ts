import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { after, before, describe, it } from 'mocha';
import { Pool } from 'pg';
import pino from 'pino';
import { authenticate } from '../../../../http/authentication/authenticate.ts';
import type { Credentials } from '../../../../http/authentication/credentials.ts';
import { createCountingLookup } from '../../../../http/authentication/counting-lookup.ts';
import { createSingleFlight } from '../../../../http/authentication/single-flight.ts';
import { createKnownCallers } from '../../../../http/authentication/known-callers.ts';
import { createSocketAuthentication } from '../../../../gateway/authenticate-sockets.ts';
import { createClientAddresses } from '../../../../http/client-address.ts';
import { ApiError } from '../../../../domain/api-error.ts';
import { createRateLimiters } from '../../../../http/rate-limits/rate-limiters.ts';
import { createMerchant, type IssuedCredentials } from '../../../../scripts/manage-merchants.ts';
import { signedHeaders, signRequest, type UnsignedRequest } from '../../../../sdk/server/sign.ts';
import { parseKeyring } from '../../../../vault/keyring.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';

const LIMITS = { sandbox: 100, production: 100, unauthenticated: 100, person: 100 };
const keyring = parseKeyring(`k:${Buffer.alloc(32, 7).toString('base64')}`);
const CANCEL: UnsignedRequest = { method: 'POST', target: '/api/v1/payment-intents/pi_1/cancel', body: undefined };
const SOCKET: UnsignedRequest = { method: 'GET', target: '/api/v1/events/socket', body: undefined };

describe('a key on signature version 2', () => {
  let test: TestDatabase;
  let pool: Pool;
  let key: IssuedCredentials;

  before(async () => {
    test = await createTestDatabase();
    pool = new Pool({ connectionString: test.url, max: 2 });
    const merchant = { name: 'Shop', environment: 'sandbox', account: 'Main', withSandboxRoutes: false } as const;
    key = await createMerchant(test.database, merchant, { signatureVersion: 2, keyring });
  });
  after(async () => {
    await pool.end();
    await test.close();
  });

  const limiters = (limits = LIMITS) =>
    createRateLimiters({ pool, redis: null, limits, logger: pino({ level: 'silent' }) });
  const signed = (request: UnsignedRequest) => signRequest({ ...key, signatureVersion: 2 }, request);
  /** The id of the account, or the code of the error, from an API process of its own unless its limiters are given. */
  const send = async (
    request: UnsignedRequest,
    headers: Readonly<Record<string, string>>,
    rateLimiters = limiters(),
  ): Promise<string> => {
    const sent = new Headers(headers);
    const input = {
      method: request.method,
      target: request.target,
      header: (name: string) => sent.get(name) ?? undefined,
      rawBody: Buffer.from(request.body ?? ''),
      address: () => '127.0.0.1',
      transport: () => assert.fail('only production keys need it'),
      nowMs: Date.now(),
    };
    const dependencies = {
      database: test.database,
      keyring,
      acceptsClientSecrets: true,
      rateLimiters,
      lookups: createSingleFlight<Credentials | undefined>(),
      countingLookup: createCountingLookup(test.database, LIMITS),
      onCounted: () => undefined,
    };
    return authenticate(input, dependencies).then(
      ({ merchantAccountId }) => merchantAccountId,
      (error: unknown) => (error instanceof ApiError ? error.code : String(error)),
    );
  };

  it('is accepted as the client signs, with a body, a query and an account', async () => {
    const { merchantAccountId } = key;
    for (const request of [
      CANCEL,
      { method: 'GET', target: '/api/v1/refunds?limit=1&status=failed', body: undefined },
      {
        method: 'POST',
        target: '/api/v1/refunds',
        body: '{"reason":"Größe"}',
        headers: { 'X-Idempotency-Key': 'one' },
      },
      { ...CANCEL, headers: { 'X-Merchant-ID': merchantAccountId } },
    ]) {
      assert.equal(await send(request, signed(request)), merchantAccountId);
    }
  });

  it('accepts of one request that arrives many times, at several processes, exactly one', async () => {
    const headers = signed(CANCEL);
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(CANCEL, headers)));
    assert.equal(answers.filter((answer) => answer === key.merchantAccountId).length, 1);
    assert.deepEqual(new Set(answers), new Set([key.merchantAccountId, 'INVALID_SIGNATURE']));
    assert.equal(await send(CANCEL, signed(CANCEL)), key.merchantAccountId, 'a retry is signed anew');
  });

  it('stores the nonces of requests within its limit, and none of a flood beyond it', async () => {
    const { database } = test;
    await database.requestNonce.deleteMany();
    await database.rateLimit.deleteMany();
    const process = limiters({ ...LIMITS, sandbox: 2 });
    const [first, second] = [signed(CANCEL), signed(CANCEL)];
    for (const headers of [first, second]) assert.equal(await send(CANCEL, headers, process), key.merchantAccountId);
    for (let beyond = 0; beyond < 10; beyond += 1) {
      assert.equal(await send(CANCEL, signed(CANCEL), process), 'RATE_LIMIT_EXCEEDED');
    }
    // The first request beyond the limit is counted, from which the process knows.
    assert.equal(await database.requestNonce.count(), 3);
    assert.equal(await send(CANCEL, first, process), 'RATE_LIMIT_EXCEEDED');
    await database.rateLimit.deleteMany();
    assert.equal(await send(CANCEL, first), 'INVALID_SIGNATURE', 'what was accepted is not accepted again');
  });

  it('refuses a request of version 1, and one that was recorded and changed', async () => {
    assert.equal(await send(CANCEL, signedHeaders(key, undefined)), 'INVALID_SIGNATURE');
    const headers = signed({ method: 'GET', target: '/api/v1/payment-intents/pi_1', body: undefined });
    assert.equal(await send(CANCEL, headers), 'INVALID_SIGNATURE');
  });

  it('opens a socket once for each signed request, where the process has the vault keys', async () => {
    const requestWith = (given: Readonly<Record<string, string>>) => {
      const { method, target: url } = SOCKET;
      const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]));
      const headersDistinct = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
      return Object.assign(new IncomingMessage(new Socket()), { method, url, headers, headersDistinct });
    };
    const socketsWith = (own: typeof keyring | null) =>
      createSocketAuthentication({
        database: test.database,
        unknownCallersDatabase: test.database,
        knownCallers: createKnownCallers(null),
        keyring: own,
        rateLimiters: limiters(),
        addresses: createClientAddresses([]),
        keyUses: { note: () => undefined },
        logger: pino({ level: 'silent' }),
      });
    const open = async (headers: Readonly<Record<string, string>>, own: typeof keyring | null = keyring) => {
      const answer = await socketsWith(own).authenticate(requestWith(headers));
      return 'rejection' in answer ? answer.rejection.code : answer.principal.merchantAccountId;
    };
    const headers = signed(SOCKET);
    assert.equal(await open(headers), key.merchantAccountId);
    assert.equal(await open(headers), 'INVALID_SIGNATURE');
    assert.equal(await open(signedHeaders(key, undefined)), 'INVALID_SIGNATURE');
    assert.equal(await open(signed(SOCKET), null), 'FORBIDDEN');
  });
});
