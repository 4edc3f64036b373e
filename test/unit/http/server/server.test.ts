import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { Agent, request } from 'node:https';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { connect as connectSecurely, TLSSocket } from 'node:tls';
import { after, before, describe, it } from 'mocha';
import { createServer } from '../../../../http/server/server.ts';
import { type Certificates, makeCertificates } from '../../../support/certificates.ts';
import { eventually } from '../../../support/eventually.ts';
import { listenLocally, portOf } from '../../../support/local-server.ts';

/** As for a server without proxies. */
const MANY_CONNECTIONS = { maximumConnectionsPerAddress: 100, isTrustedProxy: () => false };
const SILENT = { info: () => undefined, error: () => undefined };

async function listeningPortOf(server: Server): Promise<number> {
  await listenLocally(server);
  return portOf(server);
}

describe('the certificate of the server', () => {
  const folder = path.join(tmpdir(), `certificate-${randomUUID()}`);
  const files = { certFile: path.join(folder, 'tls.crt'), keyFile: path.join(folder, 'tls.key') };
  const logged: string[] = [];
  const logger = { info: () => undefined, error: (_fields: object, message: string) => logged.push(message) };
  const kept = new Agent({ keepAlive: true, maxSockets: 1 });
  let old: Certificates;
  let renewed: Certificates;
  let server: Server;
  let port: number;

  const write = ({ certificate, key }: Partial<Certificates['server']>): void => {
    if (certificate !== undefined) writeFileSync(files.certFile, certificate);
    if (key !== undefined) writeFileSync(files.keyFile, key);
  };
  /** Whether the server proves to be the one of an authority. */
  const isFrom = ({ authority }: Certificates): Promise<boolean> =>
    ask({ ca: authority, agent: new Agent() }).then(
      () => true,
      () => false,
    );
  const ask = async (options: { readonly ca: string; readonly agent: Agent }): Promise<TLSSocket> => {
    const asked = request({ host: 'localhost', port, ...options });
    asked.end();
    const [response] = await once(asked, 'response');
    await text(response);
    assert.ok(asked.socket instanceof TLSSocket);
    return asked.socket;
  };

  before(async () => {
    [old, renewed] = await Promise.all([makeCertificates(), makeCertificates()]);
    mkdirSync(folder);
    write(old.server);
    const countRejection = () => Promise.resolve({ headers: {}, exceeded: null });
    const options = { ...MANY_CONNECTIONS, tls: files, countRejection, logger, reloadCertificateMs: 10 };
    server = createServer((_request, response) => response.end('served'), options);
    port = await listeningPortOf(server);
  });
  after(() => {
    kept.destroy();
    server.close();
    rmSync(folder, { recursive: true });
  });

  it('stays in use while its files do not fit together, with one error in the log', async () => {
    write({ certificate: renewed.server.certificate });
    await eventually(async () => assert.equal(logged.length, 1));
    assert.ok(await isFrom(old));
    assert.match(logged[0] ?? '', /not usable/);
  });

  it('is replaced for new connections as soon as both files are, while open connections stay', async () => {
    const first = await ask({ ca: old.authority, agent: kept });
    write(renewed.server);
    await eventually(async () => assert.ok(await isFrom(renewed)));
    assert.ok(!(await isFrom(old)));
    assert.equal(await ask({ ca: old.authority, agent: kept }), first);
    assert.equal(logged.length, 1);
  });
});

