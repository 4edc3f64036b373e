import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { updatePayment } from '../../../activities/update-payment.ts';
import { newId } from '../../../domain/new-id.ts';
import { PAYMENT_UPDATE_GONE, type PaymentRecord, RUN_OUT_OF_DATE } from '../../../domain/payment-step.ts';
import type { PaymentStore } from '../../../prisma/stores/payment-store.ts';
import { useAccount } from '../../support/account-fixture.ts';
import { AT, note, opening, record, recordsOf, RUN } from '../../support/payment-steps.ts';

describe('an update of a payment', function () {
  this.timeout(60_000);
  const test = useAccount();

  const storeUpdate = async (paymentIntentId: string, changes: object): Promise<string> => {
    const id = newId('paymentUpdate');
    await test.database.paymentIntentUpdate.create({ data: { id, paymentIntentId, changes: { ...changes } } });
    return id;
  };
  const update = (
    paymentIntentId: string,
    paymentUpdateId: string,
    runId = RUN,
    from = test.store,
  ): Promise<PaymentRecord> =>
    updatePayment(
      from,
      { paymentIntentId, knownVersion: 0, paymentUpdateId, at: AT },
      { runId, stepId: `${runId}:${paymentUpdateId}` },
    );
  const rowsOf = (id: string) => recordsOf(test.database, id);

  it('changes what is named, clears what is null, and answers the same when it is repeated', async () => {
    const id = await test.insertIntent({ description: 'old', country: 'DE' });
    const paymentUpdateId = await storeUpdate(id, {
      amountMinor: 2_500,
      country: null,
      reference: 'ORDER-7',
      metadata: { order: '7' },
    });
    const updated = await update(id, paymentUpdateId);
    const expected = {
      amountMinor: 2_500,
      currency: 'USD',
      country: null,
      captureMethod: 'automatic',
      reference: 'ORDER-7',
    };
    assert.deepEqual([updated.terms, updated.version], [expected, 1]);
    assert.deepEqual(await update(id, paymentUpdateId), updated);
    const { intent, timeline } = await rowsOf(id);
    assert.deepEqual([intent.version, intent.description, intent.metadata], [1, 'old', { order: '7' }]);
    assert.deepEqual(
      timeline.map(({ summary }) => summary),
      ['Updated: amountMinor, country, metadata, reference'],
    );
    assert.equal(await test.database.paymentIntentUpdate.count({ where: { id: paymentUpdateId } }), 0);
  });

  it('is recognised by another run, which has taken the payment over', async () => {
    const id = await test.insertIntent();
    const paymentUpdateId = await storeUpdate(id, { amountMinor: 2_500 });
    await update(id, paymentUpdateId);
    await test.database.paymentIntent.update({ where: { id }, data: { workflowRunId: 'run_2' } });
    assert.equal((await update(id, paymentUpdateId, 'run_2')).version, 1);
    await assert.rejects(update(id, paymentUpdateId), { type: RUN_OUT_OF_DATE });
  });

  it('is applied once where its commit was never acknowledged', async () => {
    const id = await test.insertIntent();
    const paymentUpdateId = await storeUpdate(id, { amountMinor: 2_500 });
    const unacknowledged: PaymentStore = {
      ...test.store,
      async applyUpdate(write) {
        await test.store.applyUpdate(write);
        throw new Error('Connection terminated unexpectedly');
      },
    };
    await assert.rejects(update(id, paymentUpdateId, RUN, unacknowledged), /Connection terminated/);
    const { version, terms } = await update(id, paymentUpdateId);
    assert.deepEqual([version, terms.amountMinor], [1, 2_500]);
  });

  it('is applied over what others have written meanwhile', async () => {
    const id = await test.insertIntent();
    const paymentUpdateId = await storeUpdate(id, { amountMinor: 2_500 });
    let reads = 0;
    const overtaken: PaymentStore = {
      ...test.store,
      async read(question) {
        const stored = await test.store.read(question);
        reads += 1;
        if (reads === 1) await record(test.database, id, note('the other'));
        return stored;
      },
    };
    const { version, terms } = await update(id, paymentUpdateId, RUN, overtaken);
    assert.deepEqual([version, terms.amountMinor], [2, 2_500]);
  });

  it('fails for good, with the payment as it was, where it was purged', async () => {
    const id = await test.insertIntent();
    await assert.rejects(update(id, newId('paymentUpdate')), { type: PAYMENT_UPDATE_GONE, nonRetryable: true });
    assert.equal((await rowsOf(id)).intent.version, 0);
  });

  it('waits where the payment is under way', async () => {
    const id = await test.insertIntent();
    const paymentUpdateId = await storeUpdate(id, { amountMinor: 2_500 });
    await record(test.database, id, opening(id));
    await assert.rejects(update(id, paymentUpdateId), { type: RUN_OUT_OF_DATE, nonRetryable: true });
    assert.equal(await test.database.paymentIntentUpdate.count({ where: { id: paymentUpdateId } }), 1);
  });

  it('is refused for another payment', async () => {
    const id = await test.insertIntent();
    const paymentUpdateId = await storeUpdate(await test.insertIntent(), { amountMinor: 1 });
    await assert.rejects(update(id, paymentUpdateId), { type: PAYMENT_UPDATE_GONE });
    assert.equal((await rowsOf(id)).intent.amountMinor, 1_000n);
  });
});
