import { setTimeout as wait } from 'node:timers/promises';
import { ERROR_CATALOGUE, type ErrorCode } from '../../../domain/error-catalogue.ts';
import { resultOf } from '../../../domain/operation.ts';
import { errorForPage } from '../../../domain/page-error.ts';
import type { OperationResult } from '../../../domain/payment.ts';
import {
  conflictMessage,
  isTerminal,
  type PaymentOperation,
  type PaymentStatus,
  refusalOf,
} from '../../../domain/payment-state.ts';
import { SECOND_MS } from '../../../domain/time.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import { selectOperation } from '../../../prisma/queries/payment.ts';
import type { StoredIntent } from '../../../prisma/queries/payment-intent.ts';
import type { RowOf } from '../../../prisma/connection/statement.ts';
import type { UpdateAnswer } from '../../../workflow-client/payment-workflows.ts';
import type { JsonResponse } from '../../../http/response.ts';
import type { Admission } from '../../admission.ts';
import { ApiError } from '../../../domain/api-error.ts';
import type { Principal } from '../../../domain/principal.ts';
import { DEFAULT_SUCCESS, intentResponse, presentIntent, type SuccessForm } from './intent-response.ts';
import { isOutdated, type OperationUpdate, POLL_EVERY_MS, sendUpdateToWorkflow } from './send-update.ts';
import { type PaymentIntentDependencies, readIntent } from './stored-intent.ts';

/** Seconds after which an operation with an unknown outcome may be retried. */
const OUTCOME_RETRY_AFTER_SECONDS = 2;
/** How long the update result of a workflow that has ended may take. */
const LATE_RESULT_WAIT_MS = 2 * SECOND_MS;

/** What the engine's time for a confirm is computed from. */
interface ConfirmTiming {
  /** In ms since the epoch. */
  readonly startedAtMs: number;
  /** Attempts that the intent had before. */
  readonly earlierAttempts: number;
}

export interface WorkflowOperation extends OperationUpdate {
  readonly principal: Principal;
  /** By which repeats of the request find its result. */
  readonly operationId: string;
  /** Set for confirms, whose times admission learns. */
  readonly timing?: ConfirmTiming;
  /** Called with the operation's result before the response is made, which may not show all of it. */
  readonly onResult?: (result: OperationResult) => void;
  /** Called when the operation was never accepted. */
  readonly onRefused?: () => Promise<void>;
  readonly success?: SuccessForm;
}

/**
 * Sends an operation to the intent's workflow as an update and turns its result into the response. Where the workflow has
 * ended meanwhile, by hand or by loss, another run takes the payment over, and the operation's row has the outcome.
 * @throws ApiError with the operation's own failure, or `SERVICE_UNAVAILABLE` when the outcome is not known in time
 */
export async function runOperation(
  dependencies: PaymentIntentDependencies,
  operation: WorkflowOperation,
): Promise<JsonResponse> {
  const deadline = Date.now() + dependencies.confirmWaitMs;
  const update = await sendUpdateToWorkflow(dependencies, operation, deadline);
  switch (update.kind) {
    case 'done':
      return await responseWhenDone(dependencies, operation, update.result);
    case 'pending':
      return await responseWhenPending(dependencies, operation, deadline);
    case 'refused':
    case 'finished':
      return await responseWhenRefused(dependencies, operation, update, deadline);
    case 'not_started':
      throw new ApiError('SERVICE_UNAVAILABLE');
  }
}

/** @throws ApiError when an intent in that state does not take the operation */
export function requireState(operation: PaymentOperation, status: PaymentStatus): void {
  const code = refusalOf(operation, status);
  if (code !== undefined) throw refusal(operation, code, { status });
}

/**
 * Checked before card data is stored. The clock is checked too: the workflow's timer may be a moment late.
 * @throws ApiError when the intent cannot be confirmed now
 */
