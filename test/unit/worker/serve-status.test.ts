import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'mocha';
import type { Server } from 'node:http';
import { createMetricsAccess } from '../../../metrics/metrics-access.ts';
import { serveStatus } from '../../../worker/serve-status.ts';
import { portOf } from '../../support/local-server.ts';

describe('the metrics of a worker', () => {
  let server: Server;

  before(async () => {
    const status = { isReady: () => true, readMetrics: () => Promise.resolve('metrics'), metricsType: 'text/plain' };
    const mayReadMetrics = createMetricsAccess(['loopback']);
    const started = await serveStatus({ host: '127.0.0.1', port: 0 }, { ...status, mayReadMetrics });
    assert.ok(started);
    server = started;
  });
  after(() => server.close());

  async function read(...headers: readonly string[]): Promise<string> {
    const client = connect(portOf(server), '127.0.0.1');
    await once(client, 'connect');
    const lines = ['GET /metrics HTTP/1.1', 'Host: localhost', 'Connection: close', ...headers];
    client.write(`${lines.join('\r\n')}\r\n\r\n`);
    return await text(client);
  }

  it('are not shown through a proxy, however many headers the client sends before those of the proxy', async () => {
    assert.match(await read(), /^HTTP\/1\.1 200 /);
    const many = Array.from({ length: 3_000 }, () => 'A:');
    assert.match(await read(...many, 'X-Forwarded-For: 192.0.2.7'), /^HTTP\/1\.1 404 /);
  });
});
