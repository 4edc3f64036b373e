import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, describe, it } from 'mocha';
import { limitLookups } from '../../../webhooks/checked-lookup.ts';
import { postWebhook } from '../../../webhooks/post-webhook.ts';
import { createTargetPolicies } from '../../../webhooks/target-policy.ts';
import { closeServer, listenLocally, portOf } from '../../support/local-server.ts';

const { sandbox, production } = createTargetPolicies({ allowPrivateInSandbox: true });
const TIMEOUT_MS = 5_000;

describe('posting a webhook', () => {
  const servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await closeServer(server);
  });

  const listen = async (answer: RequestListener): Promise<number> => {
    const server = createServer(answer);
    servers.push(server);
    await listenLocally(server);
    return portOf(server);
  };
  const post = (url: string, options: Partial<Parameters<typeof postWebhook>[0]> = {}) =>
    postWebhook({
      url: new URL(url),
      headers: {},
      body: '{}',
      policy: sandbox,
      proxy: null,
      timeoutMs: TIMEOUT_MS,
      ...options,
    });

  it('sends body and headers, and returns the response', async () => {
    const heard: string[] = [];
    const port = await listen((request, response) => {
      request.on('data', (chunk: Buffer) => heard.push(chunk.toString()));
      request.on('end', () => {
        heard.push(`${request.method} ${request.url} ${String(request.headers['webhook-id'])}`);
        response.writeHead(202).end('thanks');
      });
    });
    const reply = await post(`http://127.0.0.1:${port}/hooks?shop=1`, {
      headers: { 'webhook-id': 'evt_1' },
      body: '{"a":"ü"}',
    });
    assert.deepEqual(reply, { statusCode: 202, error: null, responseBody: 'thanks' });
    assert.deepEqual(heard, ['{"a":"ü"}', 'POST /hooks?shop=1 evt_1']);
  });

  it('does not follow redirects', async () => {
    let followed = false;
    const port = await listen((request, response) => {
      if (request.url === '/elsewhere') followed = true;
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    assert.deepEqual(await post(`http://127.0.0.1:${port}/`), {
      statusCode: 307,
      error: 'status_not_2xx',
      responseBody: '',
    });
    assert.equal(followed, false);
  });

  it('reads the first 4 KB of an endless body, without half a character and without NUL', async () => {
    const port = await listen((_request, response) => {
      response.writeHead(500);
      response.write(`\u0000a${'é'.repeat(4_000)}`);
    });
    const { responseBody, error } = await post(`http://127.0.0.1:${port}/`);
    assert.equal(error, 'status_not_2xx');
    assert.equal(responseBody, `a${'é'.repeat(2_047)}`);
  });

  it('keeps no card number, secret or address of what a server echoes, even where the kept part ends', async () => {
    const [card, secret] = ['4242 4242 4242 4242', `whsec_${'a'.repeat(32)}`];
    const line = `card ${card}\nsecret ${secret}\nmail a@b.example\n`;
    const port = await listen((_request, response) => response.end(line.padEnd(4_096 - 13, '.') + card));
    const { responseBody } = await post(`http://127.0.0.1:${port}/`);
    assert.ok(responseBody !== null);
    assert.ok(responseBody.startsWith('card [redacted]\nsecret [redacted]\nmail [redacted]\n'), responseBody);
    assert.ok(!/4242|whsec_|a@b/.test(responseBody), responseBody);
    assert.ok(responseBody.length <= 4_096);
  });

  it('keeps no part of a card number that is cut off where the read part ends, however much before it was redacted', async () => {
    const addresses = `${'a'.repeat(120)}@${'b'.repeat(120)} `.repeat(4);
    const port = await listen((_request, response) => {
      response.write(`${addresses.padEnd(4_352 - 11, '.')}4242 4242 4242 4242${'.'.repeat(1_000)}`);
    });
    const { responseBody } = await post(`http://127.0.0.1:${port}/`);
    assert.match(responseBody ?? '', /^(\[redacted\] ){4}\.+$/);
  });

  it('returns the status even if the body is cut off', async () => {
    const port = await listen((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('begun', () => response.destroy());
    });
    assert.deepEqual(await post(`http://127.0.0.1:${port}/`), { statusCode: 200, error: null, responseBody: 'begun' });
  });

  it('times out if the endpoint does not answer', async () => {
    const port = await listen(() => undefined);
    const reply = await post(`http://127.0.0.1:${port}/`, { timeoutMs: 50 });
    assert.deepEqual(reply, { statusCode: null, error: 'timeout', responseBody: null });
  });

  it('reports a refused connection, a broken connection and an unknown host', async () => {
    const port = await listen((_request, response) => response.destroy());
    assert.equal((await post(`http://127.0.0.1:${port}/`)).error, 'connection_lost');
    assert.equal((await post('http://127.0.0.1:1/')).error, 'connection_refused');
    const resolve = () => Promise.reject(Object.assign(new Error('no such host'), { code: 'ENOTFOUND' }));
    assert.equal((await post('http://nowhere.example/', { resolve })).error, 'host_not_found');
  });

  describe('while the look-up of another host takes long', () => {
    const { lookup } = dns;
    let endLookup = (): void => undefined;
    afterEach(() => {
      dns.lookup = lookup;
      syncBuiltinESMExports();
      endLookup();
    });
    const slow = () =>
      new Promise<never>((_resolve, reject) => {
        endLookup = () => reject(Object.assign(new Error('no answer'), { code: 'EAI_AGAIN' }));
      });

    it('goes on with a host that was called a moment ago', async () => {
      dns.lookup = ((hostname: string) =>
        hostname === 'silent.example'
          ? slow()
          : Promise.resolve([{ address: '127.0.0.1', family: 4 }])) as unknown as typeof dns.lookup;
      syncBuiltinESMExports();
      const port = await listen((_request, response) => response.writeHead(204).end());
      assert.equal((await post(`http://shop.example:${port}/`)).statusCode, 204);
      const waiting = post('http://silent.example/');
      assert.equal((await post(`http://shop.example:${port}/`)).statusCode, 204);
      endLookup();
      assert.equal((await waiting).error, 'host_not_found');
    });

    it('reports no failure of an endpoint whose host was not looked up', async () => {
      const resolve = limitLookups(slow, { maximum: 1, waitMs: 10, slowMs: 1_000, slowForMs: 1_000 });
      const waiting = post('http://silent.example/', { resolve });
      await assert.rejects(post('http://shop.example/', { resolve }), { name: 'LookupsBusyError' });
      endLookup();
      assert.equal((await waiting).error, 'host_not_found');
    });
  });

  describe('in production', () => {
    it('does not connect to a host that resolves to a forbidden address at that moment', async () => {
      let connected = false;
      const port = await listen(() => {
        connected = true;
      });
      let asked = 0;
      const rebinding = async () => {
        asked += 1;
        return [{ address: '127.0.0.1', family: 4 }];
      };
      const reply = await post(`https://shop.example:${port}/`, { policy: production, resolve: rebinding });
      assert.deepEqual(reply, { statusCode: null, error: 'address_not_allowed', responseBody: null });
      assert.deepEqual([asked, connected], [1, false]);
    });

    it('does not connect to a literal forbidden address, or without TLS', async () => {
      for (const url of ['https://127.0.0.1/', 'https://[::1]/', 'https://0x7f.1/', 'http://shop.example/']) {
        assert.equal((await post(url, { policy: production })).error, 'address_not_allowed', url);
      }
    });
  });
});
