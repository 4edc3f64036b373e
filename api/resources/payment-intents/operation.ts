import { setTimeout as wait } from 'node:timers/promises';
import { ERROR_CATALOGUE } from '../../../domain/error-catalogue.ts';
import { resultOf } from '../../../domain/operation.ts';
import type { OperationResult } from '../../../domain/payment.ts';
import { isTerminal, type PaymentOperation, type PaymentStatus, refusalOf } from '../../../domain/payment-state.ts';
import { SECOND_MS } from '../../../domain/time.ts';
import type { Database } from '../../../prisma/client.ts';
import { type OperationOfPayment, readOperation } from '../../../prisma/queries/payment-operation.ts';
import type { UpdateAnswer } from '../../../workflows/client/payment-workflows.ts';
import { type Answer, answerWith } from '../answer.ts';
import { ApiError } from '../../middleware/errors.ts';
import type { Access } from '../../middleware/request-context.ts';
import type { PaymentIntentDependencies } from './dependencies.ts';
import { type IntentRow, presentPaymentIntent, withoutInternals } from '../../../presenters/payment-intent.ts';
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
  /** By which repeats of the request find its answer. */
  readonly operationId: string;
  /** Sends the update and waits for its answer, `waitMs` at most. */
  readonly ask: (waitMs: number) => Promise<UpdateAnswer>;
  /** Called when the operation was never taken up. */
  readonly onRefused?: () => Promise<void>;
  readonly respondAsync: boolean;
  /** Status and additions of a good answer; creation answers with more. */
  readonly success?: { readonly status: 200 | 201; readonly additions: object };
}

/**
 * Asks the intent's workflow for an operation and turns what comes of it into the answer. Where a workflow has ended
 * meanwhile, by hand or lost, another run takes the payment over, and the operation's row tells what became of it.
 * @throws ApiError with the operation's own failure, or `SERVICE_UNAVAILABLE` when the outcome is not known in time
 */
