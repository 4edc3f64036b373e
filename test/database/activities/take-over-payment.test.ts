import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TakeOverResult } from '../../../protocol/payment-activities.ts';
import { takeOverPayment } from '../../../activities/take-over-payment.ts';
import { newId } from '../../../domain/new-id.ts';
import { DATABASE_BEHIND_HISTORY, RUN_OUT_OF_DATE } from '../../../domain/payment-step.ts';
import { createPaymentStore } from '../../../prisma/stores/payment-store.ts';
import { inActivity } from '../../support/activity-context.ts';
import { useAccount } from '../../support/account-fixture.ts';
import { approval, opening, operationIdOf, record, recordPaid, recordsOf, RUN } from '../../support/payment-steps.ts';

describe('takeOverPayment', function () {
  this.timeout(60_000);
  const test = useAccount();

  const rowsOf = (id: string) => recordsOf(test.database, id);
  const lastLineOf = async (id: string): Promise<string | undefined> => (await rowsOf(id)).timeline.at(-1)?.summary;

  interface TakeOver {
    readonly runId?: string;
    readonly endedAs?: string | null;
    readonly knownVersion?: number;
    readonly operationIds?: readonly string[];
  }
  const takeOver = (id: string, options: TakeOver = {}): Promise<TakeOverResult> => {
    const { runId = 'run_2', endedAs = 'terminated', knownVersion = 0, operationIds = [] } = options;
    const request = { paymentIntentId: id, knownVersion, endedAs, operationIds };
    return inActivity(() =>
      takeOverPayment(createPaymentStore(test.database), request, { runId, stepId: `${runId}:1:takeover` }),
    );
  };

  it('is the other run’s from then on, with what was asked of it', async () => {
    const id = await test.insertIntent();
    await record(test.database, id, opening(id));
    const { payment, operations } = await takeOver(id);
    assert.deepEqual([payment.version, payment.columns.status, payment.attempts.length], [2, 'processing', 1]);
    assert.deepEqual(operations, [
      { id: operationIdOf(id), kind: 'confirm', request: { method: 'card' }, result: null },
    ]);
    assert.equal((await rowsOf(id)).intent.workflowRunId, 'run_2');
    assert.equal(
      await lastLineOf(id),
      'The workflow had ended (terminated) in processing; another run goes on and asks alpha first what became of attempt 1',
    );
    await assert.rejects(record(test.database, id, approval(id)), { type: RUN_OUT_OF_DATE });
    await record(test.database, id, approval(id), { runId: 'run_2' });
  });

  it('is only read by the run that has it', async () => {
    const id = await test.insertIntent();
    await record(test.database, id, opening(id));
    const first = await takeOver(id);
    const before = await rowsOf(id);
    assert.deepEqual(await takeOver(id), first);
    assert.deepEqual(await rowsOf(id), before);
    assert.equal((await takeOver(id, { endedAs: null })).payment.version, 2);
  });

  it('is read with the operations that wait for an answer in that run', async () => {
    const id = await test.insertIntent();
    await recordPaid(test.database, id);
    assert.deepEqual((await takeOver(id)).operations, []);
    const { operations } = await takeOver(id, { operationIds: [operationIdOf(id)] });
    assert.deepEqual(
      operations.map(({ result }) => result),
      [{ status: 'succeeded', error: null }],
    );
  });

  for (const [what, runId, words] of [
    ['no run had it', null, 'lost'],
    ['another run had it', RUN, 'reset'],
  ] as const) {
    it(`is told to be ${words} where ${what}, and nobody knows how that ended`, async () => {
      const id = await test.insertIntent();
      await test.database.paymentIntent.update({ where: { id }, data: { workflowRunId: runId } });
      await takeOver(id, { endedAs: null });
      const line = `The workflow had ended (${words}) in requires_payment_method; another run goes on`;
      assert.equal(await lastLineOf(id), line);
    });
  }

  it('goes to one of two runs at the same time, then to the other', async () => {
    const id = await test.insertIntent();
    const results = await Promise.allSettled([takeOver(id, { runId: 'run_2' }), takeOver(id, { runId: 'run_3' })]);
    assert.ok(results.some(({ status }) => status === 'fulfilled'));
    const { intent, timeline } = await rowsOf(id);
    assert.equal(intent.version, results.filter(({ status }) => status === 'fulfilled').length);
    assert.equal(timeline.length, intent.version);
  });

  it('is not taken over where the database is older than the history', async () => {
    const id = await test.insertIntent();
    const behind = { type: DATABASE_BEHIND_HISTORY, nonRetryable: true };
    await assert.rejects(takeOver(id, { knownVersion: 1 }), behind);
    await assert.rejects(takeOver(newId('paymentIntent')), behind);
    assert.equal((await rowsOf(id)).intent.workflowRunId, null);
  });
});
