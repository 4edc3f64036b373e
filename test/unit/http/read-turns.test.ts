import assert from 'node:assert/strict';
import type { Server } from 'node:http';
import express from 'express';
import { afterEach, describe, it } from 'mocha';
import { createReadTurns, inTurn } from '../../../http/read-turns.ts';
import type { Principal } from '../../../domain/principal.ts';
import type { ApiHandler } from '../../../http/request-context.ts';
import { listenLocally, portOf } from '../../support/local-server.ts';
import { createServer } from 'node:http';

/** Half of them is the share of one merchant. */
const CONNECTIONS = 4;

describe('reads', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.closeAllConnections();
  });

  /** A read that each merchant makes by its name as the path, and that ends when `release` is called. */
  async function startReads() {
    const turns = createReadTurns(CONNECTIONS);
    const ends: (() => void)[] = [];
    const began: string[] = [];
    const hang: ApiHandler = async (request, response) => {
      began.push(request.path);
      if (request.path === '/slow') await new Promise<void>((resolve) => ends.push(resolve));
      response.end('read');
    };
    const app = express();
    app.use((request, response, next) => {
      response.locals.principal = { merchantId: request.path } as Principal;
      next();
    });
    app.use(inTurn(turns, hang) as express.RequestHandler);
    const server = createServer(app);
    servers.push(server);
    await listenLocally(server);
    const read = (merchant: string) =>
      fetch(`http://127.0.0.1:${portOf(server)}/${merchant}`).then((each) => each.text());
    return { read, began, usage: turns.usage, release: () => ends.splice(0).forEach((end) => end()) };
  }

  it('of one merchant that are slow leave connections to the others', async () => {
    const { read, began, usage, release } = await startReads();
    const slow = Array.from({ length: CONNECTIONS }, () => read('slow'));
    while (usage().byOne < CONNECTIONS / 2) await new Promise(setImmediate);
    assert.equal(await read('other'), 'read');
    assert.deepEqual(began, ['/slow', '/slow', '/other']);
    while (began.length < CONNECTIONS + 1) {
      release();
      await new Promise(setImmediate);
    }
    release();
    await Promise.all(slow);
    assert.deepEqual(usage(), { byAll: 0, byOne: 0 });
  });
});
