import { activityInfo, ApplicationFailure, log } from '@temporalio/activity';
import {
  advance,
  appliesTo,
  DATABASE_BEHIND_HISTORY,
  type PaymentRecord,
  type PaymentStep,
  RUN_OUT_OF_DATE,
} from '../domain/payment-step.ts';
import type { Attempt, OperationResult } from '../domain/payment.ts';
import { type PaymentStore, retryOnConflict, type StoredPayment } from '../prisma/stores/payment-store.ts';
import type { StepWrite } from '../prisma/queries/payment-step.ts';
import type { KnownPayment, RecordStepRequest } from '../protocol/payment-activities.ts';

/** The workflow run that writes a step, and the step's id. */
export interface StepIdentity {
  readonly runId: string;
  /** The same for each try of the activity. */
  readonly stepId: string;
}

/** The identity of a step of the activity that runs now. */
export function stepIdentity(part: string): StepIdentity {
  const { workflowExecution, activityId } = activityInfo();
  if (workflowExecution === undefined) throw new Error('steps are written for workflows only');
  const { runId } = workflowExecution;
  return { runId, stepId: `${runId}:${activityId}:${part}` };
}

/**
 * Writes one step of a payment, exactly once and only over the version that was read: of two concurrent writers one reads
 * again. A repeat finds the step by its id and changes nothing.
 * @returns the payment as it is recorded after the step
 * @throws ApplicationFailure of the types `RUN_OUT_OF_DATE` and `DATABASE_BEHIND_HISTORY`
 */
export function recordStep(
  store: PaymentStore,
  { paymentIntentId, knownVersion, step, at }: RecordStepRequest,
  identity: StepIdentity,
): Promise<PaymentRecord> {
  const operationIds = step.operation === undefined ? [] : [step.operation.id];
  return retryOnConflict(paymentIntentId, async () => {
    const stored = await store.read({ paymentIntentId, stepIds: [identity.stepId], operationIds });
    const own = requireOwn(stored, { paymentIntentId, knownVersion }, identity.runId);
    if (own.recordedSteps.length > 0 || repeatsAdvisory(step, own.record)) return own.record;
    if (isAnsweredAlready(step, own)) throw staleRun(paymentIntentId, 'the operation has its answer already');
    const written = await writeOver(store, own.record, { step, at }, identity);
    // The statement adds to an advisory why the provider does not answer.
    return written !== null && raisesAdvisory(step)
      ? ((await store.read({ paymentIntentId }))?.record ?? written)
      : written;
  });
}

function raisesAdvisory({ columns: { advisory = null } = {} }: PaymentStep): boolean {
  return advisory !== null;
}

/** Whether a step would inform the merchant a second time: the sweeper may have recorded the advisory while the run's task failed. */
function repeatsAdvisory({ columns: { advisory = null } = {} }: PaymentStep, { columns }: PaymentRecord): boolean {
  return advisory !== null && columns.advisory?.code === advisory.code;
}

/**
 * Whether a step would answer an operation a second time: the request was repeated after another run had taken the payment over.
 * The end of an attempt replaces the answer that the customer has to act.
 */
function isAnsweredAlready({ operation, attempts }: PaymentStep, stored: StoredPayment): boolean {
  if (operation === undefined || operation.result === null || attempts !== undefined) return false;
  return storedResult(stored, operation.id) !== null;
}

/** The stored answer to an operation that was read with the payment; null if it has none. */
export function storedResult({ operations }: StoredPayment, operationId: string | null): OperationResult | null {
  return operations.find(({ id }) => id === operationId)?.result ?? null;
}

/**
 * Writes a step over the version of the payment that was read.
 * @returns the payment after the step; null if another step was written in between, the attempt of `opens` may not begin, or the
 *   hold to capture has lapsed
 * @throws ApplicationFailure of the type `RUN_OUT_OF_DATE` when the step does not apply to the payment's state
 */
export async function writeOver(
  store: PaymentStore,
  record: PaymentRecord,
  { step, at, ...condition }: Pick<StepWrite, 'step' | 'at' | 'opens' | 'capturesHold'>,
  identity: StepIdentity,
): Promise<PaymentRecord | null> {
  if (!appliesTo(step, record)) throw staleRun(record.paymentIntentId, 'the step was decided on an earlier state');
  if (changesUnrecordedAttempt(step, record)) throw staleRun(record.paymentIntentId, 'the attempt is not recorded');
  const after = advance(record, step, at);
  return (await store.write({ step, after, at, ...condition, ...identity })) ? after : null;
}

/**
 * Whether a step changes an attempt that is not recorded, and does not open it: the intention was lost, for example in a failover of
 * the database, and the attempt has to be opened again. Only a step that ends an attempt without a charge may record one that was
 * never opened.
 */
function changesUnrecordedAttempt({ to, attempts = [] }: PaymentStep, payment: PaymentRecord): boolean {
  if (to === 'processing') return false;
  return attempts.some(
    (attempt) => attempt.outcome !== 'not_charged' && attempt.outcome !== 'canceled' && !isRecorded(payment, attempt),
  );
}

/** Whether an attempt was opened, according to the rows. */
export function isRecorded({ attempts }: PaymentRecord, { id }: Pick<Attempt, 'id'>): boolean {
  return attempts.some((recorded) => recorded.id === id);
}

/**
 * The payment, if it belongs to this run and is not older than the version that the run has seen.
 * @throws ApplicationFailure of the types `RUN_OUT_OF_DATE` and `DATABASE_BEHIND_HISTORY`
 */
export function requireOwn(stored: StoredPayment | null, known: KnownPayment, runId: string): StoredPayment {
  const upToDate = requireNotOlder(stored, known);
  if (upToDate.runId !== null && upToDate.runId !== runId) {
    throw staleRun(known.paymentIntentId, `run ${upToDate.runId} has taken it over`);
  }
  return upToDate;
}

/** @throws ApplicationFailure of the type `DATABASE_BEHIND_HISTORY` */
export function requireNotOlder(
  stored: StoredPayment | null,
  { paymentIntentId, knownVersion }: KnownPayment,
): StoredPayment {
  if (stored !== null && stored.record.version >= knownVersion) return stored;
  const has = stored === null ? 'no such payment' : `version ${stored.record.version}`;
  const message = `${paymentIntentId}: the history knows version ${knownVersion}, the database has ${has}. It was restored from a backup, or it is another one.`;
  log.error(message, { paymentIntentId, alert: DATABASE_BEHIND_HISTORY });
  throw ApplicationFailure.nonRetryable(message, DATABASE_BEHIND_HISTORY);
}

export function staleRun(paymentIntentId: string, reason: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(`${paymentIntentId}: ${reason}`, RUN_OUT_OF_DATE);
}

/** The time of a step that an activity decides. */
export function timeNow(): string {
  return new Date().toISOString();
}
