import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'mocha';
import pino from 'pino';
import { createKnownCallers, type KnownCallers } from '../../../api/middleware/authentication/known-callers.ts';
import { createClientAddresses } from '../../../api/middleware/client-address.ts';
import type { RateLimiters } from '../../../api/middleware/rate-limits/rate-limit.ts';
import type { Database } from '../../../prisma/client.ts';
import { mountedApp } from '../../support/described-api.ts';

const ALLOWED = { limit: 3, remaining: 1, resetAtMs: 0, exceeded: false };
const EXCEEDED = { limit: 3, remaining: 0, resetAtMs: Date.now() + 60_000, exceeded: true };
const KEY = 'svc_test_0123456789abcdef';

describe('the look-up of a key', () => {
  let server: Server;
  let isBlocked: boolean;
  let asked: string[];
  const knownCallers: KnownCallers = createKnownCallers(null);

  before(async () => {
    const databaseThatNotes = (name: string): Database => {
      const row = async (): Promise<undefined> => void asked.push(name);
      return { direct: { row } } as unknown as Database;
    };
    const status = () => (isBlocked ? EXCEEDED : ALLOWED);
    const rateLimiters: RateLimiters = {
      countKey: async () => ALLOWED,
      countPerson: async () => ALLOWED,
      inDatabase: null,
      countAddress: async () => status(),
      blockedAddress: () => (isBlocked ? EXCEEDED : null),
      uncounted: () => ALLOWED,
    };
    const app = mountedApp({
      database: databaseThatNotes('payments'),
      unknownCallersDatabase: databaseThatNotes('unknown callers'),
      knownCallers,
      rateLimiters,
      requestsInFlightPerAddress: 10,
      addresses: createClientAddresses([]),
      logger: pino({ level: 'silent' }),
    });
    server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  beforeEach(() => {
    isBlocked = false;
    asked = [];
  });
  after(() => server.close());

  const ask = async (salt: string, bodyBytes = 2): Promise<number> => {
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/payment-intents`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${KEY}`, 'X-Secret-Salt': salt, Connection: 'close' },
      body: Buffer.alloc(bodyBytes),
    });
    return response.status;
  };

  it('uses connections of its own, unless the caller is known', async () => {
    assert.equal(await ask('unknown'), 401);
    assert.deepEqual(asked, ['unknown callers']);
    knownCallers.add(`${KEY}known`);
    assert.equal(await ask('known'), 401);
    assert.deepEqual(asked, ['unknown callers', 'payments']);
  });

  it('is not made for a blocked address, whatever the size of the body, unless the caller is known', async () => {
    isBlocked = true;
    assert.equal(await ask('unknown'), 429);
    assert.equal(await ask('unknown', 500_000), 429);
    assert.deepEqual(asked, []);
    knownCallers.add(`${KEY}known`);
    await ask('known');
    assert.deepEqual(asked, ['payments']);
  });
});
