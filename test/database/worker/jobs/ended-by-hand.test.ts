import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { MINUTE_MS, SECOND_MS } from '../../../../domain/time.ts';
import { createEndedByHandJob } from '../../../../worker/jobs/ended-by-hand.ts';
import { TemporalUnavailableError } from '../../../../workflow-client/temporal-errors.ts';
import { useAccount } from '../../../support/account-fixture.ts';
import { insertRefund } from '../../../support/payment-rows.ts';

describe('what was terminated by hand', () => {
  const test = useAccount();

  it('is checked at once, also a payment and a refund that have ended', async () => {
    const id = await test.insertIntent({ status: 'succeeded', nextDueAt: null });
    const other = await test.insertIntent({ status: 'succeeded', nextDueAt: null });
    const refundId = await insertRefund(test.database, id, { status: 'succeeded', nextDueAt: null });
    const endedByHand = () => Promise.resolve([id, refundId, 'webhook_1']);
    await createEndedByHandJob({ database: test.database, states: { endedByHand } })();
    const isDue = async (intentId: string) =>
      (await test.database.paymentIntent.findUniqueOrThrow({ where: { id: intentId } })).nextDueAt !== null;
    assert.deepEqual([await isDue(id), await isDue(other)], [true, false]);
    const refund = await test.database.refund.findUniqueOrThrow({ where: { id: refundId } });
    assert.notEqual(refund.nextDueAt, null);
  });

  it('is looked for since the last look that was answered', async () => {
    let nowMs = Date.UTC(2026, 0, 1);
    let isAway = false;
    const looks: number[] = [];
    const endedByHand = (since: Date) => {
      looks.push(nowMs - since.getTime());
      return isAway ? Promise.reject(new TemporalUnavailableError('away')) : Promise.resolve([]);
    };
    const job = createEndedByHandJob({ database: test.database, states: { endedByHand } }, () => nowMs);
    await job();
    nowMs += MINUTE_MS;
    isAway = true;
    await assert.rejects(job());
    nowMs += MINUTE_MS;
    isAway = false;
    await job();
    assert.deepEqual(looks, [10 * MINUTE_MS, MINUTE_MS + 30 * SECOND_MS, 2 * MINUTE_MS + 30 * SECOND_MS]);
  });
});
