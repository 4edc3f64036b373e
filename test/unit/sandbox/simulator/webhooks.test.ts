import assert from 'node:assert/strict';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import type { RunningSimulator, SimulatorTuning } from '../../../../sandbox/simulator/server.ts';
import { retryDelayMs } from '../../../../sandbox/simulator/webhook-outbox.ts';
import { cardOf, newSignal, requestWith } from '../../../support/provider-contract.ts';
import { cardPayment, pay, postToSimulator, upiPayment } from '../../../support/simulator-client.ts';
import {
  adapterTo,
  makeTemporaryFolder,
  SIMULATOR_WEBHOOK_SECRET,
  startScriptedServer,
  startTestSimulator,
  type ReceivedRequest,
  type ScriptedServer,
} from '../../../support/simulator-harness.ts';

const CARD = '4242424242424242';
const eventSchema = z.object({
  id: z.string().startsWith('simevt_'),
  type: z.literal('payment.updated'),
  createdAt: z.iso.datetime(),
  data: z.looseObject({ reference: z.string(), status: z.string() }),
});

/** Throws unless the signature is valid. */
function verify({ body, headers }: ReceivedRequest) {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const signed = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
  const event = eventSchema.parse(new Webhook(SIMULATOR_WEBHOOK_SECRET).verify(body, signed));
  assert.equal(headers['webhook-id'], event.id);
  return event;
}

const deliveredEvents = (received: readonly ReceivedRequest[]) =>
  received.map(verify).map(({ data }) => `${data.reference} ${data.status}`);

describe('webhooks of the simulator', () => {
  let temporary: Awaited<ReturnType<typeof makeTemporaryFolder>>;
  let simulator: RunningSimulator;
  let receiver: ScriptedServer;
  let dataFile: string;
  let rejections: number;

  const start = async (tuning: Partial<SimulatorTuning> = {}) => {
    simulator = await startTestSimulator({ dataFile, webhookUrl: `${receiver.url}/hook`, tuning });
  };
  beforeEach(async () => {
    temporary = await makeTemporaryFolder();
    dataFile = path.join(temporary.folder, 'journal.jsonl');
    rejections = 0;
    receiver = await startScriptedServer((_request, index) => ({ status: index < rejections ? 500 : 204 }));
    await start();
  });
  afterEach(async () => {
    await simulator.close();
    await receiver.close();
    await temporary.remove();
  });

  it('report approvals and declines, signed', async () => {
    await pay(simulator.url, cardPayment('approved', CARD), 'approved');
    assert.deepEqual(deliveredEvents(await receiver.waitFor(1)), ['approved captured']);
    await pay(simulator.url, cardPayment('declined', '4000000000000002'), 'declined');
    assert.deepEqual(deliveredEvents(await receiver.waitFor(2)), ['approved captured', 'declined declined']);
  });

  it('are sent again, with the same id and body, until they are accepted', async () => {
    rejections = 3;
    await pay(simulator.url, cardPayment('retried', CARD), 'retried');
    const received = await receiver.waitFor(4);
    assert.equal(new Set(received.map(({ body }) => body.toString())).size, 1);
    assert.equal(new Set(received.map((request) => verify(request).id)).size, 1);
  });

  it('survive a restart', async () => {
    rejections = Number.POSITIVE_INFINITY;
    await pay(simulator.url, cardPayment('kept', CARD), 'kept');
    await receiver.waitFor(1);
    await simulator.close();
    const before = receiver.received.length;
    rejections = 0;
    await start();
    const received = await receiver.waitFor(before + 1);
    assert.deepEqual(deliveredEvents(received.slice(before)), ['kept captured']);
  });

  it('are not sent again once accepted, not even after a restart', async () => {
    await pay(simulator.url, cardPayment('once', CARD), 'once');
    await receiver.waitFor(1);
    await simulator.close();
    await start();
    await pay(simulator.url, cardPayment('next', CARD), 'next');
    assert.deepEqual(deliveredEvents(await receiver.waitFor(2)), ['once captured', 'next captured']);
  });

  it('report that a customer approved in the app', async () => {
    await pay(simulator.url, upiPayment('upi', 'success@upi'), 'upi');
    assert.deepEqual(deliveredEvents(await receiver.waitFor(1)), ['upi captured']);
  });

  it('report a pending payment only once it is settled', async () => {
    await pay(simulator.url, cardPayment('silent', '4000000000000259'), 'silent');
    await pay(simulator.url, cardPayment('other', CARD), 'other');
    assert.deepEqual(deliveredEvents(await receiver.waitFor(1)), ['other captured']);
    await postToSimulator(simulator.url, '/simulate/settle', { reference: 'silent', outcome: 'approved' });
    assert.deepEqual(deliveredEvents(await receiver.waitFor(2)), ['other captured', 'silent captured']);
  });

  it('are not sent for the payment whose reply is lost', async () => {
    const lost = requestWith(cardOf('4000000000000341'));
    await assert.rejects(adapterTo(simulator.url, 100).authorize(lost, newSignal()), { code: 'TSP_TIMEOUT' });
    await pay(simulator.url, cardPayment('after', CARD), 'after');
    assert.deepEqual(deliveredEvents(await receiver.waitFor(1)), ['after captured']);
  });

  it('report that a payment was voided', async () => {
    await pay(simulator.url, cardPayment('voided', '4000000000000259'), 'voided');
    await postToSimulator(simulator.url, '/v1/closures', { idempotencyKey: 'voided' });
    assert.deepEqual(deliveredEvents(await receiver.waitFor(1)), ['voided voided']);
  });

  const setFaults = (faults: object) =>
    fetch(new URL('/simulate/faults', simulator.url), {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(faults),
    });

  it('can be dropped by a fault', async () => {
    await setFaults({ webhookDropRate: 1 });
    await pay(simulator.url, cardPayment('dropped', CARD), 'dropped');
    await setFaults({});
    await pay(simulator.url, cardPayment('sent', CARD), 'sent');
    assert.deepEqual(deliveredEvents(await receiver.waitFor(1)), ['sent captured']);
  });

  it('can be sent twice by a fault', async () => {
    await setFaults({ webhookDuplicateRate: 1 });
    await pay(simulator.url, cardPayment('doubled', CARD), 'doubled');
    const received = await receiver.waitFor(2);
    assert.deepEqual(deliveredEvents(received), ['doubled captured', 'doubled captured']);
    assert.equal(new Set(received.map((request) => verify(request).id)).size, 1);
  });

  it('can be delayed by a fault until later ones have overtaken them', async () => {
    await simulator.close();
    await start({ webhookHoldBackMs: 2_000 });
    await setFaults({ webhookReorderRate: 1 });
    await pay(simulator.url, cardPayment('earlier', CARD), 'earlier');
    await setFaults({});
    await pay(simulator.url, cardPayment('later', CARD), 'later');
    assert.deepEqual(deliveredEvents(await receiver.waitFor(2)), ['later captured', 'earlier captured']);
  });

  it('wait twice as long after each rejection, up to the maximum', () => {
    const timings = { webhookRetryMs: 1_000, maximumWebhookRetryMs: 60_000 };
    const delays = [1, 2, 3, 6, 7, 500].map((tries) => retryDelayMs(tries, timings));
    assert.deepEqual(delays, [1_000, 2_000, 4_000, 32_000, 60_000, 60_000]);
  });
});
