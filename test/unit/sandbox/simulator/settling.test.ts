import assert from 'node:assert/strict';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { RunningSimulator } from '../../../../sandbox/simulator/server.ts';
import { assertContains } from '../../../support/assert-contains.ts';
import { cardPayment, pay, postToSimulator, readLedger, upiPayment } from '../../../support/simulator-client.ts';
import { makeTemporaryFolder, startTestSimulator } from '../../../support/simulator-harness.ts';

const SILENT_CARD = '4000000000000259';

describe('settling payments at the simulator', () => {
  let temporary: Awaited<ReturnType<typeof makeTemporaryFolder>>;
  let simulator: RunningSimulator;
  const start = async (approvalDelayMs: number) => {
    const dataFile = path.join(temporary.folder, 'journal.jsonl');
    simulator = await startTestSimulator({ dataFile, tuning: { approvalDelayMs } });
  };
  const settle = (body: object) => postToSimulator(simulator.url, '/simulate/settle', body);
  const statusOf = async (key: string) =>
    (await readLedger(simulator.url, { idempotencyKey: key })).data[0]?.payment?.status;
  beforeEach(async () => {
    temporary = await makeTemporaryFolder();
    await start(60_000);
  });
  afterEach(async () => {
    await simulator.close();
    await temporary.remove();
  });

  const settlements = [
    { outcome: 'approved', payment: { status: 'captured', amountCaptured: 1234 } },
    { outcome: 'declined', payment: { status: 'declined', declineCode: 'card_declined', amountCaptured: 0 } },
    { outcome: 'failed', payment: { status: 'failed', failureReason: 'processing_failed', amountCaptured: 0 } },
  ];
  for (const { outcome, payment } of settlements) {
    it(`makes a silent payment ${payment.status}`, async () => {
      await pay(simulator.url, cardPayment('silent', SILENT_CARD), 'silent');
      const { status, body } = await settle({ paymentIntentId: 'pi_of_silent', outcome });
      assert.equal(status, 200);
      assertContains(body, payment);
      assert.equal(await statusOf('silent'), payment.status);
    });
  }

  it('holds the money of a payment without capture', async () => {
    await pay(simulator.url, cardPayment('held', SILENT_CARD, { capture: false }), 'held');
    const { body } = await settle({ reference: 'held', outcome: 'approved' });
    assertContains(body, { status: 'authorized', amountCaptured: 0 });
  });

  it('settles what waits in the app, and shows no action afterwards', async () => {
    await pay(simulator.url, upiPayment('waiting', 'pending@upi'), 'waiting');
    const { body } = await settle({ reference: 'waiting', outcome: 'declined' });
    assertContains(body, { status: 'declined', declineCode: 'do_not_honor' });
    assert.ok(typeof body === 'object' && body !== null && !('action' in body));
  });

  it('answers 404 for what it does not know, 409 for what does not wait, 400 for nonsense', async () => {
    assert.equal((await settle({ reference: 'unknown', outcome: 'approved' })).status, 404);
    await pay(simulator.url, cardPayment('done', '4242424242424242'), 'done');
    assert.equal((await settle({ reference: 'done', outcome: 'declined' })).status, 409);
    assert.equal(await statusOf('done'), 'captured');
    assert.equal((await settle({ outcome: 'approved' })).status, 400);
    assert.equal((await settle({ reference: 'done', outcome: 'perhaps' })).status, 400);
  });

  it('never settles a payment that was called off', async () => {
    await pay(simulator.url, cardPayment('off', SILENT_CARD), 'off');
    await postToSimulator(simulator.url, '/v1/closures', { idempotencyKey: 'off' });
    assert.equal((await settle({ reference: 'off', outcome: 'approved' })).status, 409);
    assert.equal(await statusOf('off'), 'voided');
  });

  it('takes up the wait for the app after a restart', async () => {
    await pay(simulator.url, upiPayment('late', 'success@upi'), 'late');
    await simulator.close();
    await start(0);
    assert.equal(await statusOf('late'), 'requires_action');
    assert.equal((await settle({ reference: 'late', outcome: 'approved' })).status, 200);
    assert.equal(await statusOf('late'), 'captured');
  });
});