export async function carryOut(dependencies: PaymentIntentDependencies, operation: Operation): Promise<Answer> {
  const deadline = Date.now() + dependencies.confirmWaitMs;
  const answer = await askWorkflow(dependencies, operation, deadline);
  switch (answer.kind) {
    case 'done':
      return await answerDone(dependencies, operation, answer.result);
    case 'pending':
      return await answerPending(dependencies, operation, deadline);
    case 'refused':
    case 'finished':
      return await answerRefused(dependencies, operation, answer, deadline);
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

/** Other runs that one request starts or waits for. */
const RUNS_AT_MOST = 3;

/**
 * Asks again where the workflow refuses what the payment's row takes: merchants and pages are told of a step as soon as it
 * is on record, a moment before the workflow hears of it.
 */
async function askWorkflow(
  dependencies: PaymentIntentDependencies,
  operation: Operation,
  deadline: number,
): Promise<UpdateAnswer> {
  for (;;) {
    const answer = await askRunning(dependencies, operation, deadline);
    if (answer.kind !== 'refused' || Date.now() >= deadline) return answer;
    const { intent } = await readIntent(dependencies.database, operation.access, operation.intent.id);
    if (!isOutdated(answer, operation.name, intent.status)) return answer;
    await wait(LOOK_EVERY_MS);
  }
}

type RefusedAnswer = Extract<UpdateAnswer, { kind: 'refused' }>;

/** Whether a workflow has refused an operation because of a state that the payment has left. */
function isOutdated({ mayBeOutdated }: RefusedAnswer, operation: Operation['name'], status: PaymentStatus): boolean {
  return mayBeOutdated && refusalOf(operation, status) === undefined;
}

/** Starts the workflow, or another run of it, where none runs. With `respondAsync` only acceptance is waited for. */
async function askRunning(
  dependencies: PaymentIntentDependencies,
  operation: Operation,
  deadline: number,
): Promise<UpdateAnswer> {
  const { ask, respondAsync, intent } = operation;
  let answer: UpdateAnswer = { kind: 'not_started' };
  for (let run = 0; run < RUNS_AT_MOST; run += 1) {
    answer = await ask(respondAsync ? 0 : Math.max(1, deadline - Date.now()));
    if (answer.kind === 'not_started') await dependencies.workflows.start(workflowInputOf(intent));
    else if (answer.kind !== 'finished' || !(await takeOverEnded(dependencies, operation))) return answer;
  }
  return answer;
}

/** Starts another run for a payment that is open though its workflow has ended; false where the payment has ended. */
async function takeOverEnded(
  { database, workflows }: PaymentIntentDependencies,
  operation: Operation,
): Promise<boolean> {
  const { intent } = await readIntent(database, operation.access, operation.intent.id);
  if (isTerminal(intent.status)) return false;
  await workflows.takeOver(workflowInputOf(intent), 'ended');
  return true;
}

async function answerDone(
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
  update: () => false,
};

/** Only a POST has an idempotency key. */
const HOW_TO_REPEAT: Readonly<Record<Operation['name'], string>> = {
  confirm: 'repeat the request with its idempotency key',
  cancel: 'repeat the request with its idempotency key',
  capture: 'repeat the request with its idempotency key',
  update: 'repeat the request',
};

async function answerPending(
  dependencies: PaymentIntentDependencies,
  operation: Operation,
  deadline: number,
): Promise<Answer> {
  const { database } = dependencies;
  const { name, access, intent, operationId, respondAsync, success } = operation;
  // What is acknowledged has to be on disk: until then only Temporal knows of it, where a person may end it.
  const taken = respondAsync ? await waitForOperation(database, operation, deadline, (found) => found !== null) : null;
  const stored = await readIntent(database, access, intent.id);
  const result = taken === null ? null : resultOf(taken, taken.status);
  if (result !== null) return await answerDone(dependencies, operation, result);
  if (taken !== null || TAKEN_UP[name](stored.intent.status)) return answerWithIntent(access, stored, success);
  if (isTerminal(stored.intent.status)) {
    // It ended as the wait did; only the workflow's answer tells whether this operation failed, and of what.
    const late = await operation.ask(LATE_ANSWER_WAIT_MS);
    if (late.kind === 'done') return await answerDone(dependencies, operation, late.result);
  }
  const found = name === 'capture' ? await readOperation(database, intent.id, operationId) : null;
  throw new ApiError(found?.lastCode ?? 'SERVICE_UNAVAILABLE', {
    message: `The outcome is not known yet; ask for the payment intent, or ${HOW_TO_REPEAT[name]}.`,
    retryAfterSeconds: OUTCOME_RETRY_AFTER_SECONDS,
    isUndecided: true,
    details: { paymentIntent: presentStored(access, stored, success?.additions ?? {}) },
  });
}

/** An operation that an earlier run has taken up has its own answer; any other was refused. */
async function answerRefused(
  dependencies: PaymentIntentDependencies,
  operation: Operation,
  answer: Extract<UpdateAnswer, { kind: 'refused' | 'finished' }>,
  deadline: number,
): Promise<Answer> {
  const { database } = dependencies;
  const { name, access, intent, onRefused, respondAsync } = operation;
  if (name !== 'update') {
    const found = await waitForOperation(
      database,
      operation,
      deadline,
      (each) => each === null || respondAsync || isAnswered(each),
    );
    const result = found === null ? null : resultOf(found, found.status);
    if (result !== null) return await answerDone(dependencies, operation, result);
    if (found !== null) return await answerPending(dependencies, operation, deadline);
  }
  const { status } = (await readIntent(database, access, intent.id)).intent;
  const isForNow = answer.kind === 'finished' ? !isTerminal(status) : isOutdated(answer, name, status);
  if (isForNow) throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: OUTCOME_RETRY_AFTER_SECONDS });
  await onRefused?.();
  throw refusal(answer.kind === 'refused' ? answer.code : (refusalOf(name, status) ?? 'STATE_CONFLICT'), status);
}

const isAnswered = (operation: OperationOfPayment): boolean => resultOf(operation, operation.status) !== null;

/** How often the row of an operation is read while it is waited for. */
const LOOK_EVERY_MS = 100;

/**
 * Waits until the row of an operation is as it should be.
 * @returns as it is then, or at the deadline; null when there is none
 */
async function waitForOperation(
  database: Database,
  { intent, operationId }: Operation,
  deadline: number,
  isReady: (operation: OperationOfPayment | null) => boolean,
): Promise<OperationOfPayment | null> {
  for (;;) {
    const found = await readOperation(database, intent.id, operationId);
    if (isReady(found) || Date.now() >= deadline) return found;
    await wait(LOOK_EVERY_MS);
  }
}

function refusal(code: 'STATE_CONFLICT' | 'PAYMENT_EXPIRED', status: PaymentStatus): ApiError {
  return new ApiError(code, { message: ERROR_CATALOGUE[code].message, details: { status } });
}
