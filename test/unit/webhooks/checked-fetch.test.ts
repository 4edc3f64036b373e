import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, it } from 'mocha';
import { createCheckedFetch } from '../../../webhooks/checked-fetch.ts';
import { createTargetPolicies } from '../../../webhooks/target-policy.ts';
import { closeServer, listenLocally, portOf } from '../../support/local-server.ts';

const { sandbox, production } = createTargetPolicies({ allowPrivateInSandbox: true });
const strict = createTargetPolicies({ allowPrivateInSandbox: false }).sandbox;

describe('calls to addresses that merchants have entered', () => {
  const servers: Server[] = [];
  const sockets: Socket[] = [];
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    for (const server of servers.splice(0)) await closeServer(server);
  });

  const listen = async (answer: RequestListener | Server): Promise<number> => {
    const server = typeof answer === 'function' ? createServer(answer) : answer;
    servers.push(server);
    await listenLocally(server);
    return portOf(server);
  };
  const post = (url: string, access: Partial<Parameters<typeof createCheckedFetch>[0]> = {}, init: RequestInit = {}) =>
    createCheckedFetch({ policy: sandbox, proxy: null, ...access })(url, { method: 'POST', body: '{}', ...init });
  const refused = { code: 'EADDRNOTALLOWED' };

  it('send a body, and return status, headers and body', async () => {
    const heard: string[] = [];
    const port = await listen((request, response) => {
      request.on('data', (chunk: Buffer) => heard.push(`${request.method} ${request.url} ${chunk.toString()}`));
      request.on('end', () => response.writeHead(429, { 'content-type': 'application/json' }).end('{"a":1}'));
    });
    const response = await post(`http://127.0.0.1:${port}/key`, {}, { body: '{"b":"ü"}' });
    assert.deepEqual([response.status, await response.json()], [429, { a: 1 }]);
    assert.equal(response.headers.get('content-type'), 'application/json');
    assert.deepEqual(heard, ['POST /key {"b":"ü"}']);
  });

  it('connect to no private address, written or behind a name, to no metadata, and not without TLS', async () => {
    let isConnected = false;
    const port = await listen(() => {
      isConnected = true;
    });
    const rebinding = async () => [{ address: '127.0.0.1', family: 4 }];
    for (const policy of [strict, production]) {
      for (const host of ['127.0.0.1', '[::1]', '0x7f.1', '[::ffff:127.0.0.1]']) {
        await assert.rejects(post(`https://${host}:${port}/`, { policy }), refused, host);
      }
      await assert.rejects(post(`https://node.example:${port}/`, { policy, resolve: rebinding }), refused);
    }
    await assert.rejects(post('http://node.example/', { policy: production }), refused);
    await assert.rejects(post('http://169.254.169.254/latest/meta-data', { policy: sandbox }), refused);
    assert.equal(isConnected, false);
  });

  it('follow no redirect', async () => {
    const paths: (string | undefined)[] = [];
    const port = await listen((request, response) => {
      paths.push(request.url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    assert.equal((await post(`http://127.0.0.1:${port}/`)).status, 307);
    assert.deepEqual(paths, ['/']);
  });

  it('end when their caller gives up, before the answer and within it', async () => {
    const silent = await listen(() => undefined);
    await assert.rejects(post(`http://127.0.0.1:${silent}/`, {}, { signal: AbortSignal.timeout(50) }));
    const endless = await listen((_request, response) => {
      response.writeHead(200).write('begun');
    });
    const giveUp = new AbortController();
    const response = await post(`http://127.0.0.1:${endless}/`, {}, { signal: giveUp.signal });
    giveUp.abort();
    await assert.rejects(response.text());
  });

  it('reject what is no HTTP status, and take answers without a body', async () => {
    const odd = await listen((_request, response) => response.writeHead(999).end());
    await assert.rejects(post(`http://127.0.0.1:${odd}/`), RangeError);
    const empty = await listen((_request, response) => response.writeHead(204).end());
    assert.equal((await post(`http://127.0.0.1:${empty}/`)).status, 204);
  });

  it('go through the proxy to the address that was checked', async () => {
    const port = await listen((_request, response) => response.end('here'));
    const targets: (string | undefined)[] = [];
    const proxy = createServer();
    proxy.on('connect', ({ url = '' }, client: Socket) => {
      targets.push(url);
      const upstream = connect(port, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        upstream.pipe(client).pipe(upstream);
      });
      sockets.push(client, upstream);
    });
    const through = new URL(`http://127.0.0.1:${await listen(proxy)}`);
    const resolve = async () => [{ address: '192.0.9.9', family: 4 }];
    const response = await post('http://node.example/', { policy: strict, proxy: through, resolve });
    assert.equal(await response.text(), 'here');
    assert.deepEqual(targets, ['192.0.9.9:80']);
    const toPrivate = async () => [{ address: '10.0.0.1', family: 4 }];
    await assert.rejects(post('http://node.example/', { policy: strict, proxy: through, resolve: toPrivate }), refused);
    assert.equal(targets.length, 1);
  });
});
