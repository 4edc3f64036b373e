import { CancellationScope, setCurrentDetails, setHandler, upsertSearchAttributes } from '@temporalio/workflow';
import { isFinalRefund, refundAgrees, type FinalRefundOutcome } from '../../domain/provider-outcome.ts';
import type { RefundResolution, RefundResult } from '../../domain/refund.ts';
import { refundEventSignal, type RefundInput } from '../messages.ts';
import { endedRefundSearchAttributes } from '../search-attributes.ts';
import { now } from '../shared/clock.ts';
import { records } from './activity-proxies.ts';
import { resolveRefund } from './resolution.ts';
import { describeRefund } from './details.ts';
import { type RefundContext, settleRefund } from './settle.ts';

/**
 * The life of one refund, until it is certain whether the money was refunded; the only writer of the refund's end.
 * Canceling it changes nothing: a request to the provider cannot be withdrawn, and its outcome must be known.
 */
export function refundWorkflow(input: RefundInput): Promise<RefundResult> {
  let reported: FinalRefundOutcome | null = null;
  setHandler(refundEventSignal, ({ provider, refundId, refundOutcome }) => {
    if (provider !== input.provider || refundId !== input.refundId) return;
    if (isFinalRefund(refundOutcome) && isAsAsked(refundOutcome, input)) reported ??= refundOutcome;
  });
  return CancellationScope.nonCancellable(() => refund(input, () => reported));
}

async function refund(input: RefundInput, reported: () => FinalRefundOutcome | null): Promise<RefundResult> {
  const waitsFor = (words: string): void => setCurrentDetails(describeRefund(input, words));
  const resolution = (await recordedEnd(input)) ?? (await settleAndRecord({ input, reported, waitsFor }));
  waitsFor(wordsOf(input, resolution));
  upsertSearchAttributes(endedRefundSearchAttributes(resolution));
  return { status: resolution.status, error: resolution.failure };
}

/** The end that an earlier run recorded, which is what the refund came to, whatever the provider would say by now. */
async function recordedEnd({ refundId, takeOverAfter }: RefundInput): Promise<RefundResolution | null> {
  if (takeOverAfter === undefined) return null;
  return records.readRefundEnd.executeWithOptions({ summary: 'Read whether the refund has ended' }, [refundId]);
}

async function settleAndRecord(context: RefundContext): Promise<RefundResolution> {
  const { input } = context;
  const resolution = resolveRefund(input, await settleRefund(context), now());
  await records.recordRefund.executeWithOptions({ summary: wordsOf(input, resolution) }, [resolution]);
  return resolution;
}

/** Whether a report has the amount that was asked for. Any other is dropped, and the provider is asked. */
function isAsAsked(outcome: FinalRefundOutcome, { amountMinor, currency }: RefundInput): boolean {
  return outcome.kind !== 'refunded' || refundAgrees(outcome, { amountMinor, currency });
}

function wordsOf({ provider }: RefundInput, { status, failure }: RefundResolution): string {
  return failure === null ? `The money went back through ${provider}` : `Refund ${status} (${failure.code})`;
}
