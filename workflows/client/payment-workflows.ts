import {
  type Client,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  WorkflowUpdateStage,
} from '@temporalio/client';
import { ApplicationFailure, type UpdateDefinition } from '@temporalio/common';
import { formatMoney } from '../../domain/money.ts';
import type { OperationResult } from '../../domain/payment.ts';
import type { ProviderEvent } from '../../domain/provider-outcome.ts';
import {
  amendUpdate,
  cancelUpdate,
  captureUpdate,
  confirmUpdate,
  PAYMENT_INTENT_WORKFLOW,
  providerEventSignal,
  type AmendRequest,
  type CancelRequest,
  type CaptureRequest,
  type ConfirmRequest,
  type PaymentIntentInput,
  type RefusalDetails,
} from '../messages.ts';
import { initialSearchAttributes } from '../search-attributes.ts';
import { CALL_TIMEOUT_MS, type Delivery, hasEnded, TemporalUnavailableError } from './calls.ts';
import { deliverSignal } from './deliver-signal.ts';
import { startAgain, startOnce, type WorkflowStart } from './start-once.ts';

/** A refused update counts as accepted too; only its answer, which is there at once, tells that it was refused. */
const ACCEPTED_ANSWER_WAIT_MS = 100;

/** What became of an operation sent to an intent's workflow. */
export type UpdateAnswer =
  | { readonly kind: 'done'; readonly result: OperationResult }
  /** Perhaps taken up, no answer within the time: the outcome is not known yet. */
  | { readonly kind: 'pending' }
  /** Refused before anything happened. */
  | { readonly kind: 'refused'; readonly code: 'STATE_CONFLICT' | 'PAYMENT_EXPIRED'; readonly mayBeOutdated: boolean }
  /** The workflow has ended: the intent's row tells how. */
  | { readonly kind: 'finished' }
  /** No such workflow yet. */
  | { readonly kind: 'not_started' };

/** The engine's way to its workflows. Every call has a deadline. */
export interface PaymentWorkflows {
  /** Starts an intent's workflow; a repeat changes nothing. @throws TemporalUnavailableError */
  start(input: PaymentIntentInput): Promise<void>;
  /**
   * Starts another run, which goes on from the payment's rows; false where one runs already.
   * @param endedAs how the run before it ended
   * @throws TemporalUnavailableError
   */
  takeOver(input: PaymentIntentInput, endedAs: string): Promise<boolean>;
  /**
   * Sends a confirm and waits for its answer; with `waitMs` 0 it waits only until the workflow has accepted it. The same
   * `updateId` gets the first call's answer, also after the workflow has ended.
   * @throws TemporalUnavailableError when it is not known to be accepted and nobody waits longer
   */
  confirm(paymentIntentId: string, updateId: string, request: ConfirmRequest, waitMs: number): Promise<UpdateAnswer>;
  capture(paymentIntentId: string, updateId: string, request: CaptureRequest, waitMs: number): Promise<UpdateAnswer>;
  cancel(paymentIntentId: string, updateId: string, request: CancelRequest, waitMs: number): Promise<UpdateAnswer>;
  amend(paymentIntentId: string, updateId: string, request: AmendRequest, waitMs: number): Promise<UpdateAnswer>;
  /** @throws TemporalUnavailableError */
  deliverProviderEvent(paymentIntentId: string, event: ProviderEvent): Promise<Delivery>;
}

export function createPaymentWorkflows(client: Client): PaymentWorkflows {
  const update = <Request>(definition: UpdateDefinition<OperationResult, [Request]>) => {
    return (paymentIntentId: string, updateId: string, request: Request, waitMs: number): Promise<UpdateAnswer> =>
      sendUpdate(client, definition, { paymentIntentId, updateId, request, waitMs });
  };
  return {
    start: (input) =>
      startOnce(client, PAYMENT_INTENT_WORKFLOW, { ...startOf(input), decideAfterMs: untilExpiryMs(input) }),
    takeOver: (input, endedAs) =>
      startAgain(client, PAYMENT_INTENT_WORKFLOW, startOf({ ...input, takeOverAfter: endedAs })),
    confirm: update(confirmUpdate),
    capture: update(captureUpdate),
    cancel: update(cancelUpdate),
    amend: update(amendUpdate),
    deliverProviderEvent: (paymentIntentId, event) =>
      deliverSignal(client, paymentIntentId, providerEventSignal, event),
  };
}

/**
 * A new intent has nothing to decide but that it expires: its workflow begins with the first update or cancellation, else
 * at the expiry, so that an open intent costs no worker anything. Signals, which do not begin it, come from providers, and
 * none is asked before a confirm.
 */
function untilExpiryMs({ expiresAt }: PaymentIntentInput): number {
  return Math.max(0, Date.parse(expiresAt) - Date.now());
}

function startOf(input: PaymentIntentInput): WorkflowStart {
  const { paymentIntentId, merchantAccountId, terms, expiresAt } = input;
  return {
    workflowId: paymentIntentId,
    input,
    searchAttributes: initialSearchAttributes(input),
    summary: `Payment of ${formatMoney(terms.amountMinor, terms.currency)} for ${merchantAccountId}`,
    details: `Until its first task it waits for the merchant to confirm or cancel, or for its expiry at ${expiresAt}.`,
  };
}

interface UpdateCall<Request> {
  readonly paymentIntentId: string;
  readonly updateId: string;
  readonly request: Request;
  readonly waitMs: number;
}

async function sendUpdate<Request>(
  client: Client,
  definition: UpdateDefinition<OperationResult, [Request]>,
  { paymentIntentId, updateId, request, waitMs }: UpdateCall<Request>,
): Promise<UpdateAnswer> {
  const handle = client.workflow.getHandle(paymentIntentId);
  const options = { updateId, args: [request] as [Request] };
  try {
    if (waitMs === 0) {
      const started = await client.withDeadline(Date.now() + CALL_TIMEOUT_MS, () =>
        handle.startUpdate(definition, { ...options, waitForStage: WorkflowUpdateStage.ACCEPTED }),
      );
      return await answerWithin(client, ACCEPTED_ANSWER_WAIT_MS, () => started.result());
    }
    return await answerWithin(client, waitMs, () => handle.executeUpdate(definition, options));
  } catch (error) {
    return answerOfFailure(error);
  }
}

async function answerWithin(
  client: Client,
  waitMs: number,
  wait: () => Promise<OperationResult>,
): Promise<UpdateAnswer> {
  try {
    return { kind: 'done', result: await client.withDeadline(Date.now() + waitMs, wait) };
  } catch (error) {
    if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return { kind: 'pending' };
    throw error;
  }
}

function answerOfFailure(error: unknown): UpdateAnswer {
  if (error instanceof WorkflowNotFoundError) return { kind: hasEnded(error) ? 'finished' : 'not_started' };
  if (error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure) {
    const { type } = error.cause;
    if (type === 'STATE_CONFLICT' || type === 'PAYMENT_EXPIRED') {
      return { kind: 'refused', code: type, mayBeOutdated: mayBeOutdated(error.cause) };
    }
    if (type === 'AcceptedUpdateCompletedWorkflow') return { kind: 'finished' };
  }
  throw new TemporalUnavailableError(error);
}

function mayBeOutdated({ details }: ApplicationFailure): boolean {
  const [refusal] = (details ?? []) as readonly Partial<RefusalDetails>[];
  return refusal?.mayBeOutdated === true;
}
