import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { afterEach, before, describe, it } from 'mocha';
import { postWebhook, type WebhookRequest } from '../../../webhooks/post-webhook.ts';
import { createTargetPolicies } from '../../../webhooks/target-policy.ts';
import { type Certificates, makeCertificates } from '../../support/certificates.ts';
import { closeServer, listenLocally, portOf } from '../../support/local-server.ts';

const { sandbox, production } = createTargetPolicies({ allowPrivateInSandbox: true });
const TIMEOUT_MS = 5_000;

describe('webhooks through a proxy', () => {
  let certificates: Certificates;
  const servers: Server[] = [];
  const sockets: Socket[] = [];

  before(async () => {
    certificates = await makeCertificates();
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    for (const server of servers.splice(0)) await closeServer(server);
  });

  const listen = async (server: Server): Promise<number> => {
    servers.push(server);
    await listenLocally(server);
    return portOf(server);
  };

  /** A CONNECT proxy. @param status of its answers; null leaves requests without one */
  const startProxy = async (status: number | null = 200) => {
    const requests: { readonly target: string | undefined; readonly authorization: string | undefined }[] = [];
    const server = createServer((_request, response) => response.writeHead(400).end());
    server.on('connect', ({ url = '', headers }, client: Socket) => {
      requests.push({ target: url, authorization: headers['proxy-authorization'] });
      sockets.push(client);
      client.on('error', () => undefined);
      if (status === null) return;
      if (status !== 200) return void client.end(`HTTP/1.1 ${status} No\r\nContent-Length: 6\r\n\r\nsecret`);
      const { hostname, port } = new URL(`http://${url}`);
      const upstream = connect(Number(port), hostname, () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        upstream.pipe(client).pipe(upstream);
      });
      upstream.on('error', () => client.destroy());
      sockets.push(upstream);
    });
    return { url: new URL(`http://127.0.0.1:${await listen(server)}`), requests };
  };

  const post = (url: string, options: Pick<WebhookRequest, 'proxy'> & Partial<WebhookRequest>) =>
    postWebhook({ url: new URL(url), headers: {}, body: '{}', policy: sandbox, timeoutMs: TIMEOUT_MS, ...options });
  const resolveTo = (address: string) => async () => [{ address, family: address.includes(':') ? 6 : 4 }];

  it('reach an endpoint by the address that was checked, never by its name', async () => {
    const hosts: (string | undefined)[] = [];
    const port = await listen(
      createServer((request, response) => {
        hosts.push(request.headers.host);
        response.writeHead(202).end('thanks');
      }),
    );
    const { url: proxy, requests } = await startProxy();
    proxy.username = 'engine';
    proxy.password = 'p%40ss';
    const reply = await post(`http://shop.example:${port}/hooks`, { proxy, resolve: resolveTo('127.0.0.1') });
    assert.deepEqual(reply, { statusCode: 202, error: null, responseBody: 'thanks' });
    assert.deepEqual(hosts, [`shop.example:${port}`]);
    const authorization = `Basic ${Buffer.from('engine:p@ss').toString('base64')}`;
    assert.deepEqual(requests, [{ target: `127.0.0.1:${port}`, authorization }]);
  });

  it('check the certificate for the name of the endpoint', async () => {
    const { certificate: cert, key } = certificates.server;
    const names: string[] = [];
    const SNICallback = (name: string, callback: (error: null) => void): void => {
      names.push(name);
      callback(null);
    };
    const port = await listen(createSecureServer({ cert, key, SNICallback }, (_request, response) => response.end()));
    const { url: proxy, requests } = await startProxy();
    const resolve = resolveTo('127.0.0.1');
    assert.equal((await post(`https://shop.example:${port}/`, { proxy, resolve })).error, 'certificate_not_valid');
    assert.equal((await post(`https://localhost:${port}/`, { proxy, resolve })).error, 'certificate_not_valid');
    assert.deepEqual(names, ['shop.example', 'localhost']);
    assert.equal(requests.length, 2);
  });

  it('never ask the proxy for an address that is not allowed', async () => {
    const { url: proxy, requests } = await startProxy();
    const replies = await Promise.all([
      post('http://169.254.169.254/', { proxy }),
      post('http://metadata.example/', { proxy, resolve: resolveTo('fd00:ec2::254') }),
      post('https://shop.example/', { proxy, policy: production, resolve: resolveTo('10.0.0.1') }),
    ]);
    assert.deepEqual(
      replies.map(({ error }) => error),
      Array.from(replies, () => 'address_not_allowed'),
    );
    assert.deepEqual(requests, []);
  });

  it('do not take the answer of the proxy for that of the endpoint', async () => {
    const errors = { 403: 'address_not_allowed', 407: 'connection_refused', 410: 'connection_refused', 504: 'timeout' };
    for (const [status, error] of Object.entries(errors)) {
      const { url: proxy } = await startProxy(Number(status));
      const reply = await post('http://127.0.0.1:8080/', { proxy });
      assert.deepEqual(reply, { statusCode: null, error, responseBody: null }, status);
    }
  });

  it('give up on a proxy that is silent or away, and on a name that is never found', async () => {
    const { url: silent } = await startProxy(null);
    assert.equal((await post('http://127.0.0.1:8080/', { proxy: silent, timeoutMs: 50 })).error, 'timeout');
    const away = new URL('http://127.0.0.1:1');
    assert.equal((await post('http://127.0.0.1:8080/', { proxy: away })).error, 'connection_refused');
    const resolve = () => new Promise<never>(() => undefined);
    assert.equal((await post('http://a.example/', { proxy: silent, resolve, timeoutMs: 50 })).error, 'timeout');
  });
});