describe('the server', () => {
  it('counts and answers a connection with invalid HTTP once, however much arrives before the answer', async () => {
    const arrivals = new EventEmitter();
    const counted: string[] = [];
    const server = createServer(() => undefined, {
      ...MANY_CONNECTIONS,
      tls: null,
      logger: SILENT,
      countRejection: async (address) => {
        counted.push(address);
        await once(arrivals, 'enough');
        return { headers: { 'X-RateLimit-Remaining': '7' }, exceeded: null };
      },
    });
    const client = connect(await listeningPortOf(server), '127.0.0.1');
    let noticed = 0;
    server.on('clientError', () => {
      noticed += 1;
      if (noticed < 3) client.write('still no HTTP\r\n\r\n');
      else arrivals.emit('enough');
    });
    client.write('no HTTP\r\n\r\n');
    const answer = await text(client);
    server.close();
    assert.deepEqual(counted, ['127.0.0.1']);
    assert.match(answer, /^HTTP\/1\.1 400 [^]*X-RateLimit-Remaining: 7[^]*"INVALID_REQUEST"/);
  });

  for (const [title, sent, says] of [
    ['invalid HTTP', 'no HTTP\r\n\r\n', /got one that cannot be parsed\. Let an HTTP library write it/],
    [
      'long headers',
      `GET / HTTP/1.1\r\nA: ${'a'.repeat(17_000)}\r\n\r\n`,
      /Expected at most 16384 bytes of path, query and/,
    ],
  ] as const) {
    it(`says what to do about ${title}`, async () => {
      const countRejection = () => Promise.resolve({ headers: {}, exceeded: null });
      const server = createServer(() => undefined, { ...MANY_CONNECTIONS, tls: null, logger: SILENT, countRejection });
      const client = connect(await listeningPortOf(server), '127.0.0.1');
      client.write(sent);
      assert.match(await text(client), says);
      server.close();
    });
  }

  it('reads what a proxy adds after the headers of a client, however many these are', async () => {
    const countRejection = () => Promise.resolve({ headers: {}, exceeded: null });
    const options = { ...MANY_CONNECTIONS, tls: null, logger: SILENT, countRejection };
    const server = createServer(({ headers }, response) => response.end(headers['x-forwarded-for']), options);
    const client = connect(await listeningPortOf(server), '127.0.0.1');
    const ofClient = `Host: localhost\r\nConnection: close\r\n${'A:\r\n'.repeat(3_000)}`;
    client.write(`GET / HTTP/1.1\r\n${ofClient}X-Forwarded-For: 192.0.2.7\r\n\r\n`);
    const answer = await text(client);
    server.close();
    assert.match(answer, /^HTTP\/1\.1 200 [^]*\r\n192\.0\.2\.7/);
  });

  it('tells clients to stay on HTTPS in answers to invalid HTTP and CONNECT too, over TLS only', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'certificate-'));
    const files = { certFile: path.join(folder, 'tls.crt'), keyFile: path.join(folder, 'tls.key') };
    const certificates = await makeCertificates();
    writeFileSync(files.certFile, certificates.server.certificate);
    writeFileSync(files.keyFile, certificates.server.key);
    const countRejection = () => Promise.resolve({ headers: {}, exceeded: null });
    for (const tls of [files, null]) {
      const server = createServer(() => undefined, { tls, ...MANY_CONNECTIONS, countRejection, logger: SILENT });
      const port = await listeningPortOf(server);
      for (const input of ['no HTTP\r\n\r\n', 'CONNECT other:443 HTTP/1.1\r\nHost: other:443\r\n\r\n']) {
        const client =
          tls === null
            ? connect(port, '127.0.0.1')
            : connectSecurely({ host: 'localhost', port, ca: certificates.authority });
        client.write(input);
        const answer = await text(client);
        assert.match(answer, /^HTTP\/1\.1 400 /);
        assert.equal(/^Strict-Transport-Security: max-age=31536000\r$/m.test(answer), tls !== null, input);
      }
      server.close();
    }
    rmSync(folder, { recursive: true });
  });

  const startLimited = (isTrustedProxy: boolean): Server =>
    createServer((_request, response) => response.end('served'), {
      tls: null,
      maximumConnectionsPerAddress: 2,
      isTrustedProxy: () => isTrustedProxy,
      countRejection: () => Promise.resolve({ headers: {}, exceeded: null }),
      logger: SILENT,
    });
  /** Opens connections that stay open; tells which of them are served. */
  const areServed = async (sockets: readonly Socket[]): Promise<readonly boolean[]> =>
    Promise.all(
      sockets.map(async (socket) => {
        socket.on('error', () => undefined);
        socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
        const event = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => null)]);
        return event !== null;
      }),
    );

  it('closes connections of one address beyond the limit, and accepts one when another has closed', async () => {
    const server = startLimited(false);
    const port = await listeningPortOf(server);
    const open = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    assert.deepEqual(await areServed(open), [true, true]);
    assert.deepEqual(await areServed([connect(port, '127.0.0.1')]), [false]);
    const elsewhere = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    assert.deepEqual(await areServed([elsewhere]), [true]);
    open[0]?.destroy();
    await eventually(async () => {
      const next = connect(port, '127.0.0.1');
      const [isServed] = await areServed([next]);
      next.destroy();
      assert.ok(isServed);
    });
    for (const socket of [...open, elsewhere]) socket.destroy();
    server.close();
  });

  it('does not limit the connections of a trusted proxy', async () => {
    const server = startLimited(true);
    const port = await listeningPortOf(server);
    const open = Array.from({ length: 4 }, () => connect(port, '127.0.0.1'));
    assert.deepEqual(await areServed(open), [true, true, true, true]);
    for (const socket of open) socket.destroy();
    server.close();
  });
});
