import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  WorkflowUpdateStage,
} from '@temporalio/client';
import { ApplicationFailure, type UpdateDefinition } from '@temporalio/common';
import { formatMoney } from '../domain/money.ts';
import type { OperationResult } from '../domain/payment.ts';
import type { ProviderEvent } from '../domain/provider-outcome.ts';
import { SECOND_MS } from '../domain/time.ts';
import {
  amendUpdate,
  cancelUpdate,
  confirmUpdate,
  PAYMENT_INTENT_WORKFLOW,
  PAYMENTS_TASK_QUEUE,
  providerEventSignal,
  type AmendRequest,
  type CancelRequest,
  type ConfirmRequest,
  type PaymentIntentInput,
} from '../workflows/messages.ts';
import { initialSearchAttributes } from '../workflows/search-attributes.ts';

const CALL_TIMEOUT_MS = 5 * SECOND_MS;
/** A refused update counts as accepted too; only its answer, which is there at once, tells that it was refused. */
const ACCEPTED_ANSWER_WAIT_MS = 100;

/** What became of an operation sent to an intent's workflow. */
export type UpdateAnswer =
  | { readonly kind: 'done'; readonly result: OperationResult }
  /** Perhaps taken up, no answer within the time: the outcome is not known yet. */
  | { readonly kind: 'pending' }
  /** Refused before anything happened. */
  | { readonly kind: 'refused'; readonly code: 'STATE_CONFLICT' | 'PAYMENT_EXPIRED' }
  /** The workflow has ended: the intent's row tells how. */
  | { readonly kind: 'finished' }
  /** No such workflow yet. */
  | { readonly kind: 'not_started' };

/** The engine's way to its workflows. Every call has a deadline. */
export interface PaymentWorkflows {
  /** Starts an intent's workflow; a repeat changes nothing. @throws TemporalUnavailableError */
  start(input: PaymentIntentInput): Promise<void>;
  /**
   * Sends a confirm and waits for its answer; with `waitMs` 0 it waits only until the workflow has accepted it. The same
   * `updateId` gets the first call's answer, also after the workflow has ended.
   * @throws TemporalUnavailableError when it is not known to be accepted and nobody waits longer
   */
  confirm(paymentIntentId: string, updateId: string, request: ConfirmRequest, waitMs: number): Promise<UpdateAnswer>;
  cancel(paymentIntentId: string, updateId: string, request: CancelRequest, waitMs: number): Promise<UpdateAnswer>;
  amend(paymentIntentId: string, updateId: string, request: AmendRequest, waitMs: number): Promise<UpdateAnswer>;
  /** @throws TemporalUnavailableError */
  deliverProviderEvent(
    paymentIntentId: string,
    event: ProviderEvent,
  ): Promise<'delivered' | 'finished' | 'not_started'>;
}

/** Temporal did not answer; whether it acted is unknown. */
export class TemporalUnavailableError extends Error {
  override readonly name = 'TemporalUnavailableError';

  constructor(cause: unknown) {
    super('Temporal did not answer', { cause });
  }
}

export function createPaymentWorkflows(client: Client): PaymentWorkflows {
  const update = <Request>(definition: UpdateDefinition<OperationResult, [Request]>) => {
    return (paymentIntentId: string, updateId: string, request: Request, waitMs: number): Promise<UpdateAnswer> =>
      sendUpdate(client, definition, { paymentIntentId, updateId, request, waitMs });
  };
  return {
    start: (input) => startPayment(client, input),
    confirm: update(confirmUpdate),
    cancel: update(cancelUpdate),
    amend: update(amendUpdate),
    deliverProviderEvent: (paymentIntentId, event) => signalProviderEvent(client, paymentIntentId, event),
  };
}

async function startPayment(client: Client, input: PaymentIntentInput): Promise<void> {
  const { amountMinor, currency } = input.terms;
  try {
    await client.withDeadline(Date.now() + CALL_TIMEOUT_MS, () =>
      client.workflow.start(PAYMENT_INTENT_WORKFLOW, {
        workflowId: input.paymentIntentId,
        taskQueue: PAYMENTS_TASK_QUEUE,
        args: [input],
        workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
        workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
        typedSearchAttributes: initialSearchAttributes(input),
        staticSummary: `Payment of ${formatMoney(amountMinor, currency)} for ${input.merchantAccountId}`,
      }),
    );
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return;
    throw new TemporalUnavailableError(error);
  }
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
    if (type === 'STATE_CONFLICT' || type === 'PAYMENT_EXPIRED') return { kind: 'refused', code: type };
    if (type === 'AcceptedUpdateCompletedWorkflow') return { kind: 'finished' };
  }
  throw new TemporalUnavailableError(error);
}

/** The second is said, again and again, to an update that came while the workflow was ending. */
const ENDED_WORDS = /already completed|aborted by closing workflow/;

/** The server answers "not found" for both; only its words tell an ended workflow from one that never was. */
function hasEnded(error: WorkflowNotFoundError): boolean {
  return ENDED_WORDS.test(error.message);
}

async function signalProviderEvent(
  client: Client,
  paymentIntentId: string,
  event: ProviderEvent,
): Promise<'delivered' | 'finished' | 'not_started'> {
  try {
    await client.withDeadline(Date.now() + CALL_TIMEOUT_MS, () =>
      client.workflow.getHandle(paymentIntentId).signal(providerEventSignal, event),
    );
    return 'delivered';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return hasEnded(error) ? 'finished' : 'not_started';
    throw new TemporalUnavailableError(error);
  }
}
