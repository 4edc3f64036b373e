import assert from 'node:assert/strict';
import { Agent, createServer, type IncomingHttpHeaders, request as send, type Server } from 'node:http';
import type { Socket } from 'node:net';
import express from 'express';
import { after, before, beforeEach, describe, it } from 'mocha';
import pino from 'pino';
import { createClientAddresses } from '../../../http/client-address.ts';
import { createApiProxy, createFirstPaymentProxy } from '../../../dashboard/server/api-proxy.ts';
import { closeServer, listenLocally, portOf } from '../../support/local-server.ts';

interface Received {
  readonly target: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

const SPOOFED = {
  Authorization: 'Bearer svc_live_key',
  Cookie: 'payment-engine.session_token=token-of-a-session.signature%3D; other=1',
  'X-Forwarded-For': '203.0.113.7',
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-Anything': 'x',
  'X-Real-IP': '203.0.113.7',
  'X-Merchant-ID': 'mer_1',
};

describe("the dashboard's proxy to the API", () => {
  let api: Server;
  let dashboard: Server;
  let received: Received[] = [];

  before(async () => {
    api = createServer(({ url: target, headers }, response) => {
      received.push({ target, headers });
      response.setHeader('Set-Cookie', 'a=b');
      response.end('{}');
    });
    const apiUrl = await listenLocally(api);
    const app = express();
    const dependencies = {
      publicUrl: 'http://127.0.0.1:3003',
      apiUrl,
      addresses: createClientAddresses([]),
      logger: pino({ level: 'silent' }),
    };
    app.use('/api/v1', createApiProxy(dependencies));
    app.post('/first-payment', createFirstPaymentProxy(dependencies));
    app.use(((_error, _request, response, _next) => {
      response.status(404).end();
    }) satisfies express.ErrorRequestHandler);
    dashboard = createServer(app);
    await listenLocally(dashboard);
  });
  beforeEach(() => {
    received = [];
  });
  after(async () => {
    for (const server of [dashboard, api]) {
      await closeServer(server);
    }
  });

  const ask = (path: string, headers: Readonly<Record<string, string>>, body = '', agent?: Agent): Promise<number> =>
    new Promise((resolve, reject) => {
      const port = portOf(dashboard);
      const asked = send({ port, path, method: body === '' ? 'GET' : 'POST', headers, agent }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
        assert.equal(response.headers['set-cookie'], undefined);
      });
      asked.on('error', reject).end(body);
    });

  it('replaces what the client says of itself, whichever headers come with it', async () => {
    for (const further of [
      {},
      { Expect: '100-continue', 'Content-Length': '2' },
      { Connection: 'Upgrade, X-Forwarded-For', Upgrade: 'websocket' },
    ]) {
      assert.equal(await ask('/api/v1/me?x=1', { ...SPOOFED, ...further }, '{}'), 200);
    }
    assert.equal(received.length, 3);
    for (const { target, headers } of received) {
      assert.equal(target, '/api/v1/me?x=1');
      assert.equal(headers.authorization, 'Session token-of-a-session.signature=');
      assert.equal(headers['x-merchant-id'], 'mer_1');
      assert.match(String(headers['x-forwarded-for']), /127\.0\.0\.1|::1/);
      assert.equal(headers['x-forwarded-proto'], 'http');
      for (const name of ['cookie', 'x-forwarded-anything', 'x-real-ip', 'expect', 'upgrade']) {
        assert.equal(headers[name], undefined, name);
      }
      assert.doesNotMatch(headers.connection ?? '', /upgrade|forwarded/i);
    }
  });

  it('leaves no listener behind on a keep-alive connection', async () => {
    const sockets: Socket[] = [];
    dashboard.on('connection', (socket) => sockets.push(socket));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const listeners: (number | undefined)[] = [];
    for (let request = 0; request < 3; request += 1) {
      assert.equal(await ask('/api/v1/me', {}, '', agent), 200);
      listeners.push(sockets[0]?.listenerCount('timeout'));
    }
    agent.destroy();
    assert.equal(sockets.length, 1);
    assert.equal(new Set(listeners).size, 1, String(listeners));
  });

  it('passes nothing on that a server on the way could take for a path outside the API', async () => {
    for (const path of [
      '/api/v1/../../metrics',
      '/api/v1/%2e%2E/%2e%2e/metrics',
      '/api/v1/..%2f..%2Fmetrics',
      '/api/v1/..\\..\\metrics',
      '/API/V1/me',
      'http://127.0.0.1/api/v1/me',
    ]) {
      assert.equal(await ask(path, {}), 404, path);
    }
    assert.deepEqual(received, []);
  });

  it('passes a payment that a page has signed on without the session, for keys of the sandbox alone', async () => {
    const signed = { ...SPOOFED, 'X-Timestamp': '1', 'X-Nonce': '2', 'X-Signature': '3' };
    assert.equal(await ask('/first-payment', signed, '{}'), 404);
    assert.equal(await ask('/first-payment', { ...signed, Authorization: 'Session token' }, '{}'), 404);
    assert.equal(received.length, 0);
    assert.equal(await ask('/first-payment?x=1', { ...signed, Authorization: 'Bearer svc_test_key' }, '{}'), 200);
    const [passed] = received;
    assert.equal(passed?.target, '/api/v1/payment-intents');
    assert.deepEqual(
      ['authorization', 'x-timestamp', 'x-nonce', 'x-signature', 'cookie', 'x-forwarded-anything'].map(
        (name) => passed?.headers[name],
      ),
      ['Bearer svc_test_key', '1', '2', '3', undefined, undefined],
    );
  });
});
