import { ERROR_CATALOGUE } from '../../domain/error-catalogue.ts';
import type { OperationResult } from '../../domain/payment.ts';
import { isTerminal, type PaymentOperation, type PaymentStatus, refusalOf } from '../../domain/payment-state.ts';
import { SECOND_MS } from '../../domain/time.ts';
import type { UpdateAnswer } from '../../temporal/payment-workflows.ts';
import { type Answer, answerWith } from '../answer.ts';
import { ApiError } from '../errors.ts';
import type { Access } from '../request-context.ts';
import type { PaymentIntentDependencies } from './dependencies.ts';
import { type IntentRow, presentPaymentIntent, withoutInternals } from '../../presentation/payment-intent.ts';
import { readIntent } from './read-intents.ts';
import { type StoredIntent, workflowInputOf } from './stored-intent.ts';

/** Seconds after which an operation with an unknown outcome may be asked for again. */
const OUTCOME_RETRY_AFTER_SECONDS = 2;
/** How long the answer of a workflow that has ended may take. */
const LATE_ANSWER_WAIT_MS = 2 * SECOND_MS;

export interface Operation {
  readonly name: PaymentOperation;
  readonly access: Access;
  readonly intent: IntentRow;
  /** Sends the update and waits so long for its answer. */
  readonly ask: (waitMs: number) => Promise<UpdateAnswer>;
  readonly respondAsync: boolean;
  /** Status and additions of a good answer; creation answers with more. */
  readonly success?: { readonly status: 200 | 201; readonly additions: object };
}

/**
 * Asks the intent's workflow for an operation and turns what comes of it into the answer.
 * @throws ApiError with the operation's own failure, or `SERVICE_UNAVAILABLE` when the outcome is not known in time
 */
export async function carryOut(dependencies: PaymentIntentDependencies, operation: Operation): Promise<Answer> {
  const answer = await askWorkflow(dependencies, operation);
  switch (answer.kind) {
    case 'done':
      return await concludeDone(dependencies, operation, answer.result);
    case 'pending':
      return await concludePending(dependencies, operation);
    case 'refused':
      throw refusal(answer.code, operation.intent.status);
    case 'finished':
      return await concludeFinished(dependencies, operation);
    case 'not_started':
      throw new ApiError('SERVICE_UNAVAILABLE');
  }
}

/** @throws ApiError when an intent in that state does not take the operation */
export function requireState(operation: Operation['name'], status: PaymentStatus): void {
  const code = refusalOf(operation, status);
  if (code !== undefined) throw refusal(code, status);
}

/** The answer with an intent as it is now, as far as the one who asks may see it. */
export function answerWithIntent(
  access: Access,
  stored: StoredIntent,
  { status, additions } = DEFAULT_SUCCESS,
): Answer {
  return answerWith(status, presentStored(access, stored, additions));
}

const DEFAULT_SUCCESS: NonNullable<Operation['success']> = { status: 200, additions: {} };

function presentStored(access: Access, stored: StoredIntent, additions: object): object {
  const intent = presentPaymentIntent(stored, stored.paymentMethod?.masked ?? null);
  return { ...(access.onlyPaymentIntentId === undefined ? intent : withoutInternals(intent)), ...additions };
}

/** A workflow that was never started is started now; with `respondAsync` only its acceptance is waited for. */
async function askWorkflow(dependencies: PaymentIntentDependencies, operation: Operation): Promise<UpdateAnswer> {
  const { workflows, startMarks, confirmWaitMs } = dependencies;
  const waitMs = operation.respondAsync ? 0 : confirmWaitMs;
  const answer = await operation.ask(waitMs);
  if (answer.kind !== 'not_started') return answer;
  await workflows.start(workflowInputOf(operation.intent));
  startMarks.note(operation.intent.id);
  return await operation.ask(waitMs);
}

async function concludeDone(
  { database }: PaymentIntentDependencies,
  { access, intent, success = DEFAULT_SUCCESS }: Operation,
  { error }: OperationResult,
): Promise<Answer> {
  const stored = await readIntent(database, access, intent.id);
  if (error === null) return answerWithIntent(access, stored, success);
  throw new ApiError(error.code, {
    message: error.message,
    details: { ...error.details, paymentIntent: presentStored(access, stored, success.additions) },
  });
}

/** The states a confirm leads to that hold no failure. */
const CONFIRMED: readonly PaymentStatus[] = ['processing', 'requires_action', 'requires_capture', 'succeeded'];

/** States that show that the operation was taken up, though its answer is still to come. */
const TAKEN_UP: Readonly<Record<Operation['name'], (status: PaymentStatus) => boolean>> = {
  confirm: (status) => CONFIRMED.includes(status),
  cancel: (status) => status === 'canceled',
  capture: (status) => status === 'succeeded',
  amend: () => false,
};

/** Only a POST has an idempotency key. */
const HOW_TO_REPEAT: Readonly<Record<Operation['name'], string>> = {
  confirm: 'repeat the request with its idempotency key',
  cancel: 'repeat the request with its idempotency key',
  capture: 'repeat the request with its idempotency key',
  amend: 'repeat the request',
};

async function concludePending(dependencies: PaymentIntentDependencies, operation: Operation): Promise<Answer> {
  const { name, access, intent, respondAsync, success } = operation;
  const stored = await readIntent(dependencies.database, access, intent.id);
  if (respondAsync || TAKEN_UP[name](stored.intent.status)) return answerWithIntent(access, stored, success);
  if (isTerminal(stored.intent.status)) {
    // It ended as the wait did; only the workflow's answer tells whether this operation failed, and of what.
    const late = await operation.ask(LATE_ANSWER_WAIT_MS);
    if (late.kind === 'done') return await concludeDone(dependencies, operation, late.result);
  }
  throw new ApiError('SERVICE_UNAVAILABLE', {
    message: `The outcome is not known yet; ask for the payment intent, or ${HOW_TO_REPEAT[name]}.`,
    retryAfterSeconds: OUTCOME_RETRY_AFTER_SECONDS,
  });
}

/** An intent that is open though its workflow has ended gets another one, which takes the operation. */
async function concludeFinished(
  { database }: PaymentIntentDependencies,
  { name, access, intent }: Operation,
): Promise<never> {
  const { status } = (await readIntent(database, access, intent.id)).intent;
  if (!isTerminal(status))
    throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: OUTCOME_RETRY_AFTER_SECONDS });
  throw refusal(refusalOf(name, status) ?? 'STATE_CONFLICT', status);
}

function refusal(code: 'STATE_CONFLICT' | 'PAYMENT_EXPIRED', status: PaymentStatus): ApiError {
  return new ApiError(code, { message: ERROR_CATALOGUE[code].message, details: { status } });
}