export function requireConfirmable({ intent }: StoredIntent): void {
  requireState('confirm', intent.status);
  if (Date.parse(intent.expires_at) <= Date.now()) {
    throw new ApiError('PAYMENT_EXPIRED', {
      message: `Expected a confirm before ${intent.expires_at}, when the payment intent expired. Create a new one to pay.`,
    });
  }
}

async function responseWhenDone(
  { database, admission }: PaymentIntentDependencies,
  { principal, intent, timing, onResult, success = DEFAULT_SUCCESS }: WorkflowOperation,
  result: OperationResult,
): Promise<JsonResponse> {
  onResult?.(result);
  const { error } = result;
  const stored = await readIntent(database, principal, intent.id);
  if (timing !== undefined) reportEngineTime(admission, timing, stored);
  if (error === null) return intentResponse(principal, stored, success);
  const { code, message, details } = principal.onlyPaymentIntentId === undefined ? error : errorForPage(error);
  throw new ApiError(code, {
    message,
    details: { ...details, paymentIntent: presentIntent(principal, stored, success.additions) },
  });
}

/**
 * The engine's time is the confirm's without its attempts. An open attempt does not tell when its provider answered, so only
 * the time before the first attempt counts then.
 */
function reportEngineTime(
  admission: Admission,
  { startedAtMs, earlierAttempts }: ConfirmTiming,
  { attempts }: StoredIntent,
): void {
  const own = attempts.slice(earlierAttempts);
  const [first, last] = [own.at(0), own.at(-1)];
  const finishedAt = last?.finishedAt ?? null;
  const attemptsEndMs = finishedAt === null ? Date.now() : Date.parse(finishedAt);
  const attemptsMs = first === undefined ? 0 : attemptsEndMs - Date.parse(first.startedAt);
  admission.report(startedAtMs, Math.max(0, Date.now() - startedAtMs - attemptsMs));
}

/** A wait that did not include an answer of a provider is the engine's. */
function reportWaitTime(admission: Admission, timing: ConfirmTiming | undefined): void {
  if (timing !== undefined) admission.report(timing.startedAtMs, Date.now() - timing.startedAtMs);
}

/** The states a confirm leads to that hold no failure. */
const CONFIRMED: readonly PaymentStatus[] = ['processing', 'requires_action', 'requires_capture', 'succeeded'];

/** States that show that the operation was accepted, though its result is still to come. */
const ACCEPTED: Readonly<Record<PaymentOperation, (status: PaymentStatus) => boolean>> = {
  confirm: (status) => CONFIRMED.includes(status),
  cancel: (status) => status === 'canceled',
  capture: (status) => status === 'succeeded',
  update: () => false,
};

/** Only a POST has an idempotency key. */
const HOW_TO_REPEAT: Readonly<Record<PaymentOperation, string>> = {
  confirm: 'repeat the request with its idempotency key',
  cancel: 'repeat the request with its idempotency key',
  capture: 'repeat the request with its idempotency key',
  update: 'repeat the request',
};

async function responseWhenPending(
  dependencies: PaymentIntentDependencies,
  operation: WorkflowOperation,
  deadline: number,
): Promise<JsonResponse> {
  const { database, admission } = dependencies;
  const { name, principal, intent, operationId, respondAsync, timing, success } = operation;
  // Acknowledge only what is in the database: until then only Temporal knows of it, and its workflow may be terminated.
  const accepted = respondAsync
    ? await waitForOperation(database, operation, deadline, (found) => found !== undefined)
    : undefined;
  const stored = await readIntent(database, principal, intent.id);
  const result = accepted === undefined ? null : resultOf(accepted, accepted.status);
  if (result !== null) return await responseWhenDone(dependencies, operation, result);
  // With `respondAsync` no provider's time is in the wait for the row.
  if (accepted !== undefined) {
    reportWaitTime(admission, timing);
    return intentResponse(principal, stored, success);
  }
  if (ACCEPTED[name](stored.intent.status)) {
    // Otherwise payments that wait for a customer would keep the limit from rising.
    if (timing !== undefined) reportEngineTime(admission, timing, stored);
    return intentResponse(principal, stored, success);
  }
  if (isTerminal(stored.intent.status)) {
    // The payment ended during the wait; only the update's result shows whether this operation failed, and why.
    const late = await operation.sendUpdate(LATE_RESULT_WAIT_MS);
    if (late.kind === 'done') return await responseWhenDone(dependencies, operation, late.result);
  }
  reportWaitTime(admission, timing);
  const found =
    name === 'capture' ? await database.direct.row(selectOperation(intent.id, principal, operationId)) : undefined;
  throw new ApiError(found?.lastCode ?? 'SERVICE_UNAVAILABLE', {
    message: `The outcome is not known yet; ask for the payment intent, or ${HOW_TO_REPEAT[name]}.`,
    retryAfterSeconds: OUTCOME_RETRY_AFTER_SECONDS,
    isUndecided: true,
    details: { paymentIntent: presentIntent(principal, stored, success?.additions ?? {}) },
  });
}

