import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import path from 'node:path';
import { describe, it } from 'mocha';
import { createDemoApp } from '../../../sandbox/demo-shop/app.ts';
import { findFreePorts } from '../../../sandbox/stack/ports.ts';
import { guardTemporalUi } from '../../../sandbox/stack/temporal-ui.ts';
import { makeTemporaryFolder, startTestSimulator } from '../../support/simulator-harness.ts';
import { listenLocally, portOf } from '../../support/local-server.ts';

const OWN = ['127.0.0.1', '127.0.0.1:80', 'localhost:4003', 'LOCALHOST', 'pay.localhost', '[::1]:4003'];
const OTHERS = [
  'evil.example',
  'localhost.evil.example',
  '127.0.0.1.evil.example:4001',
  '169.254.1.1',
  'null',
  'a@localhost',
];

async function statusFor(host: string, port: number, url: string): Promise<number | undefined> {
  const asked = request({ host: '127.0.0.1', port, path: url, headers: { host }, agent: false });
  asked.end();
  const [response] = await once(asked, 'response');
  response.resume();
  return response.statusCode;
}

describe('the Host header of a request to the sandbox', () => {
  it('must be this machine for a simulator, or its public address', async () => {
    const { folder, remove } = await makeTemporaryFolder();
    const simulator = await startTestSimulator({ dataFile: path.join(folder, 'journal.jsonl') });
    const port = Number(new URL(simulator.url).port);
    try {
      for (const host of OWN) assert.equal(await statusFor(host, port, '/ledger'), 200, host);
      for (const host of OTHERS) assert.equal(await statusFor(host, port, '/ledger'), 421, host);
    } finally {
      await simulator.close();
      await remove();
    }
  });

  it('must be this machine for the demo shop, or its public address', async () => {
    const unused = () => Promise.reject(new Error('not asked for'));
    const shop = {
      beginOrder: () => undefined,
      readPayment: unused,
      preparePayment: unused,
      cancelPayment: unused,
      isPaid: unused,
      isUnderWay: unused,
      readSavedCards: unused,
      removeSavedCard: unused,
      cardToRenew: unused,
      renew: unused,
      readReceipt: unused,
      readTimeline: unused,
      settle: unused,
      readSdk: unused,
    };
    const page = { render: () => ({ html: '', importMap: '' }), assets: '/' };
    const app = createDemoApp({ shop, page, apiUrl: 'http://127.0.0.1:1', hosts: ['shop.example'], isSecure: false });
    const server = createServer(app);
    await listenLocally(server);
    const port = portOf(server);
    try {
      for (const host of [...OWN, 'shop.example:4003']) assert.equal(await statusFor(host, port, '/'), 302, host);
      for (const host of OTHERS) assert.equal(await statusFor(host, port, '/'), 421, host);
    } finally {
      server.close();
    }
  });

  it('must be this machine for the Temporal UI, or its public address', async () => {
    const [temporalUi = 0] = await findFreePorts(1);
    const settings = { TEMPORAL_UI_URL: 'https://temporal.example' };
    const guard = await guardTemporalUi({ ports: { temporalUi }, settings });
    const ui = createServer((_request, response) => void response.end('workflows'));
    try {
      assert.equal(await statusFor('127.0.0.1', temporalUi, '/'), 502, 'before the UI runs');
      await once(ui.listen(guard.place), 'listening');
      for (const host of [...OWN, 'temporal.example']) assert.equal(await statusFor(host, temporalUi, '/'), 200, host);
      for (const host of OTHERS) assert.equal(await statusFor(host, temporalUi, '/'), 421, host);
    } finally {
      ui.close();
      await guard.close();
    }
    await assert.rejects(statusFor('127.0.0.1', temporalUi, '/'), { code: 'ECONNREFUSED' });
  });
});
