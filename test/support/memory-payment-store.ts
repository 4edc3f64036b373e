import type { AttemptOpening, OpeningRefusal } from '../../domain/attempt-opening.ts';
import type { OperationChange, StoredOperation } from '../../domain/operation.ts';
import type { PaymentTerms } from '../../domain/payment.ts';
import type { PaymentRecord } from '../../domain/payment-step.ts';
import type { StrayChargeStatus } from '../../domain/stray-charge.ts';
import type { PaymentStore, StoredPayment } from '../../prisma/stores/payment-store.ts';
import type { PaymentQuery, PaymentUpdateWrite } from '../../prisma/queries/payment.ts';
import type { StepWrite } from '../../prisma/queries/payment-step.ts';
import type { StrayChargeReference } from '../../prisma/queries/stray-charge.ts';

type OperationRow = StoredOperation & Pick<OperationChange, 'lastCode'>;

/** A payment at one of its versions. */
interface Version {
  readonly record: PaymentRecord;
  readonly runId: string | null;
  readonly stepIds: readonly string[];
  readonly operations: ReadonlyMap<string, OperationRow>;
}

const MERCHANT_DATA = { reference: null, returnUrl: null, metadata: {} };

/** Payments in memory, under the same rules as in the database: a step is written over the version before it, or not. */
export class MemoryPaymentStore implements PaymentStore {
  /** Every step that was written, in order. */
  readonly writes: StepWrite[] = [];
  /** Stored updates that are not applied yet, by id. */
  readonly paymentUpdates = new Map<string, Partial<PaymentTerms>>();
  readonly strayCharges: StrayChargeReference[] = [];
  /** The states of stray charges, by attempt. */
  readonly strayChargeStatuses = new Map<string, StrayChargeStatus>();
  /** Routes over which no attempt may begin: inactive or deleted, or of a suspended merchant. */
  readonly closedRoutes = new Set<string>();
  /** Payment methods whose saved card was removed. */
  readonly removedReferences = new Set<string>();
  isClosed: (opening: AttemptOpening) => boolean = ({ routeId }) => this.closedRoutes.has(routeId);
  /** The clock by which attempts may begin. */
  clock: () => number = Date.now;
  /** How far the test clock of every payment's account is advanced. */
  testClockSeconds = 0;
  /** Called before each write; an error that it throws counts as the database's. */
  beforeWrite: (write: StepWrite) => Promise<void> = () => Promise.resolve();
  readonly #versions = new Map<string, Version[]>();

  /** Inserts a payment without steps, with its operations. */
  insert(record: PaymentRecord, operations: readonly StoredOperation[] = [], runId: string | null = null): void {
    const byId = new Map(operations.map((operation) => [operation.id, operation]));
    this.#versions.set(record.paymentIntentId, [{ record, runId, stepIds: [], operations: byId }]);
  }

  /** Assigns a payment to another run, as if that had written its last step. */
  assignToRun(paymentIntentId: string, runId: string): void {
    this.#add({ ...this.#latest(paymentIntentId), runId });
  }

  /** Changes the reference of a payment, as the API does beside its workflow. */
  changeReference(paymentIntentId: string, reference: string): void {
    const latest = this.#latest(paymentIntentId);
    const { version, terms } = latest.record;
    this.#add({ ...latest, record: { ...latest.record, version: version + 1, terms: { ...terms, reference } } });
  }