/** An operation that an earlier run has accepted has its own result; any other was refused. */
async function responseWhenRefused(
  dependencies: PaymentIntentDependencies,
  operation: WorkflowOperation,
  update: Extract<UpdateAnswer, { kind: 'refused' | 'finished' }>,
  deadline: number,
): Promise<JsonResponse> {
  const { database } = dependencies;
  const { name, principal, intent, onRefused, respondAsync, success } = operation;
  if (name !== 'update') {
    const found = await waitForOperation(
      database,
      operation,
      deadline,
      (each) => each === undefined || respondAsync || hasResult(each),
    );
    const result = found === undefined ? null : resultOf(found, found.status);
    if (result !== null) return await responseWhenDone(dependencies, operation, result);
    if (found !== undefined) return await responseWhenPending(dependencies, operation, deadline);
  }
  const stored = await readIntent(database, principal, intent.id);
  const { status } = stored.intent;
  const isForNow = update.kind === 'finished' ? !isTerminal(status) : isOutdated(update, name, status);
  if (isForNow) throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: OUTCOME_RETRY_AFTER_SECONDS });
  await onRefused?.();
  const code = update.kind === 'refused' ? update.code : (refusalOf(name, status) ?? 'STATE_CONFLICT');
  // Only the response of a create tells its client the id.
  const created = success === undefined ? {} : { paymentIntent: presentIntent(principal, stored, success.additions) };
  throw refusal(name, code, { status, ...created });
}

type OperationOfPayment = RowOf<ReturnType<typeof selectOperation>>;

const hasResult = (operation: OperationOfPayment): boolean => resultOf(operation, operation.status) !== null;

/**
 * Polls the row of an operation until it is ready.
 * @returns the row then, or at the deadline; undefined when there is none
 */
async function waitForOperation(
  database: Database,
  { principal, intent, operationId }: WorkflowOperation,
  deadline: number,
  isReady: (operation: OperationOfPayment | undefined) => boolean,
): Promise<OperationOfPayment | undefined> {
  for (;;) {
    const found = await database.direct.row(selectOperation(intent.id, principal, operationId));
    if (isReady(found) || Date.now() >= deadline) return found;
    await wait(POLL_EVERY_MS);
  }
}

function refusal(
  operation: PaymentOperation,
  code: 'STATE_CONFLICT' | 'PAYMENT_EXPIRED',
  details: { readonly status: PaymentStatus; readonly paymentIntent?: object },
): ApiError {
  return new ApiError(code, { message: refusalMessage(operation, code, details.status), details });
}

/** If the state takes the operation, then another operation is under way, or the state has changed meanwhile. */
function refusalMessage(operation: PaymentOperation, code: ErrorCode, status: PaymentStatus): string {
  if (code !== 'STATE_CONFLICT') return ERROR_CATALOGUE[code].message;
  if (refusalOf(operation, status) === code) return conflictMessage(operation, status);
  return (
    `Expected a payment intent without another operation under way for ${operation}; there is one, or there was one a moment ago. ` +
    'Read the payment intent again, and repeat the request if its state still takes it.'
  );
}
