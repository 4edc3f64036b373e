import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http, { type RequestListener, type Server } from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { DIST_DIR } from '../../../sandbox/stack/project.ts';
import { type Certificates, makeCertificates } from '../../support/certificates.ts';
import { listenLocally, portOf } from '../../support/local-server.ts';

describe('the health check of the image', () => {
  const servers: Server[] = [];
  let folder: string;
  let certificates: Certificates;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'health-check-'));
    certificates = await makeCertificates();
    await writeFile(path.join(folder, 'server.crt'), certificates.server.certificate);
    await writeFile(path.join(folder, 'other.crt'), certificates.client.certificate);
  });
  after(async () => {
    for (const server of servers) server.close();
    await rm(folder, { recursive: true });
  });

  const answer: RequestListener = ({ url }, response) => response.writeHead(url === '/readyz' ? 200 : 503).end();

  async function listen(server: Server): Promise<string> {
    servers.push(server);
    await listenLocally(server);
    return String(portOf(server));
  }

  function exitCodeOf(...args: readonly string[]): Promise<number> {
    return new Promise((resolve) => {
      execFile(process.execPath, [path.join(DIST_DIR, 'scripts', 'healthcheck.js'), ...args], (error) =>
        resolve(error === null ? 0 : 1),
      );
    });
  }

  it('passes for a process that is ready, and fails for one that is not', async () => {
    const port = await listen(http.createServer(answer));
    assert.equal(await exitCodeOf(port), 0);
    assert.equal(await exitCodeOf(port, '/readyz', ''), 0);
    assert.equal(await exitCodeOf(port, '/healthz'), 1);
  });

  it('asks a process with a certificate by HTTPS, and trusts that certificate alone', async () => {
    const { certificate: cert, key } = certificates.server;
    const port = await listen(https.createServer({ cert, key }, answer));
    assert.equal(await exitCodeOf(port, '/readyz', path.join(folder, 'server.crt')), 0);
    assert.equal(await exitCodeOf(port, '/healthz', path.join(folder, 'server.crt')), 1);
    assert.equal(await exitCodeOf(port, '/readyz', path.join(folder, 'other.crt')), 1);
    assert.equal(await exitCodeOf(port), 1);
  });
});