  /** Drops all but the first steps of a payment, like a database that is restored from a backup. */
  restore(paymentIntentId: string, version: number): void {
    const versions = this.#versions.get(paymentIntentId) ?? [];
    this.#versions.set(
      paymentIntentId,
      versions.filter(({ record }) => record.version <= version),
    );
  }

  has(paymentIntentId: string): boolean {
    return this.#versions.has(paymentIntentId);
  }

  operation(paymentIntentId: string, operationId: string): OperationRow | null {
    return this.#latest(paymentIntentId).operations.get(operationId) ?? null;
  }

  runIdOf(paymentIntentId: string): string | null {
    return this.#latest(paymentIntentId).runId;
  }

  read({ paymentIntentId, stepIds = [], operationIds = [] }: PaymentQuery): Promise<StoredPayment | null> {
    const latest = this.#versions.get(paymentIntentId)?.at(-1);
    if (latest === undefined) return Promise.resolve(null);
    const { record, runId } = latest;
    const recordedSteps = stepIds.filter((id) => latest.stepIds.includes(id));
    const operations = [...latest.operations.values()].filter(
      ({ id, result }) => result === null || operationIds.includes(id),
    );
    const hasStrayCharge = this.strayCharges.some(
      (charge) => charge.paymentIntentId === paymentIntentId && !this.#isSettled(charge),
    );
    const environment = 'sandbox';
    return Promise.resolve({
      record,
      environment,
      runId,
      recordedSteps,
      operations,
      merchantData: MERCHANT_DATA,
      hasStrayCharge,
    });
  }

  async write(write: StepWrite): Promise<boolean> {
    await this.beforeWrite(write);
    const { step, after, stepId, runId, opens, capturesHold } = write;
    const { record, stepIds, operations } = this.#latest(after.paymentIntentId);
    if (record.version !== after.version - 1) return false;
    if (opens !== undefined && opens.opening !== null && this.#refusalOf(record, opens.opening) !== null) return false;
    if (capturesHold === true && this.#hasLapsed(record)) return false;
    this.writes.push(write);
    const { suspectedCharge, strayCharge } = step;
    if (strayCharge !== undefined) this.strayChargeStatuses.set(strayCharge.attemptId, strayCharge.status);
    if (suspectedCharge !== undefined) {
      await this.noteStrayCharge({ ...suspectedCharge, paymentIntentId: after.paymentIntentId });
    }
    this.#add({
      record: after,
      runId,
      stepIds: [...stepIds, stepId],
      operations: withChange(operations, step.operation),
    });
    return true;
  }

  openingRefusal(paymentIntentId: string, opening: AttemptOpening): Promise<OpeningRefusal | null> {
    return Promise.resolve(this.#refusalOf(this.#latest(paymentIntentId).record, opening));
  }

  hasLapsed(paymentIntentId: string): Promise<boolean> {
    return Promise.resolve(this.#hasLapsed(this.#latest(paymentIntentId).record));
  }

  #hasLapsed({ columns: { captureBefore } }: PaymentRecord): boolean {
    return captureBefore !== null && Date.parse(captureBefore) <= this.clock();
  }

  #refusalOf({ expiresAt }: PaymentRecord, opening: AttemptOpening): OpeningRefusal | null {
    if (Date.parse(expiresAt) <= this.clock()) return 'expired';
    if (Date.parse(opening.before) <= this.clock()) return 'too_late';
    if (this.removedReferences.has(opening.savedReferenceId ?? '')) return 'saved_card_unusable';
    return this.isClosed(opening) ? 'not_routable' : null;
  }

  applyUpdate({
    paymentIntentId,
    paymentUpdateId,
    fromVersion,
    stepId,
    runId,
  }: PaymentUpdateWrite): Promise<PaymentTerms | null> {
    const { record, stepIds, operations } = this.#latest(paymentIntentId);
    const changes = this.paymentUpdates.get(paymentUpdateId);
    if (changes === undefined || record.version !== fromVersion) return Promise.resolve(null);
    this.paymentUpdates.delete(paymentUpdateId);
    const terms = { ...record.terms, ...changes };
    const after = { ...record, version: fromVersion + 1, terms };
    this.#add({ record: after, runId, stepIds: [...stepIds, stepId], operations });
    return Promise.resolve(terms);
  }

  noteStrayCharge(charge: StrayChargeReference): Promise<void> {
    const { attemptId } = charge;
    const status = this.strayChargeStatuses.get(attemptId);
    if (status === undefined) this.strayCharges.push(charge);
    if (status === undefined || status === 'unfounded') this.strayChargeStatuses.set(attemptId, 'pending');
    return Promise.resolve();
  }

  /** Whether a stray charge keeps nobody from confirming any more. */
  #isSettled({ attemptId }: StrayChargeReference): boolean {
    const status = this.strayChargeStatuses.get(attemptId);
    return status === 'reversed' || status === 'unfounded';
  }

  testClockLag(paymentIntentId: string): Promise<number> {
    const steps = this.writes.filter(({ after }) => after.paymentIntentId === paymentIntentId);
    const followed = steps.reduce((sum, { step }) => sum + (step.testClockSeconds ?? 0), 0);
    return Promise.resolve(this.testClockSeconds - followed);
  }

  #latest(paymentIntentId: string): Version {
    const version = this.#versions.get(paymentIntentId)?.at(-1);
    if (version === undefined) throw new Error(`there is no ${paymentIntentId}`);
    return version;
  }

  #add(version: Version): void {
    this.#versions.get(version.record.paymentIntentId)?.push(version);
  }
}

/** A later change of an operation sets its result; its request stays. */
function withChange(
  operations: ReadonlyMap<string, OperationRow>,
  change: OperationChange | undefined,
): ReadonlyMap<string, OperationRow> {
  if (change === undefined) return operations;
  const { id, kind, request = null, result, lastCode } = change;
  const before = operations.get(id) ?? { id, kind, request };
  const row = { ...before, result, ...(lastCode === undefined ? {} : { lastCode }) };
  return new Map([...operations, [id, row]]);
}
