import assert from 'node:assert/strict';
import { it } from 'mocha';
import { refundAgrees } from '../../../domain/provider-outcome.ts';
import { ProviderOutageError } from '../../../providers/provider-errors.ts';
import { newAttempt, pay, refundOf, waitUntil } from './attempts.ts';
import { reportOfRefund } from './reports.ts';
import { AMOUNT_MINOR, newSignal } from './requests.ts';
import type { ContractContext } from './subject.ts';

const PART_MINOR = 10_00;
const REST_MINOR = AMOUNT_MINOR - PART_MINOR;

/** Refunds without faults. */
export function describeRefunds(context: ContractContext): void {
  const { subject, can, currency } = context;
  if (!can('refunds')) return;

  it('refunds once, however often the same refund is sent, and no more than was captured', async () => {
    const paid = await pay(context);
    const refund = refundOf(context, paid, PART_MINOR);
    const settled = await Promise.allSettled(
      Array.from({ length: 12 }, () => subject().provider.refund(refund, newSignal())),
    );
    for (const each of settled) assert.ok(each.status === 'fulfilled' || each.reason instanceof ProviderOutageError);
    const first = await subject().provider.refund(refund, newSignal());
    assert.ok(first.kind === 'refunded' || first.kind === 'pending');
    assert.deepEqual([first.amountMinor, first.currency], [PART_MINOR, currency]);
    for (const each of settled) if (each.status === 'fulfilled') assert.deepEqual(each.value, first);
    await untilRefunded(context, refund);
    const found = await subject().provider.inquireRefund(refund, newSignal());
    assert.ok(found.kind === 'refunded' && refundAgrees(found, refund), JSON.stringify(found));
    assert.equal(await subject().keptMinor(paid.attemptId), REST_MINOR);
    await untilRefunded(context, refundOf(context, paid, REST_MINOR));
    assert.equal(await subject().keptMinor(paid.attemptId), 0);
  });

  it('returns the refusal of a refund that exceeds what is left as a value, also for an inquiry', async () => {
    const paid = await pay(context);
    const refund = refundOf(context, paid, AMOUNT_MINOR + 1);
    const outcome = await subject().provider.refund(refund, newSignal());
    if (outcome.kind !== 'refused') {
      assert.equal(outcome.kind, 'pending');
      await waitUntil(
        context,
        async () => (await subject().provider.inquireRefund(refund, newSignal())).kind === 'refused',
      );
    }
    const found = await subject().provider.inquireRefund(refund, newSignal());
    assert.ok(found.kind === 'refused' || found.kind === 'not_refunded');
    assert.equal(await subject().keptMinor(paid.attemptId), AMOUNT_MINOR);
  });

  if (can('refund_refused')) {
    it('reports a refund that the provider refuses', async () => {
      const paid = await pay(context, 'refund_refused');
      const refund = refundOf(context, paid, PART_MINOR);
      await subject().provider.refund(refund, newSignal());
      await waitUntil(
        context,
        async () => (await subject().provider.inquireRefund(refund, newSignal())).kind === 'refused',
      );
      assert.equal(await subject().keptMinor(paid.attemptId), AMOUNT_MINOR);
    });
  }

  if (can('refund_waiting')) {
    it('reports a slow refund as pending, and later its end', async () => {
      for (const [end, keptMinor] of [
        ['refunded', REST_MINOR],
        ['refused', AMOUNT_MINOR],
      ] as const) {
        const paid = await pay(context, 'refund_waiting');
        const refund = refundOf(context, paid, PART_MINOR);
        const outcome = await subject().provider.refund(refund, newSignal());
        assert.ok(outcome.kind === 'pending');
        assert.ok(refundAgrees(outcome, refund));
        assert.deepEqual(await subject().provider.inquireRefund(refund, newSignal()), outcome);
        await subject().settleRefund?.(refund.refundId, end);
        await waitUntil(
          context,
          async () => (await subject().provider.inquireRefund(refund, newSignal())).kind === end,
        );
        assert.equal(await subject().keptMinor(paid.attemptId), keptMinor);
        if (can('webhooks')) await waitUntil(context, () => reportOfRefund(subject(), refund.refundId)?.kind === end);
      }
    });
  }

  it('ends an unknown refund by an inquiry: a late request cannot refund, or not again', async () => {
    const paid = await pay(context);
    const refund = refundOf(context, paid, PART_MINOR);
    const found = await subject().provider.inquireRefund(refund, newSignal());
    const late = await subject().provider.refund(refund, newSignal());
    if (found.kind === 'not_refunded') {
      assert.equal(late.kind, 'unrecognised');
      assert.equal(await subject().keptMinor(paid.attemptId), AMOUNT_MINOR);
      assert.deepEqual(await subject().provider.inquireRefund(refund, newSignal()), found);
      return;
    }
    await untilRefunded(context, refund);
    assert.equal(await subject().keptMinor(paid.attemptId), REST_MINOR);
  });

  it('throws an outage if nobody answers a refund', async () => {
    const { unreachable } = subject();
    const refund = refundOf(context, { ...newAttempt(context), providerPaymentId: 'unknown' }, 1);
    await assert.rejects(unreachable.refund(refund, newSignal()), { code: 'TSP_UNAVAILABLE' });
    await assert.rejects(unreachable.inquireRefund(refund, newSignal()), { code: 'TSP_UNAVAILABLE' });
  });
}

/** Sends a refund again until it is over. */
async function untilRefunded(context: ContractContext, refund: ReturnType<typeof refundOf>): Promise<void> {
  const { subject } = context;
  const outcome = await subject().provider.refund(refund, newSignal());
  assert.ok(outcome.kind === 'refunded' || outcome.kind === 'pending', JSON.stringify(outcome));
  await waitUntil(
    context,
    async () => (await subject().provider.inquireRefund(refund, newSignal())).kind === 'refunded',
  );
}
