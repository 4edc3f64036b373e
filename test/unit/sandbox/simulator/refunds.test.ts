import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { z } from 'zod';
import { assertContains } from '../../../support/assert-contains.ts';
import { cardPayment, keptMinor, pay, postToSimulator, readLedger, refund } from '../../../support/simulator-client.ts';
import { useSimulator } from '../../../support/simulator-fixture.ts';
import type { ReceivedRequest } from '../../../support/simulator-harness.ts';

const APPROVED = '4242424242424242';
const REPLY_LOST = '4000000000007726';
const SILENT = '4000000000003063';

const eventSchema = z.object({ type: z.string(), data: z.object({ reference: z.string(), status: z.string() }) });

const deliveredEvents = (received: readonly ReceivedRequest[]) =>
  received
    .map(({ body }) => eventSchema.parse(JSON.parse(body.toString('utf8'))))
    .filter(({ type }) => type === 'refund.updated')
    .map(({ data }) => `${data.reference} ${data.status}`);

describe('refunds at the simulator', () => {
  const simulator = useSimulator({ holdMs: 50 });

  const payWith = (card: string, key = 'paid', changes = {}) =>
    pay(simulator.url, cardPayment(key, card, changes), key);
  const refundPaid = (reference: string, amount: number, paymentKey = 'paid') =>
    refund(simulator.url, reference, paymentKey, amount);
  const inquire = (idempotencyKey: string) =>
    postToSimulator(simulator.url, '/v1/refund-inquiries', { idempotencyKey });
  const settle = (refundReference: string, outcome: string) =>
    postToSimulator(simulator.url, '/simulate/settle', { refundReference, outcome });
  const kept = () => keptMinor(simulator.url, 'paid');

  it('are made once for one key, with a ledger entry and a webhook', async () => {
    await payWith(APPROVED);
    const first = await refundPaid('re_1', 1000);
    assert.equal(first.status, 201);
    assertContains(first.body, { reference: 're_1', status: 'succeeded', amount: 1000, currency: 'USD' });
    assert.deepEqual(await refundPaid('re_1', 1000), first);
    assert.deepEqual(await inquire('re_1'), { status: 200, body: { result: 'found', refund: first.body } });
    const { data } = await readLedger(simulator.url, { idempotencyKey: 'paid' });
    assertContains(data[0], {
      payment: { status: 'captured', amountCaptured: 1234, amountRefunded: 1000 },
      charges: { 1: { type: 'refund', amount: 1000, reference: 're_1' } },
      refunds: { 0: { idempotencyKey: 're_1', requests: 2, refund: { status: 'succeeded' } } },
    });
    assert.deepEqual(deliveredEvents(await simulator.receiver.waitFor(2)), ['re_1 succeeded']);
  });

  it('never exceed the captured amount, also when they are concurrent', async () => {
    await payWith(APPROVED);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => refundPaid(`re_${index}`, 370)));
    const statuses = answers.map(({ body }) => z.object({ status: z.string() }).parse(body).status);
    assert.equal(statuses.filter((status) => status === 'succeeded').length, 3);
    assertContains(answers.at(-1)?.body, { status: 'failed', failureReason: 'amount_exceeded' });
    assert.equal(await kept(), 1234 - 3 * 370);
  });

  it('fail for a payment that captured nothing', async () => {
    await payWith(APPROVED, 'paid', { capture: false });
    assertContains(await refundPaid('re_1', 1), {
      status: 201,
      body: { status: 'failed', failureReason: 'amount_exceeded' },
    });
  });

  it('are rejected for another request under the same key, another currency and an unknown payment', async () => {
    await payWith(APPROVED);
    await refundPaid('re_1', 100);
    assertContains(await refundPaid('re_1', 101), { status: 409, body: { error: { code: 'idempotency_conflict' } } });
    assert.equal((await refundPaid('re_2', 100, 'unknown')).status, 404);
    const body = { reference: 're_3', paymentKey: 'paid', amount: 1, currency: 'EUR' };
    assert.equal(
      (await postToSimulator(simulator.url, '/v1/refunds', body, { 'idempotency-key': 're_3' })).status,
      422,
    );
    assert.equal(await kept(), 1134);
  });

  it('succeed without a reply for the test card, and are found by an inquiry or a repeat', async () => {
    await payWith(REPLY_LOST);
    await assert.rejects(refundPaid('re_1', 100));
    assertContains(await refundPaid('re_1', 100), { body: { status: 'succeeded' } });
    assertContains(await inquire('re_1'), { body: { result: 'found', refund: { status: 'succeeded' } } });
    assert.equal(await kept(), 1134);
    assertContains(await refundPaid('re_2', 1200), { body: { status: 'failed', failureReason: 'amount_exceeded' } });
  });

  for (const [outcome, status, left] of [
    ['approved', 'succeeded', 234],
    ['declined', 'failed', 1234],
    ['failed', 'failed', 1234],
  ] as const) {
    it(`stay pending for the test card, also over a restart, until they are settled as ${outcome}`, async () => {
      await payWith(SILENT);
      assertContains(await refundPaid('re_1', 1000), { status: 201, body: { status: 'pending' } });
      assertContains(await refundPaid('re_2', 235), { body: { status: 'failed', failureReason: 'amount_exceeded' } });
      await simulator.close();
      await simulator.start();
      assertContains(await inquire('re_1'), { body: { result: 'found', refund: { status: 'pending' } } });
      assert.equal(await kept(), 1234);
      assertContains(await settle('re_1', outcome), { status: 200, body: { status } });
      assert.equal((await settle('re_1', outcome)).status, 409);
      assert.equal(await kept(), left);
      assertContains(await inquire('re_1'), { body: { refund: { status } } });
      assert.deepEqual(deliveredEvents(await simulator.receiver.waitFor(3)), ['re_2 failed', `re_1 ${status}`]);
    });
  }

  it('cannot be settled when they are unknown', async () => {
    assert.equal((await settle('re_1', 'approved')).status, 404);
  });

  it('are listed in pages', async () => {
    await payWith(APPROVED);
    for (const reference of ['re_1', 're_2', 're_3']) await refundPaid(reference, 10);
    const references = async (query: string) => {
      const response = await fetch(new URL(`/ledger/refunds?${query}`, simulator.url));
      const schema = z.object({ data: z.array(z.object({ idempotencyKey: z.string() })) });
      return schema.parse(await response.json()).data.map(({ idempotencyKey }) => idempotencyKey);
    };
    assert.deepEqual(await references('paymentKey=paid&limit=2'), ['re_3', 're_2']);
    assert.deepEqual(await references('reference=re_2'), ['re_2']);
    assert.deepEqual(await references('paymentKey=other'), []);
  });
});
