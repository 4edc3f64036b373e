import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import express from 'express';
import { after, before, describe, it } from 'mocha';
import { mountHealth } from '../../../../http/server/health.ts';
import { eventually } from '../../../support/eventually.ts';
import { listenLocally, portOf } from '../../../support/local-server.ts';

describe('the readiness probe', () => {
  let server: Server;
  let checks = 0;
  let arrived = 0;
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });

  before(async () => {
    const app = express();
    const check = async (): Promise<void> => {
      checks += 1;
      await released;
    };
    app.use((_request, _response, next) => {
      arrived += 1;
      next();
    });
    mountHealth(app, { database: check });
    server = createServer(app);
    await listenLocally(server);
  });
  after(() => server.close());

  const ask = async (): Promise<number> => {
    const port = portOf(server);
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
  };

  it('checks once for all who ask at the same time or right after, and again later', async () => {
    const flood = Array.from({ length: 50 }, ask);
    await eventually(async () => assert.equal(arrived, 50));
    assert.equal(checks, 1);
    release();
    assert.deepEqual(new Set(await Promise.all(flood)), new Set([200]));
    assert.equal(await ask(), 200);
    assert.equal(checks, 1);
    await eventually(async () => {
      await ask();
      assert.equal(checks, 2);
    });
  });
});
