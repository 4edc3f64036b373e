import type { AuditAction } from './audit.ts';
import type { DisputeFacts, StoredReport } from './dispute.ts';
import type { EventType } from './events.ts';
import type { JsonObject } from './json.ts';
import type { OperationChange } from './operation.ts';
import type {
  Advisory,
  Attempt,
  CancellationReason,
  LastError,
  MaskedCard,
  NextAction,
  PaymentError,
  PaymentTerms,
  Transaction,
} from './payment.ts';
import { canTransition, INITIAL_STATUS, isLateTransition, type PaymentStatus } from './payment-state.ts';
import type { FraudWarning } from './provider-outcome.ts';
import type { ReversedStrayCharge, StrayChargeChange } from './stray-charge.ts';
import { SECOND_MS } from './time.ts';

/** The columns of an intent that its workflow writes. */
export interface IntentColumns {
  readonly status: PaymentStatus;
  readonly paymentMethodId: string | null;
  readonly provider: string | null;
  readonly nextAction: NextAction | null;
  readonly lastError: LastError | null;
  readonly advisory: Advisory | null;
  readonly cancellationReason: CancellationReason | null;
  readonly amountCapturableMinor: number;
  readonly amountCapturedMinor: number;
  /** Until when the money can be captured, ISO 8601 UTC; null where none is held. */
  readonly captureBefore: string | null;
}

/** The columns of an intent that is new. */
export const INITIAL_COLUMNS: IntentColumns = {
  status: INITIAL_STATUS,
  paymentMethodId: null,
  provider: null,
  nextAction: null,
  lastError: null,
  advisory: null,
  cancellationReason: null,
  amountCapturableMinor: 0,
  amountCapturedMinor: 0,
  captureBefore: null,
};

/** A payment as recorded. */
export interface PaymentRecord {
  readonly paymentIntentId: string;
  /** Raised by one with each recorded step. */
  readonly version: number;
  readonly terms: PaymentTerms;
  readonly columns: IntentColumns;
  readonly attempts: readonly Attempt[];
  /** When the intent entered its state, ISO 8601 UTC. */
  readonly statusSince: string;
  /** When it expires, ISO 8601 UTC. */
  readonly expiresAt: string;
}

type TimelineKind = 'created' | 'updated' | 'decision' | 'attempt' | 'inquiry' | 'timer' | 'request' | 'provider_event';

/** One entry of the payment's timeline. */
export interface TimelineEntry {
  readonly kind: TimelineKind;
  readonly summary: string;
  readonly details?: JsonObject;
}

/** A dispute as a step leaves it. */
export interface DisputeChange {
  readonly id: string;
  readonly attemptId: string;
  readonly provider: string;
  readonly providerReference: string;
  readonly facts: DisputeFacts;
  /** All reports of it, in the order of their arrival. */
  readonly reports: readonly StoredReport[];
  /** How much of the capture cannot be refunded because of it, in minor units. */
  readonly blockedMinor: number;
  /** Set where the operation under way has ended; `error` says why it failed, null if the provider has carried it out. */
  readonly operationEnd?: { readonly operationId: string; readonly error: PaymentError | null };
}

/** An event to be published with the step; `failure` is what `payment-failed` carries. */
export interface NewEvent {
  readonly type: EventType;
  readonly failure?: PaymentError;
  /** Set for events about a transaction of this step. */
  readonly transactionId?: string;
  /** Set where a stray charge was reversed. */
  readonly strayCharge?: ReversedStrayCharge;
  /** Set where a provider warns of fraud. */
  readonly fraudWarning?: FraudWarning & { readonly provider: string };
  /** Set for events about the dispute of this step. */
  readonly disputeId?: string;
}

/** An entry of the audit log about support staff. */
interface SupportAudit {
  readonly action: Extract<AuditAction, `payment_intent.${string}`>;
  /** Who did it, in their own words. */
  readonly by: string;
  readonly change: JsonObject;
}

/** The changes of one step; a property that is absent changes nothing. */
export interface PaymentStep {
  /** The state in which the step was decided; in any other it is refused. Absent if it applies in every state. */
  readonly from?: PaymentStatus;
  readonly to?: PaymentStatus;
  readonly columns?: Partial<Omit<IntentColumns, 'status'>>;
  /** Attempts that are new or have moved on. */
  readonly attempts?: readonly Attempt[];
  readonly transactions?: readonly Transaction[];
  /** At least one entry: entries carry the step's id, by which a repeat is recognised. */
  readonly timeline: readonly [TimelineEntry, ...TimelineEntry[]];
  readonly events?: readonly NewEvent[];
  /** Providers that gave no usable answer in this step, and those that did. */
  readonly providerHealth?: readonly { readonly provider: string; readonly available: boolean }[];
  /** The token whose CVC is no longer needed after this step; once the intent is authorized or ends, a trigger erases all. */
  readonly eraseCvcOf?: string;
  /** The card that a stored token stands for, as its provider reports it. */
  readonly reportedCard?: { readonly paymentMethodId: string; readonly card: MaskedCard };
  /** The operation that this step begins or answers. */
  readonly operation?: OperationChange;
  /** An attempt that support staff ended as not charged. If its provider has charged after all, the charge is reversed. */
  readonly suspectedCharge?: { readonly attemptId: string };
  /** What support staff have done, for the audit log. */
  readonly audit?: SupportAudit;
  /** The time by which the payment grows older because its account's test clock was advanced: its deadlines come closer. */
  readonly testClockSeconds?: number;
  /** The stray charge that ends with this step. */
  readonly strayCharge?: StrayChargeChange;
  /** The provider reports, after the end of the payment, that a capture has failed after all, or was made again. */
  readonly isLateReport?: true;
  /** A provider reports a dispute of the payment, or warns of one. */
  readonly isDisputed?: true;
  /** The dispute that is new, or has moved on. */
  readonly dispute?: DisputeChange;
}

