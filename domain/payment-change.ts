import type { EventType } from './events.ts';
import type { JsonObject } from './json.ts';
import type {
  Advisory,
  Attempt,
  CancellationReason,
  LastError,
  NextAction,
  PaymentError,
  Transaction,
} from './payment.ts';
import type { PaymentStatus } from './payment-state.ts';

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
}

export type TimelineKind =
  'created' | 'amended' | 'decision' | 'attempt' | 'inquiry' | 'timer' | 'request' | 'provider_event';

/** One line of the payment's story. */
export interface TimelineEntry {
  readonly kind: TimelineKind;
  readonly summary: string;
  readonly details?: JsonObject;
}

/** An event to be published with the change; `failure` is what `payment-failed` carries. */
export interface NewEvent {
  readonly type: EventType;
  readonly failure?: PaymentError;
  /** Set for events about a transaction of this change. */
  readonly transactionId?: string;
}

/**
 * One step of a payment, recorded in one statement: the intent's columns, its attempts, money, story and events.
 * `fromVersion` makes it exactly-once: it applies to that version of the row only and raises it.
 */
export interface PaymentChange {
  readonly paymentIntentId: string;
  readonly fromVersion: number;
  readonly at: string;
  readonly columns: IntentColumns;
  /** Every attempt of the payment, as it is after this step. */
  readonly attempts: readonly Attempt[];
  readonly transactions: readonly Transaction[];
  /** Transactions of the payment after this step, refunds not counted. */
  readonly transactionCount: number;
  readonly timeline: readonly TimelineEntry[];
  readonly events: readonly NewEvent[];
  /** Providers that gave no usable answer in this step, and those that did. */
  readonly providerHealth: readonly { readonly provider: string; readonly available: boolean }[];
  /** The token whose CVC is no longer needed after this step; a terminal state erases every CVC of the intent. */
  readonly eraseCvcOf: string | null;
}

/** The type of the failure with which an amendment is answered whose parcel has been purged: it does not apply. */
export const AMENDMENT_GONE = 'AMENDMENT_GONE';

/**
 * The type of the failure of a step that another run has overtaken: the workflow was reset or started anew, and what it
 * knows is not what holds. Its run has to end.
 */
export const RECORD_OVERTAKEN = 'RECORD_OVERTAKEN';
