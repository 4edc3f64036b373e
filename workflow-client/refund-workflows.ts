import { type Client, isGrpcDeadlineError, WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import { formatMoney } from '../domain/money.ts';
import type { ProviderEventReference, RefundProviderEvent } from '../domain/provider-outcome.ts';
import type { RefundResult } from '../domain/refund.ts';
import { REFUND_WORKFLOW, refundEventSignal, type RefundInput } from '../protocol/messages.ts';
import { refundSearchAttributes } from '../protocol/search-attributes.ts';
import { type SignalResult, TemporalUnavailableError } from './temporal-errors.ts';
import { deliverSignal } from './deliver-signal.ts';
import { startAgain, startOnce, type WorkflowStart } from './start-once.ts';

/** Starts the workflows of refunds and sends them signals. Every call has a deadline. */
export interface RefundWorkflows {
  /** Starts a refund's workflow; a repeat changes nothing. @throws TemporalUnavailableError */
  start(input: RefundInput): Promise<void>;
  /**
   * Starts another run, which repeats the refund under its key; false where one runs already.
   * @param endedAs how the previous run ended
   * @throws TemporalUnavailableError
   */
  takeOver(input: RefundInput, endedAs: string): Promise<boolean>;
  /**
   * Starts a run that records the failure of a refund which had succeeded; false where one runs already.
   * @param failureEvent the stored event that reports it
   * @throws TemporalUnavailableError
   */
  fail(input: RefundInput, failureEvent: ProviderEventReference): Promise<boolean>;
  /**
   * Waits for a refund's end.
   * @returns null when there is none within the time, or no such workflow
   * @throws TemporalUnavailableError
   */
  result(refundId: string, waitMs: number): Promise<RefundResult | null>;
  /**
   * Sends a stored event, which the run reads from its row.
   * @throws TemporalUnavailableError
   */
  deliverRefundEvent(refundId: string, event: RefundProviderEvent): Promise<SignalResult>;
}

export function createRefundWorkflows(client: Client): RefundWorkflows {
  return {
    start: (input) => startOnce(client, REFUND_WORKFLOW, startOf(input)),
    takeOver: (input, endedAs) => startAgain(client, REFUND_WORKFLOW, startOf({ ...input, takeOverAfter: endedAs })),
    fail: (input, { provider, eventId }) =>
      startAgain(
        client,
        REFUND_WORKFLOW,
        startOf({ ...input, failureEvent: { provider, eventId }, takeOverAfter: 'succeeded' }),
      ),
    result: (refundId, waitMs) => waitForResult(client, refundId, waitMs),
    deliverRefundEvent: (refundId, event) => deliverSignal(client, refundId, refundEventSignal, event),
  };
}

function startOf(input: RefundInput): WorkflowStart {
  return {
    workflowId: input.refundId,
    input,
    merchantAccountId: input.merchantAccountId,
    searchAttributes: refundSearchAttributes(input),
    summary: `Refund of ${formatMoney(input.amountMinor, input.currency)} of ${input.paymentIntentId}`,
  };
}

/** A workflow that an operator has ended has no result; the refund's row is unchanged. */
async function waitForResult(client: Client, refundId: string, waitMs: number): Promise<RefundResult | null> {
  const handle = client.workflow.getHandle<() => Promise<RefundResult>>(refundId);
  try {
    return await client.withDeadline(Date.now() + waitMs, () => handle.result());
  } catch (error) {
    if (isGrpcDeadlineError(error)) return null;
    if (error instanceof WorkflowNotFoundError || error instanceof WorkflowFailedError) return null;
    throw new TemporalUnavailableError(error);
  }
}
