import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { assertContains } from '../../../support/assert-contains.ts';
import { cardPayment, pay, postToSimulator, readLedger, upiPayment } from '../../../support/simulator-client.ts';
import { useSimulator } from '../../../support/simulator-fixture.ts';

const SILENT_CARD = '4000000000000259';

describe('settlement instructions of the simulator', () => {
  const simulator = useSimulator({ approvalDelayMs: 60_000 });
  const settle = (body: object) => postToSimulator(simulator.url, '/simulate/settle', body);
  const statusOf = async (key: string) =>
    (await readLedger(simulator.url, { idempotencyKey: key })).data[0]?.payment?.status;

  const settlements = [
    { outcome: 'approved', payment: { status: 'captured', amountCaptured: 1234 } },
    { outcome: 'declined', payment: { status: 'declined', declineCode: 'card_declined', amountCaptured: 0 } },
    { outcome: 'failed', payment: { status: 'failed', failureReason: 'processing_failed', amountCaptured: 0 } },
  ];
  for (const { outcome, payment } of settlements) {
    it(`make a silent payment ${payment.status}`, async () => {
      await pay(simulator.url, cardPayment('silent', SILENT_CARD), 'silent');
      const { status, body } = await settle({ paymentIntentId: 'pi_of_silent', outcome });
      assert.equal(status, 200);
      assertContains(body, payment);
      assert.equal(await statusOf('silent'), payment.status);
    });
  }

  it('authorize a payment without automatic capture', async () => {
    await pay(simulator.url, cardPayment('held', SILENT_CARD, { capture: false }), 'held');
    const { body } = await settle({ reference: 'held', outcome: 'approved' });
    assertContains(body, { status: 'authorized', amountCaptured: 0 });
  });

  it('settle a payment that waits for the app, and remove its action', async () => {
    await pay(simulator.url, upiPayment('waiting', 'pending@upi'), 'waiting');
    const { body } = await settle({ reference: 'waiting', outcome: 'declined' });
    assertContains(body, { status: 'declined', declineCode: 'do_not_honor' });
    assert.ok(typeof body === 'object' && body !== null && !('action' in body));
  });

  it('answer 404 for unknown, 409 for settled and 400 for invalid requests', async () => {
    assert.equal((await settle({ reference: 'unknown', outcome: 'approved' })).status, 404);
    await pay(simulator.url, cardPayment('done', '4242424242424242'), 'done');
    assert.equal((await settle({ reference: 'done', outcome: 'declined' })).status, 409);
    assert.equal(await statusOf('done'), 'captured');
    assert.equal((await settle({ outcome: 'approved' })).status, 400);
    assert.equal((await settle({ reference: 'done', outcome: 'perhaps' })).status, 400);
  });

  it('never settle a voided payment', async () => {
    await pay(simulator.url, cardPayment('off', SILENT_CARD), 'off');
    await postToSimulator(simulator.url, '/v1/closures', { idempotencyKey: 'off' });
    assert.equal((await settle({ reference: 'off', outcome: 'approved' })).status, 409);
    assert.equal(await statusOf('off'), 'voided');
  });

  it('settle a payment that waits for the app after a restart', async () => {
    await pay(simulator.url, upiPayment('late', 'success@upi'), 'late');
    await simulator.close();
    await simulator.start({ approvalDelayMs: 0 });
    assert.equal(await statusOf('late'), 'requires_action');
    assert.equal((await settle({ reference: 'late', outcome: 'approved' })).status, 200);
    assert.equal(await statusOf('late'), 'captured');
  });
});
