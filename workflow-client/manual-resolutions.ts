import {
  type Client,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { ApplicationFailure, type UpdateDefinition } from '@temporalio/common';
import {
  type AskProviderRequest,
  askProviderNowUpdate,
  type ManualResolutionAnswer,
  type ResolvePaymentRequest,
  resolvePaymentUpdate,
  type ResolveRefundRequest,
  resolveRefundUpdate,
  type ResolveStrayChargeRequest,
  resolveStrayChargeUpdate,
} from '../protocol/messages.ts';
import { TemporalUnavailableError } from './temporal-errors.ts';

/** The answer to a request of support staff. */
export type SupportReply =
  | { readonly kind: 'answered'; readonly answer: ManualResolutionAnswer }
  /** Refused, with the reason for people. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The workflow does not run: nothing waits for a provider. */
  | { readonly kind: 'not_running' };

type Send<Request> = (workflowId: string, updateId: string, request: Request) => Promise<SupportReply>;

/**
 * Sends the requests of support staff to the workflows of payments, refunds and stray charges. A repeat with the same `updateId` gets
 * the first answer. Each throws `TemporalUnavailableError` where it is not known whether the workflow has received the request.
 */
export interface ManualResolutions {
  readonly askProvider: Send<AskProviderRequest>;
  readonly resolvePayment: Send<ResolvePaymentRequest>;
  readonly resolveRefund: Send<ResolveRefundRequest>;
  readonly resolveStrayCharge: Send<ResolveStrayChargeRequest>;
}

/** @param waitMs how long an answer may take: the provider is asked once */
export function createManualResolutions(client: Client, waitMs: number): ManualResolutions {
  const sending =
    <Request>(update: UpdateDefinition<ManualResolutionAnswer, [Request]>): Send<Request> =>
    async (workflowId, updateId, request) => {
      const handle = client.workflow.getHandle(workflowId);
      try {
        const answer = await client.withDeadline(Date.now() + waitMs, () =>
          handle.executeUpdate(update, { updateId, args: [request] as [Request] }),
        );
        return { kind: 'answered', answer };
      } catch (error) {
        return replyOfFailure(error);
      }
    };
  return {
    askProvider: sending(askProviderNowUpdate),
    resolvePayment: sending(resolvePaymentUpdate),
    resolveRefund: sending(resolveRefundUpdate),
    resolveStrayCharge: sending(resolveStrayChargeUpdate),
  };
}

function replyOfFailure(error: unknown): SupportReply {
  if (error instanceof WorkflowNotFoundError) return { kind: 'not_running' };
  if (error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure) {
    return { kind: 'refused', reason: error.cause.message };
  }
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) {
    return {
      kind: 'refused',
      reason: 'The provider has not answered in time. Look at the timeline, and send it again.',
    };
  }
  throw new TemporalUnavailableError(error);
}
