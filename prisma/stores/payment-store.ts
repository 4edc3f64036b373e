import type { AttemptOpening, OpeningRefusal } from '../../domain/attempt-opening.ts';
import type { StoredOperation } from '../../domain/operation.ts';
import type { Environment, PaymentTerms } from '../../domain/payment.ts';
import { advance, type PaymentRecord, type PaymentStep } from '../../domain/payment-step.ts';
import type { Database } from '../connection/client.ts';
import {
  applyPaymentUpdate,
  type PaymentQuery,
  type PaymentUpdateWrite,
  selectHasLapsed,
  selectOpeningRefusal,
  selectPayment,
} from '../queries/payment.ts';
import { type StepWrite, type WrittenStep, writeStep } from '../queries/payment-step.ts';
import { noteStrayCharge, type StrayChargeReference } from '../queries/stray-charge.ts';
import { selectTestClockLag } from '../queries/test-clock.ts';
import type { RowOf } from '../connection/statement.ts';

/** A payment as recorded, with what is needed to record its next step. */
export interface StoredPayment {
  readonly record: PaymentRecord;
  readonly environment: Environment;
  /** The workflow run that the payment belongs to; null before the first step. */
  readonly runId: string | null;
  /** Which of the named steps are recorded already. */
  readonly recordedSteps: readonly string[];
  /** Operations without an answer, and those that the query names. */
  readonly operations: readonly StoredOperation[];
  /** The merchant's own data that providers receive. Return URL and metadata stay out of Temporal's histories. */
  readonly merchantData: {
    readonly reference: string | null;
    readonly returnUrl: string | null;
    readonly metadata: Readonly<Record<string, string>>;
  };
  /** Whether a stray charge of the payment is not reversed yet. */
  readonly hasStrayCharge: boolean;
}

/** Reads payments and writes their steps, each in one statement. */
export interface PaymentStore {
  /** Null when there is no such intent. */
  read(query: PaymentQuery): Promise<StoredPayment | null>;
  /** Writes a step over the version before it; false when the row has another version, an attempt may not begin, or a hold has lapsed. */
  write(write: StepWrite): Promise<boolean>;
  /** Why an attempt of the payment may not begin now; null where it may. */
  openingRefusal(paymentIntentId: string, opening: AttemptOpening): Promise<OpeningRefusal | null>;
  /** Whether the held money of the payment cannot be captured any more, by the clock that decides on writes. */
  hasLapsed(paymentIntentId: string): Promise<boolean>;
  /** Applies a stored update and deletes it; null when it does not exist, or the payment's row has another version. */
  applyUpdate(write: PaymentUpdateWrite): Promise<PaymentTerms | null>;
  /** Records a stray charge, once, so that it is reversed. */
  noteStrayCharge(charge: StrayChargeReference): Promise<void>;
  /** By how many seconds the test clock of the payment's account was advanced since the payment followed it. */
  testClockLag(paymentIntentId: string): Promise<number>;
}

/** @param onWritten called for each step that was written */
export function createPaymentStore(
  { direct }: Pick<Database, 'direct'>,
  onWritten: (write: StepWrite, payment: WrittenStep) => void = () => undefined,
): PaymentStore {
  return {
    read: async (query) => {
      const row = await direct.row(selectPayment(query));
      return row === undefined ? null : storedOf(query.paymentIntentId, row);
    },
    write: async (write) => {
      const payment = await direct.row(writeStep(write));
      if (payment !== undefined) onWritten(write, payment);
      return payment !== undefined;
    },
    openingRefusal: async (paymentIntentId, opening) =>
      (await direct.row(selectOpeningRefusal(paymentIntentId, opening)))?.refusal ?? null,
    hasLapsed: async (paymentIntentId) => (await direct.row(selectHasLapsed(paymentIntentId)))?.hasLapsed ?? false,
    applyUpdate: async (write) => (await direct.row(applyPaymentUpdate(write))) ?? null,
    noteStrayCharge: async (charge) => {
      await direct.execute(noteStrayCharge(charge));
    },
    testClockLag: async (paymentIntentId) => (await direct.row(selectTestClockLag(paymentIntentId)))?.seconds ?? 0,
  };
}

function storedOf(paymentIntentId: string, row: RowOf<ReturnType<typeof selectPayment>>): StoredPayment {
  const { version, terms, columns, attempts } = row;
  const [statusSince, expiresAt] = [row.statusSince.toISOString(), row.expiresAt.toISOString()];
  return {
    record: { paymentIntentId, version, terms, columns, attempts, statusSince, expiresAt },
    environment: row.environment,
    runId: row.runId,
    recordedSteps: row.recordedSteps,
    operations: row.operations,
    merchantData: { reference: terms.reference ?? null, returnUrl: row.returnUrl, metadata: row.metadata },
    hasStrayCharge: row.hasStrayCharge,
  };
}

/** Few others write the same payment, and each of them writes once. */
const MAXIMUM_CONFLICTS = 20;

/**
 * Repeats a read and the write that depends on it (optimistic concurrency).
 * @param readAndWrite returns null when another writer has changed the payment in between
 * @throws Error when every one of 21 tries finds a conflict
 */
export async function retryOnConflict<Result>(
  paymentIntentId: string,
  readAndWrite: () => Promise<Result | null>,
): Promise<Result> {
  for (let conflicts = 0; conflicts <= MAXIMUM_CONFLICTS; conflicts += 1) {
    const result = await readAndWrite();
    if (result !== null) return result;
  }
  throw new Error(`${paymentIntentId} was changed by others again and again`);
}

export interface OutsideStep {
  readonly paymentIntentId: string;
  /** The step, or how it follows from the payment as it is read; null records nothing. */
  readonly step:
    | PaymentStep
    | ((record: PaymentRecord, at: string) => PaymentStep | null | Promise<PaymentStep | null>);
  /** Identifies the step, so that a repeat is recognised. */
  readonly stepId: string;
  /** ISO 8601 UTC */
  readonly at: string;
}

/**
 * Writes a step of a payment from outside the payment's workflow, exactly once and, like the workflow's own steps, only over
 * the version that was read: of two concurrent writers one reads again. The payment still belongs to the same run, which
 * accepts any version later than the one that it has seen.
 * @param isWanted called after the payment was read; false drops the step
 */
export async function recordOutsideWorkflow(
  store: PaymentStore,
  { paymentIntentId, step: wanted, stepId, at }: OutsideStep,
  isWanted: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<void> {
  await retryOnConflict(paymentIntentId, async () => {
    const stored = await store.read({ paymentIntentId, stepIds: [stepId] });
    if (stored === null) throw new Error(`there is no ${paymentIntentId} to record anything of`);
    if (stored.recordedSteps.length > 0 || !(await isWanted())) return true;
    const { record, runId } = stored;
    const step = typeof wanted === 'function' ? await wanted(record, at) : wanted;
    if (step === null) return true;
    return (await store.write({ step, after: advance(record, step, at), stepId, runId, at })) || null;
  });
}
