import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import {
  isFinalRefund,
  refundAgrees,
  type FinalRefundOutcome,
  type ProviderEventReference,
  type RefundProviderEvent,
} from '../../domain/provider-outcome.ts';
import type { RefundResolution, RefundResult } from '../../domain/refund.ts';
import { refundEventSignal, type RefundInput } from '../../protocol/messages.ts';
import { endedRefundSearchAttributes } from '../../protocol/search-attributes.ts';
import { now } from '../shared/clock.ts';
import { createEventHandler } from '../shared/event-reader.ts';
import { readUntilAnswered } from '../shared/read-until-answered.ts';
import { reads, records } from './activity-proxies.ts';
import { resolveRefund } from './resolution.ts';
import { handleRefundSupport } from './support.ts';
import { describeRefund } from './details.ts';
import { type RefundContext, completeRefund } from './complete.ts';

/**
 * Runs one refund until it is known whether the money was refunded; the only writer of the refund's end. A run with a
 * `failureEvent` records that a refund, which had succeeded, has failed after all. A cancellation of the
 * workflow has no effect: a request to the provider cannot be withdrawn, and its outcome must be known.
 */
export function refundWorkflow(input: RefundInput): Promise<RefundResult> {
  let reported: FinalRefundOutcome | null = null;
  const noteEvent = ({ provider, refundId, refundOutcome }: RefundProviderEvent): void => {
    if (provider !== input.provider || refundId !== input.refundId) return;
    if (isFinalRefund(refundOutcome) && hasRequestedAmount(refundOutcome, input)) reported ??= refundOutcome;
  };
  setHandler(
    refundEventSignal,
    createEventHandler({ read: (reference) => readEvent(input, reference), handle: noteEvent }),
  );
  handleRefundSupport(input, {
    reported: () => reported,
    resolve: (outcome) => {
      reported ??= outcome;
    },
  });
  return CancellationScope.nonCancellable(() => refund(input, () => reported));
}

function readEvent(
  { refundId, paymentIntentId }: RefundInput,
  { provider, eventId }: ProviderEventReference,
): Promise<RefundProviderEvent | null> {
  const request = { provider, eventId, refundId, paymentIntentId };
  const summary = `Read an event of ${provider}`;
  return readUntilAnswered(() => reads.readRefundEvent.executeWithOptions({ summary }, [request]));
}

async function refund(input: RefundInput, reported: () => FinalRefundOutcome | null): Promise<RefundResult> {
  const waitsFor: RefundContext['waitsFor'] = (what, providerRefundId = null) =>
    setCurrentDetails(describeRefund(input, { what, providerRefundId, failure: null }));
  const { failureEvent } = input;
  const resolution =
    failureEvent === undefined
      ? ((await recordedEnd(input)) ?? (await completeAndRecord({ input, reported, waitsFor })))
      : await recordFailure(input, failureEvent);
  setCurrentDetails(describeRefund(input, { ...resolution, what: describeEnd(input, resolution) }));
  upsertSearchAttributes(endedRefundSearchAttributes(resolution));
  await condition(allHandlersFinished);
  return { status: resolution.status, error: resolution.failure };
}

/** The end that an earlier run recorded; it is final, so the provider is not called again. */
async function recordedEnd({ refundId, takeOverAfter }: RefundInput): Promise<RefundResolution | null> {
  if (takeOverAfter === undefined) return null;
  return records.readRefundEnd.executeWithOptions({ summary: 'Read whether the refund has ended' }, [refundId]);
}

async function completeAndRecord(context: RefundContext): Promise<RefundResolution> {
  const { input } = context;
  const resolution = resolveRefund(input, await completeRefund(context), now());
  await records.recordRefund.executeWithOptions({ summary: describeEnd(input, resolution) }, [resolution]);
  return resolution;
}

/** Records that the refund, which had succeeded, has failed after all. */
async function recordFailure(input: RefundInput, failureEvent: ProviderEventReference): Promise<RefundResolution> {
  const outcome = (await readEvent(input, failureEvent))?.refundOutcome;
  if (outcome?.kind !== 'refused') throw ApplicationFailure.nonRetryable('no stored event says that the refund failed');
  const resolution = resolveRefund(input, { outcome, unrecognised: null, tries: 0 }, now());
  const summary = `The refund had succeeded, and has failed after all at ${input.provider}`;
  await records.recordRefundFailure.executeWithOptions({ summary }, [resolution]);
  return resolution;
}

/** Whether a report has the requested amount. Any other report is dropped; inquiries go on. */
function hasRequestedAmount(outcome: FinalRefundOutcome, { amountMinor, currency }: RefundInput): boolean {
  return outcome.kind !== 'refunded' || refundAgrees(outcome, { amountMinor, currency });
}

function describeEnd({ provider }: RefundInput, { status, failure }: RefundResolution): string {
  return failure === null ? `Refunded by ${provider}` : `Refund ${status} (${failure.code})`;
}
