import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import express from 'express';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createPagesRouter } from '../../../dashboard/server/pages.ts';
import { listenLocally, portOf } from '../../support/local-server.ts';

describe('the pages of the dashboard', () => {
  let folder: string;
  let server: Server;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'dashboard-pages-'));
    server = createServer(express().use(createPagesRouter(folder)));
    await listenLocally(server);
  });
  afterEach(async () => {
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  });

  const get = (address: string) => {
    const port = portOf(server);
    return fetch(`http://127.0.0.1:${port}${address}`, { headers: { Accept: 'text/html' } });
  };

  const open = async () => {
    const response = await get('/sandbox/mer_1/refunds');
    assert.equal(response.headers.get('cache-control'), 'no-store');
    return response.text();
  };

  it('are those of the last build, also while the process runs', async () => {
    assert.match(await open(), /not built/);
    for (const name of ['first', 'second']) {
      await writeFile(path.join(folder, 'index.html'), `<script src="/assets/${name}.js"></script>`);
      assert.match(await open(), new RegExp(`${name}\\.js`));
    }
  });

  it('are one for the sign-in, which is small, and one for all others', async () => {
    await writeFile(path.join(folder, 'index.html'), 'all others');
    await writeFile(path.join(folder, 'sign-in.html'), 'the sign-in');
    for (const [address, expected] of [
      ['/sign-in?next=%2Fsandbox', 'the sign-in'],
      ['/sign-up', 'all others'],
      ['/', 'all others'],
    ] as const) {
      const response = await get(address);
      assert.equal(await response.text(), expected, address);
      assert.equal(response.headers.get('cache-control'), 'no-store');
    }
  });

  it('are at one address as they were built, so that a page in a browser notices a new version', async () => {
    const built = '<script nonce="__CSP_NONCE__" src="/assets/a.js"></script>';
    await writeFile(path.join(folder, 'index.html'), built);
    assert.notEqual(await open(), built);
    const response = await get('/index.html');
    assert.equal(await response.text(), built);
    assert.ok(response.headers.has('etag'));
  });
});