/**
 * The payment after a step.
 * @throws Error when the step's state may not follow the present one, or an ended attempt would change: that is a bug
 */
export function advance(payment: PaymentRecord, step: PaymentStep, at: string): PaymentRecord {
  const { status } = payment.columns;
  const to = step.to ?? status;
  const moves = to !== status;
  const isAllowed = canTransition(status, to) || (step.isLateReport === true && isLateTransition(status, to));
  if (moves && !isAllowed) throw new Error(`${status} may not become ${to}`);
  const ended = step.attempts?.find(({ id }) => hasEnded(payment, id));
  if (ended !== undefined) throw new Error(`${ended.id} has ended and may not change`);
  const { statusSince, expiresAt, captureBefore } = timesOf(payment, step);
  const columns = { ...payment.columns, captureBefore, ...step.columns, status: to };
  return {
    ...payment,
    version: payment.version + 1,
    columns: endsAdvisory(payment, step, moves) ? { ...columns, advisory: null } : columns,
    attempts: mergeAttempts(payment.attempts, step.attempts ?? []),
    statusSince: moves ? at : statusSince,
    expiresAt,
  };
}

/** An advisory ends with the state that it is about; that of a stray charge ends with its reversal, whatever becomes of the payment. */
function endsAdvisory({ columns: { advisory } }: PaymentRecord, { strayCharge }: PaymentStep, moves: boolean): boolean {
  return advisory?.operation === 'reversal' ? strayCharge !== undefined : moves;
}

function timesOf(
  { statusSince, expiresAt, columns: { captureBefore } }: PaymentRecord,
  { testClockSeconds = 0 }: PaymentStep,
) {
  if (testClockSeconds === 0) return { statusSince, expiresAt, captureBefore };
  return {
    statusSince: earlierBy(testClockSeconds, statusSince),
    expiresAt: earlierBy(testClockSeconds, expiresAt),
    captureBefore: captureBefore === null ? null : earlierBy(testClockSeconds, captureBefore),
  };
}

/** @param time ISO 8601 UTC, as the result */
export function earlierBy(seconds: number, time: string): string {
  return new Date(Date.parse(time) - seconds * SECOND_MS).toISOString();
}

/** The summary of a step: that of its last timeline entry. */
export function summaryOf({ timeline }: Pick<PaymentStep, 'timeline'>): string {
  return (timeline.at(-1) ?? timeline[0]).summary;
}

/** Whether a step still applies: the payment is in the state that the step expects, and its attempts have not ended. */
export function appliesTo({ from, attempts = [] }: PaymentStep, payment: PaymentRecord): boolean {
  return (from === undefined || from === payment.columns.status) && !attempts.some(({ id }) => hasEnded(payment, id));
}

function hasEnded({ attempts }: PaymentRecord, attemptId: string): boolean {
  return attempts.some(({ id, outcome }) => id === attemptId && outcome !== null);
}

function mergeAttempts(attempts: readonly Attempt[], moved: readonly Attempt[]): readonly Attempt[] {
  const kept = attempts.filter(({ id }) => !moved.some((attempt) => attempt.id === id));
  const known = new Map(attempts.map((attempt) => [attempt.id, attempt]));
  return [...kept, ...moved.map((attempt) => moveOn(known.get(attempt.id), attempt))].sort(
    (a, b) => a.number - b.number,
  );
}

/** As the rows do it: a step decided before the provider named the payment, or before a later try, takes neither back. */
function moveOn(known: Attempt | undefined, moved: Attempt): Attempt {
  if (known === undefined) return moved;
  const providerPaymentId = moved.providerPaymentId ?? known.providerPaymentId;
  return { ...moved, providerPaymentId, tries: Math.max(known.tries, moved.tries) };
}

/** How long after a step the sweeper checks the payment's workflow. */
export const CHECK_AFTER_MS = 15 * SECOND_MS;

/** The failure of an update whose stored row was purged before the update was applied. */
export const PAYMENT_UPDATE_GONE = 'PAYMENT_UPDATE_GONE';

/**
 * The failure of a step that was decided on stale data: another run has taken the payment over, or another step was recorded
 * first. The run has to read the payment again.
 */
export const RUN_OUT_OF_DATE = 'RUN_OUT_OF_DATE';

/** The failure of a step whose payment is older than the workflow's history: the database was restored from a backup. */
export const DATABASE_BEHIND_HISTORY = 'DATABASE_BEHIND_HISTORY';

/** A failure as people see it, without the time that a `LastError` adds. */
export function withoutTime({ at: _, ...error }: LastError): PaymentError {
  return error;
}
