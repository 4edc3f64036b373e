import {
  type Client,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  WorkflowUpdateStage,
} from '@temporalio/client';
import { ApplicationFailure, type UpdateDefinition } from '@temporalio/common';
import { formatMoney } from '../domain/money.ts';
import type { OperationResult } from '../domain/payment.ts';
import type { ProviderEvent } from '../domain/provider-outcome.ts';
import {
  updateIntentUpdate,
  cancelUpdate,
  captureUpdate,
  confirmUpdate,
  followTestClockUpdate,
  PAYMENT_INTENT_WORKFLOW,
  providerEventSignal,
  type UpdateIntentRequest,
  type CancelRequest,
  type CaptureRequest,
  type ConfirmRequest,
  type PaymentIntentInput,
  type RefusalDetails,
} from '../protocol/messages.ts';
import { initialSearchAttributes } from '../protocol/search-attributes.ts';
import { CALL_TIMEOUT_MS, type SignalResult, hasEnded, TemporalUnavailableError } from './temporal-errors.ts';
import { deliverSignal } from './deliver-signal.ts';
import { startAgain, startOnce, type WorkflowStart } from './start-once.ts';

/** The wait for an accepted update's result: a rejected update counts as accepted too, and its result comes at once. */
const ACCEPTED_ANSWER_WAIT_MS = 100;

/** The answer to an operation that was sent to an intent's workflow. */
export type UpdateAnswer =
  | { readonly kind: 'done'; readonly result: OperationResult }
  /** No answer within the time: the workflow may have begun the operation. */
  | { readonly kind: 'pending' }
  /** Refused before anything happened. */
  | { readonly kind: 'refused'; readonly code: 'STATE_CONFLICT' | 'PAYMENT_EXPIRED'; readonly mayBeOutdated: boolean }
  /** The workflow has ended; the intent's row has the result. */
  | { readonly kind: 'finished' }
  /** No such workflow yet. */
  | { readonly kind: 'not_started' };

/** Starts the workflows of payments and sends them updates and signals. Every call has a deadline. */
export interface PaymentWorkflows {
  /** Starts an intent's workflow; a repeat changes nothing. @throws TemporalUnavailableError */
  start(input: PaymentIntentInput): Promise<void>;
  /**
   * Starts another run, which continues from the payment's rows; false where one runs already.
   * @param endedAs how the previous run ended
   * @throws TemporalUnavailableError
   */
  takeOver(input: PaymentIntentInput, endedAs: string): Promise<boolean>;
  /**
   * Sends a confirm and waits for its answer; with `waitMs` 0 it waits only until the workflow has accepted it. The same
   * `updateId` gets the first call's answer, even after the workflow has ended.
   * @throws TemporalUnavailableError when it is not known whether the update was accepted
   */
  confirm(paymentIntentId: string, updateId: string, request: ConfirmRequest, waitMs: number): Promise<UpdateAnswer>;
  capture(paymentIntentId: string, updateId: string, request: CaptureRequest, waitMs: number): Promise<UpdateAnswer>;
  cancel(paymentIntentId: string, updateId: string, request: CancelRequest, waitMs: number): Promise<UpdateAnswer>;
  update(
    paymentIntentId: string,
    updateId: string,
    request: UpdateIntentRequest,
    waitMs: number,
  ): Promise<UpdateAnswer>;
  /**
   * Sends a stored event, which the run reads from its row.
   * @throws TemporalUnavailableError
   */
  deliverProviderEvent(paymentIntentId: string, event: ProviderEvent): Promise<SignalResult>;
  /**
   * Makes a payment follow the test clock of its account. Its row shows whether it did: a workflow that does not run, or refuses,
   * is no error.
   * @throws TemporalUnavailableError
   */
  followTestClock(paymentIntentId: string): Promise<void>;
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
    update: update(updateIntentUpdate),
    deliverProviderEvent: (paymentIntentId, event) =>
      deliverSignal(client, paymentIntentId, providerEventSignal, event),
    followTestClock: (paymentIntentId) => followTestClock(client, paymentIntentId),
  };
}

async function followTestClock(client: Client, paymentIntentId: string): Promise<void> {
  const handle = client.workflow.getHandle(paymentIntentId);
  try {
    await client.withDeadline(Date.now() + CALL_TIMEOUT_MS, () => handle.executeUpdate(followTestClockUpdate));
  } catch (error) {
    const isKnown =
      error instanceof WorkflowNotFoundError ||
      error instanceof WorkflowUpdateFailedError ||
      error instanceof WorkflowUpdateRPCTimeoutOrCancelledError;
    if (!isKnown) throw new TemporalUnavailableError(error);
  }
}

/**
 * The first workflow task of a new intent is delayed until the first update or cancellation, else until the expiry, so that an
 * open intent takes no worker's time. Signals do not end the delay; they come from providers, and no provider is called before
 * a confirm.
 */
function untilExpiryMs({ expiresAt }: PaymentIntentInput): number {
  return Math.max(0, Date.parse(expiresAt) - Date.now());
}

function startOf(input: PaymentIntentInput): WorkflowStart {
  const { paymentIntentId, merchantAccountId, terms, expiresAt } = input;
  return {
    workflowId: paymentIntentId,
    input,
    merchantAccountId,
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
