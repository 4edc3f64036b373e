import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, describe, it } from 'mocha';
import { MINUTE_MS } from '../../domain/time.ts';
import { assertContains } from '../support/assert-contains.ts';
import { assertRefused, intentInFailure, intentOf } from '../support/envelopes.ts';
import { chargesOf, setFaults } from '../support/ledger.ts';
import { listTransactions } from '../support/money.ts';
import { createPayment, INTENTS, type Payment } from '../support/payments.ts';
import { card } from '../support/sandbox-inputs.ts';
import { type Answer, request } from '../support/signed-request.ts';

describe('captures', function () {
  this.timeout(2 * MINUTE_MS);

  afterEach(() => setFaults('alpha', {}));

  async function hold(): Promise<Payment> {
    const payment = await createPayment({ amount: 2_000, captureMethod: 'manual' });
    await payment.confirm(card('approved'));
    await payment.reach('requires_capture');
    return payment;
  }

  const capture = (
    { id }: Payment,
    body: object = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> => request({ method: 'POST', path: `${INTENTS}/${id}/capture`, body, headers });

  it('take all that is held', async () => {
    const payment = await hold();
    const intent = intentOf(await capture(payment));
    assertContains(intent, { status: 'succeeded', amountCaptured: 2_000, amountCapturable: 0 });
    assert.ok((await chargesOf(payment.id)).includes('alpha capture 2000'));
    const types = (await listTransactions(`paymentIntentId=${payment.id}`)).map(({ type }) => type);
    assert.deepEqual(types, ['capture', 'authorization']);
  });

  it('take a part, once', async () => {
    const payment = await hold();
    assertContains(intentOf(await capture(payment, { amount: 700 })), {
      status: 'succeeded',
      amountCaptured: 700,
      amountCapturable: 0,
    });
    assertRefused(await capture(payment, { amount: 100 }), 409, 'STATE_CONFLICT');
    const booked = (await chargesOf(payment.id)).filter((line) => line.includes(' capture '));
    assert.deepEqual(booked, ['alpha capture 700']);
  });

  it('take no more than is held', async () => {
    const payment = await hold();
    const { details } = assertRefused(await capture(payment, { amount: 2_001 }), 422, 'INVALID_AMOUNT');
    assertContains(details, { fields: [{ field: 'amount', code: 'max' }] });
    assert.equal((await payment.read()).status, 'requires_capture');
  });

  it('take nothing of what is not held, or no longer', async () => {
    const open = await createPayment();
    assertRefused(await capture(open), 409, 'STATE_CONFLICT');
    const payment = await hold();
    assert.equal(intentOf(await payment.cancel()).status, 'canceled');
    assertRefused(await capture(payment), 409, 'STATE_CONFLICT');
    assert.ok(!(await chargesOf(payment.id)).some((line) => line.includes(' capture ')));
  });

  it('happen once when two race', async () => {
    const payment = await hold();
    const answers = await Promise.all([capture(payment), capture(payment)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    const booked = (await chargesOf(payment.id)).filter((line) => line.includes(' capture '));
    assert.deepEqual(booked, ['alpha capture 2000']);
  });

  for (const [code, faults] of [
    ['TSP_UNAVAILABLE', { errorRate: 1, errorStatus: 503 }],
    ['TSP_TIMEOUT', { dropReplyRate: 0, latencyMs: 3_000 }],
    ['TSP_ERROR', { errorRate: 1, errorStatus: 500 }],
  ] as const) {
    it(`answer an outage with ${code}, and can be repeated with the same key`, async () => {
      const payment = await hold();
      const headers = { 'X-Idempotency-Key': randomUUID() };
      await setFaults('alpha', { ...faults, operations: ['captures'] });
      const answer = await capture(payment, {}, headers);
      assertRefused(answer, 502, code);
      assertContains(intentInFailure(answer), { status: 'requires_capture', amountCapturable: 2_000 });
      await setFaults('alpha', {});
      assert.equal(intentOf(await capture(payment, {}, headers)).status, 'succeeded');
    });
  }
});
