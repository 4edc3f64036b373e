import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readRefundEnd } from '../../../activities/read-refund-end.ts';
import { recordRefund, recordRefundFailure } from '../../../activities/record-refund.ts';
import { transactionIdOfRefund } from '../../../domain/ids.ts';
import type { RefundResolution } from '../../../domain/refund.ts';
import { useAccount } from '../../support/account-fixture.ts';
import { insertRefund } from '../../support/payment-rows.ts';

const AT = '2026-01-01T00:00:00.000Z';

describe('recordRefund', function () {
  this.timeout(60_000);
  const test = useAccount();

  /** Inserts a captured intent of 10.00 with pending refunds of 3.00. */
  async function underWay(count: number): Promise<{ intent: string; refunds: string[] }> {
    const intent = await test.insertIntent({
      status: 'succeeded',
      amountCapturedMinor: 1_000n,
      amountRefundingMinor: 300n * BigInt(count),
    });
    const refunds = await Promise.all(Array.from({ length: count }, () => insertRefund(test.database, intent)));
    return { intent, refunds };
  }

  const success = (refundId: string): RefundResolution => ({
    refundId,
    at: AT,
    status: 'succeeded',
    providerRefundId: 'simre_1',
    failure: null,
    tries: 2,
  });
  const failure = (refundId: string): RefundResolution => ({
    ...success(refundId),
    status: 'failed',
    providerRefundId: null,
    failure: { code: 'REFUND_FAILED', message: 'no', details: { provider: 'alpha' } },
  });

  const moneyOf = async (id: string): Promise<bigint[]> => {
    const intent = await test.database.paymentIntent.findUniqueOrThrow({ where: { id } });
    return [intent.amountCapturedMinor, intent.amountRefundedMinor, intent.amountRefundingMinor];
  };
  const eventsOf = (paymentIntentId: string) =>
    test.database.event.findMany({ where: { paymentIntentId }, orderBy: { insertion: 'asc' } });

  it('writes the end once, however many calls run at once', async () => {
    const { intent, refunds } = await underWay(1);
    const [refundId = ''] = refunds;
    await Promise.all(Array.from({ length: 10 }, () => recordRefund(test.database, success(refundId))));
    await recordRefund(test.database, failure(refundId));
    assert.deepEqual(await moneyOf(intent), [1_000n, 300n, 0n]);
    const row = await test.database.refund.findUniqueOrThrow({ where: { id: refundId } });
    assert.deepEqual([row.status, row.providerRefundId, row.tries], ['succeeded', 'simre_1', 2]);
    const transactions = await test.database.transaction.findMany({ where: { paymentIntentId: intent } });
    assert.deepEqual(
      transactions.map((transaction) => [
        transaction.id,
        transaction.type,
        transaction.amountMinor,
        transaction.refundId,
      ]),
      [[transactionIdOfRefund(refundId), 'refund', 300n, refundId]],
    );
    const events = await eventsOf(intent);
    assert.deepEqual(
      events.map(({ type, resourceId }) => [type, resourceId]),
      [
        ['transaction.created', transactionIdOfRefund(refundId)],
        ['refund.succeeded', refundId],
        ['payment_intent.refunded', intent],
      ],
    );
    assert.match(JSON.stringify(events[0]?.snapshot), /"type": ?"refund"/);
    const { snapshot: ofPayment } = events[2] ?? {};
    assert.match(JSON.stringify(ofPayment), /"amount_refunded_minor": ?300[,}]/);
    for (const { snapshot } of events) assert.ok(!JSON.stringify(snapshot).includes('next_due_at'));
  });

  it('makes the refund due soon, although the sweeper had ended its checks', async () => {
    const { refunds } = await underWay(1);
    const id = refunds[0] ?? '';
    await test.database.refund.update({ where: { id }, data: { nextDueAt: null } });
    await recordRefund(test.database, success(id));
    const { nextDueAt } = await test.database.refund.findUniqueOrThrow({ where: { id } });
    assert.equal(nextDueAt?.toISOString(), '2026-01-01T00:00:20.000Z');
  });

  it('releases the reserved amount if the refund failed', async () => {
    const { intent, refunds } = await underWay(1);
    await recordRefund(test.database, failure(refunds[0] ?? ''));
    assert.deepEqual(await moneyOf(intent), [1_000n, 0n, 0n]);
    assert.equal(await test.database.transaction.count({ where: { paymentIntentId: intent } }), 0);
    const [event, ...others] = await eventsOf(intent);
    assert.deepEqual([event?.type, others.length], ['refund.failed', 0]);
    assert.match(JSON.stringify(event?.failure), /REFUND_FAILED/);
  });

  it('records another amount than was asked for, and releases all that was reserved', async () => {
    const { intent, refunds } = await underWay(1);
    const [refundId = ''] = refunds;
    await recordRefund(test.database, { ...success(refundId), refundedMinor: 250 });
    assert.deepEqual(await moneyOf(intent), [1_000n, 250n, 0n]);
    const { amountMinor } = await test.database.refund.findUniqueOrThrow({ where: { id: refundId } });
    const transaction = await test.database.transaction.findFirstOrThrow({ where: { refundId } });
    assert.deepEqual([amountMinor, transaction.amountMinor], [250n, 250n]);
  });

  it('keeps the amounts consistent if many refunds of one intent end at once', async () => {
    const { intent, refunds } = await underWay(3);
    await Promise.all(refunds.map((id, index) => recordRefund(test.database, index === 0 ? failure(id) : success(id))));
    assert.deepEqual(await moneyOf(intent), [1_000n, 600n, 0n]);
  });

  it('writes an end that readRefundEnd returns, null before', async () => {
    const { refunds } = await underWay(2);
    for (const [index, resolution] of [success, failure].entries()) {
      const refundId = refunds[index] ?? '';
      assert.equal(await readRefundEnd(test.database, refundId), null);
      await recordRefund(test.database, resolution(refundId));
      assert.deepEqual(await readRefundEnd(test.database, refundId), resolution(refundId));
    }
    await assert.rejects(readRefundEnd(test.database, 're_none'), /no such refund/);
  });

  it('makes the money of a refund that fails after it had succeeded refundable again, once', async () => {
    const { intent, refunds } = await underWay(1);
    const [refundId = ''] = refunds;
    await assert.rejects(recordRefundFailure(test.database, failure(refundId)), /no refund/);
    await recordRefund(test.database, success(refundId));
    const late = { ...failure(refundId), tries: 0 };
    await Promise.all(Array.from({ length: 10 }, () => recordRefundFailure(test.database, late)));
    assert.deepEqual(await moneyOf(intent), [1_000n, 0n, 0n]);
    const row = await test.database.refund.findUniqueOrThrow({ where: { id: refundId } });
    assert.deepEqual([row.status, row.providerRefundId, row.tries], ['failed', 'simre_1', 2]);
    const transactions = await test.database.transaction.findMany({ where: { refundId }, orderBy: { type: 'asc' } });
    assert.deepEqual(
      transactions.map(({ type, amountMinor }) => [type, amountMinor]),
      [
        ['refund', 300n],
        ['void', 300n],
      ],
    );
    assert.deepEqual(
      (await eventsOf(intent)).map(({ type }) => type),
      [
        'transaction.created',
        'refund.succeeded',
        'payment_intent.refunded',
        'transaction.created',
        'refund.failed',
        'payment_intent.refunded',
      ],
    );
  });

  it('throws for a refund that does not exist', async () => {
    await assert.rejects(recordRefund(test.database, success('re_none')), /no refund/);
  });
});
