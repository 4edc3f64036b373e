import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, describe, it } from 'mocha';
import { MINUTE_MS } from '../../domain/time.ts';
import { assertContains } from '../support/assert-contains.ts';
import { assertRefused, intentInFailure, intentOf } from '../support/envelopes.ts';
import { eventually } from '../support/eventually.ts';
import { chargesOf, setFaults } from '../support/ledger.ts';
import { listTransactions } from '../support/money.ts';
import { createPayment, INTENTS, type Payment } from '../support/payments.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
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

  const capturesOf = async ({ id }: Payment): Promise<readonly string[]> =>
    (await chargesOf(id)).filter((line) => line.includes(' capture '));

  const capture = (
    { id }: Payment,
    body: object = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> => request({ method: 'POST', path: `${INTENTS}/${id}/capture`, body, headers });

  it('capture the whole authorized amount', async () => {
    const payment = await hold();
    const intent = intentOf(await capture(payment));
    assertContains(intent, { status: 'succeeded', amountCaptured: 2_000, amountCapturable: 0 });
    assert.ok((await chargesOf(payment.id)).includes('alpha capture 2000'));
    const types = (await listTransactions(`paymentIntentId=${payment.id}`)).map(({ type }) => type);
    assert.deepEqual(types, ['capture', 'authorization']);
  });

  it('capture a part, once', async () => {
    const payment = await hold();
    assertContains(intentOf(await capture(payment, { amount: 700 })), {
      status: 'succeeded',
      amountCaptured: 700,
      amountCapturable: 0,
    });
    assertRefused(await capture(payment, { amount: 100 }), 409, 'STATE_CONFLICT');
    assert.deepEqual(await capturesOf(payment), ['alpha capture 700']);
  });

  it('are rejected above the authorized amount', async () => {
    const payment = await hold();
    const { details } = assertRefused(await capture(payment, { amount: 2_001 }), 422, 'INVALID_AMOUNT');
    assertContains(details, { fields: [{ field: 'amount', code: 'max' }] });
    assert.equal((await payment.read()).status, 'requires_capture');
  });

  it('are rejected without a hold', async () => {
    const open = await createPayment();
    assertRefused(await capture(open), 409, 'STATE_CONFLICT');
    const payment = await hold();
    assert.equal(intentOf(await payment.cancel()).status, 'canceled');
    assertRefused(await capture(payment), 409, 'STATE_CONFLICT');
    assert.deepEqual(await capturesOf(payment), []);
  });

  it('succeed once of twenty concurrent ones', async () => {
    const payment = await hold();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => capture(payment, { amount: 100 + index })),
    );
    const taken = answers.filter(({ status }) => status === 200).map((answer) => intentOf(answer).amountCaptured);
    for (const refused of answers.filter(({ status }) => status !== 200)) assertRefused(refused, 409, 'STATE_CONFLICT');
    assert.equal(taken.length, 1);
    assert.deepEqual(await capturesOf(payment), [`alpha capture ${taken[0]}`]);
    assertContains(await payment.read(), { status: 'succeeded', amountCaptured: taken[0], amountCapturable: 0 });
    const recorded = await listTransactions(`paymentIntentId=${payment.id}&type=capture`);
    assert.deepEqual(
      recorded.map(({ amount }) => amount),
      taken,
    );
  });

  it('and concurrent cancels have one outcome, which matches the ledger', async () => {
    const payments = await Promise.all(Array.from({ length: 10 }, hold));
    await Promise.all(
      payments.map(async (payment, index) => {
        const first = index % 2 === 0 ? capture(payment) : payment.cancel();
        const second = index % 2 === 0 ? payment.cancel() : capture(payment);
        const answers = await Promise.all([first, second]);
        const [won, ...others] = answers.filter(({ status }) => status === 200);
        assert.ok(won);
        assert.equal(others.length, 0);
        for (const lost of answers.filter((answer) => answer !== won)) assertRefused(lost, 409, 'STATE_CONFLICT');
        const intent = await payment.read();
        assert.deepEqual(intent, intentOf(won));
        const isTaken = intent.status === 'succeeded';
        assert.equal(intent.status, isTaken ? 'succeeded' : 'canceled');
        const end = isTaken ? 'capture' : 'void';
        assert.deepEqual(await chargesOf(payment.id), ['alpha authorization 2000', `alpha ${end} 2000`]);
        const types = (await listTransactions(`paymentIntentId=${payment.id}`)).map(({ type }) => type);
        assert.deepEqual(types, [end, 'authorization']);
      }),
    );
  });

  it('answer a provider outage with its code, and can be repeated with the same key', async () => {
    const payment = await hold();
    const headers = { 'X-Idempotency-Key': randomUUID() };
    await setFaults('alpha', { errorRate: 1, errorStatus: 503, operations: ['captures'] });
    const answer = await capture(payment, {}, headers);
    assertRefused(answer, 502, 'TSP_UNAVAILABLE');
    assertContains(intentInFailure(answer), { status: 'requires_capture', amountCapturable: 2_000 });
    await setFaults('alpha', {});
    // The pause before the workflow's next try may be longer than the request waits.
    const repeated = await eventually(async () => intentOf(await capture(payment, {}, headers)));
    assert.equal(repeated.status, 'succeeded');
  });

  it('that take longer than the request waits are reported by a later read', async () => {
    const payment = await hold();
    await setFaults('alpha', { latencyMs: 2_500, operations: ['captures'] });
    assertContains(intentOf(await capture(payment, { amount: 700 })), { status: 'succeeded', amountCaptured: 700 });
    assert.deepEqual(await capturesOf(payment), ['alpha capture 700']);
  });
});
