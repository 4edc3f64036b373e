import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, before, beforeEach, describe, it } from 'mocha';
import pino from 'pino';
import { createKnownCallers, type KnownCallers } from '../../../http/authentication/known-callers.ts';
import { createClientAddresses } from '../../../http/client-address.ts';
import type { RateLimiters } from '../../../http/rate-limits/rate-limit.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import { WebhookVerificationError } from '../../../providers/provider-errors.ts';
import { createSimulatorProvider } from '../../../providers/simulator/simulator-provider.ts';
import { mountedApp } from '../../support/described-api.ts';
import { UNREACHABLE_URL } from '../../support/simulator-harness.ts';
import { listenLocally, portOf } from '../../support/local-server.ts';

const ALLOWED = { limit: 3, remaining: 1, resetAtMs: 0, exceeded: false };
const EXCEEDED = { limit: 3, remaining: 0, resetAtMs: Date.now() + 60_000, exceeded: true };
const KEY = 'svc_test_0123456789abcdef';
const ALPHA = createSimulatorProvider({
  name: 'alpha',
  url: UNREACHABLE_URL,
  apiKey: 'key',
  webhookSecret: `whsec_${Buffer.alloc(32).toString('base64')}`,
  timeoutMs: 1_000,
});

describe('the look-up of a key', () => {
  let server: Server;
  let isBlocked: boolean;
  let asked: string[];
  let looked: string[] = [];
  const knownCallers: KnownCallers = createKnownCallers(null);

  before(async () => {
    const databaseThatNotes = (name: string): Database => {
      const row = async (): Promise<undefined> => void asked.push(name);
      return { direct: { row } } as unknown as Database;
    };
    const status = () => (isBlocked ? EXCEEDED : ALLOWED);
    const rateLimiters: RateLimiters = {
      countKey: async () => ALLOWED,
      blockedKey: () => null,
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
      apiPublicUrl: 'http://127.0.0.1',
      paymentPage: { html: '', script: Buffer.alloc(0), style: Buffer.alloc(0) },
      pageRequestsPerMinute: 100,
      findProvider: async (name) => {
        looked.push(name);
        if (name === 'nobody') return undefined;
        const parseWebhook = () => {
          if (name === 'right') return { events: [], skipped: [] };
          throw new WebhookVerificationError('the signature is wrong');
        };
        return { ...ALPHA, parseWebhook };
      },
      addresses: createClientAddresses([]),
      logger: pino({ level: 'silent' }),
    });
    server = createServer(app);
    await listenLocally(server);
  });
  beforeEach(() => {
    isBlocked = false;
    asked = [];
  });
  after(() => server.close());

  const ask = async (salt: string, bodyBytes = 2): Promise<number> => {
    const port = portOf(server);
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

  it('is not made for a path in capitals, which does not exist', async () => {
    const port = portOf(server);
    for (const path of ['/API/v1/payment-intents', '/api/V1/payment-intents', '/HEALTHZ', '/PAY/a', '/Docs']) {
      const { status } = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { Connection: 'close' } });
      assert.equal(status, 404, path);
    }
    assert.deepEqual(asked, []);
  });

  it('is not made for a socket whose handshake a proxy has removed; the answer says so', async () => {
    const url = `http://127.0.0.1:${portOf(server)}/api/v1/events/socket`;
    const response = await fetch(url, { headers: { Authorization: `Bearer ${KEY}`, Connection: 'close' } });
    assert.match(
      `${response.status} ${await response.text()}`,
      /^400 .*"INVALID_REQUEST".*pass on the headers Upgrade and Connection/,
    );
    assert.deepEqual(asked, []);
  });

  it('is not made for a socket at an API that serves none; the answer says where sockets are', async () => {
    const headers = { Authorization: `Bearer ${KEY}`, Connection: 'Upgrade', Upgrade: 'websocket' };
    const sent = request({ port: portOf(server), path: '/api/v1/events/socket', headers }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    assert.match(`${response.statusCode} ${await text(response)}`, /^400 .*serves no sockets.*Open it at a gateway/);
    assert.deepEqual(asked, []);
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

  it('fails for webhooks with messages for whoever sets them up at a provider', async () => {
    const port = portOf(server);
    const refusal = async (provider: string) => {
      const url = `http://127.0.0.1:${port}/api/v1/providers/${provider}/webhooks`;
      const response = await fetch(url, { method: 'POST', headers: { Connection: 'close' }, body: '{}' });
      return `${response.status} ${await response.text()}`;
    };
    const forged = await refusal('forged');
    assert.match(forged, /^401 .*Expected an event of this provider, signed .* with the secret of its webhook/);
    const unknown = await refusal('nobody');
    assert.match(unknown, /^404 .*Expected the name of a provider, or the id of an account at a provider/);
    assert.doesNotMatch(`${forged} ${unknown}`, /X-Secret-Salt|API key|the signature is wrong/);
  });

  it('is made for webhooks of a blocked address a few times a minute, and always where a provider sends authentic ones', async () => {
    const port = portOf(server);
    const post = async (provider: string): Promise<number> => {
      const url = `http://127.0.0.1:${port}/api/v1/providers/${provider}/webhooks`;
      const response = await fetch(url, {
        method: 'POST',
        headers: { Connection: 'close' },
        body: Buffer.alloc(2_000),
      });
      return response.status;
    };
    const forge = async (times: number): Promise<number> => {
      looked = [];
      for (let sent = 0; sent < times; sent += 1) assert.ok([401, 429].includes(await post('forged')));
      return looked.length;
    };
    assert.equal(await forge(70), 70, 'an address that is not blocked');
    isBlocked = true;
    assert.equal(await forge(70), 60);
    assert.equal(await forge(10), 0);
    isBlocked = false;
    assert.equal(await post('right'), 200);
    isBlocked = true;
    assert.equal(await forge(70), 70);
  });

  it('is not made for a blocked address, which need not send its body first, at keys and payment pages', async () => {
    const port = portOf(server);
    isBlocked = true;
    for (const path of ['/api/v1/payment-intents', `/pay/${'a'.repeat(32)}/payment`, `/pay/${'a'.repeat(32)}/cancel`]) {
      const headers = { 'content-type': 'application/json', 'content-length': 200_000 };
      const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers, agent: false });
      sent.flushHeaders();
      const [{ statusCode }] = (await once(sent, 'response')) as [IncomingMessage];
      sent.on('error', () => undefined).destroy();
      assert.equal(statusCode, 429, path);
    }
    assert.deepEqual(asked, []);
  });
});
