import type { AttemptAdvice } from './decline-advice.ts';
import type { ErrorCode } from './error-catalogue.ts';
import type { JsonObject } from './json.ts';
import type { PaymentStatus } from './payment-state.ts';
import type { SavedMethodUse } from './saved-payment-method.ts';

export const ENVIRONMENTS = ['sandbox', 'production'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** Payment methods that can be confirmed with. */
export const PAYMENT_METHOD_TYPES = ['card', 'upi', 'crypto'] as const;
export type PaymentMethodType = (typeof PAYMENT_METHOD_TYPES)[number];

/** What may be shown of a card. */
export interface MaskedCard {
  readonly type: 'card';
  /** In lower case with underscores; `unknown` where it is not known. */
  readonly brand: string;
  /** Null, as the expiry, while only the provider knows the card that its token stands for. */
  readonly last4: string | null;
  readonly expiryMonth: number | null;
  readonly expiryYear: number | null;
}

/** A masked payment method. */
export type MaskedPaymentMethod =
  | MaskedCard
  /** Without an address if the customer pays by link or QR code. */
  | { readonly type: 'upi'; readonly vpa: string | null }
  | { readonly type: 'crypto'; readonly asset: string; readonly network: string };

export const CAPTURE_METHODS = ['automatic', 'manual'] as const;
export type CaptureMethod = (typeof CAPTURE_METHODS)[number];

/** Reasons a merchant may give for a cancellation. */
export const REQUESTED_CANCELLATION_REASONS = [
  'requested_by_customer',
  'duplicate',
  'fraudulent',
  'abandoned',
] as const;

/** Why an intent ended as `canceled`: what the merchant said, or what the engine decided. */
export const CANCELLATION_REASONS = [
  ...REQUESTED_CANCELLATION_REASONS,
  'requested_by_operator',
  'retries_exhausted',
  'authorization_lapsed',
] as const;
export type CancellationReason = (typeof CANCELLATION_REASONS)[number];

/** What is to be paid, and how. The part of an intent that routing and providers need. */
export interface PaymentTerms {
  readonly amountMinor: number;
  readonly currency: string;
  /** ISO 3166-1 alpha-2; null where it is not known. */
  readonly country: string | null;
  readonly captureMethod: CaptureMethod;
  /** The merchant's own identifier, such as an order number; null, or absent, for none. */
  readonly reference?: string | null;
}

/** A crypto deposit that the customer has to make. The amount is a decimal string in the asset's own precision, never a float. */
interface CryptoDeposit {
  readonly type: 'crypto_deposit';
  readonly asset: string;
  readonly network: string;
  readonly address: string;
  readonly amount: string;
  /** How many blocks must follow the deposit's own before it counts. */
  readonly confirmationsRequired: number;
  /** Until when the quote is valid, ISO 8601 UTC; absent where the provider gives no time. */
  readonly expiresAt?: string | undefined;
}

/** What the customer has to do before the provider goes on. */
export type NextAction = { readonly type: 'redirect'; readonly url: string } | UpiApproval | CryptoDeposit;

/** The customer approves in a UPI app. */
interface UpiApproval {
  readonly type: 'approve_in_app';
  readonly app: 'upi';
  /** `upi://pay?…`, which opens an app on a phone and can be scanned as a QR code; absent where the provider gives none. */
  readonly link?: string | undefined;
}

/** What a UPI link looks like: printable ASCII without spaces. */
export const UPI_LINK = /^upi:\/\/pay\?[\x21-\x7e]{1,2000}$/;

/** A failure as merchants and clients see it. */
export interface PaymentError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: JsonObject;
}

/** The last failure of an intent, with its time (ISO 8601 UTC). */
export interface LastError extends PaymentError {
  readonly at: string;
}

/** What may wait for a provider besides the outcome of an attempt: closing it, capturing or voiding its hold, refund, reversal. */
export const WAITING_OPERATIONS = ['close', 'capture', 'void', 'refund', 'reversal'] as const;
export type WaitingOperation = (typeof WAITING_OPERATIONS)[number];

/** The codes of advisories: no outcome in `processing`, or another operation that its provider has not answered for minutes. */
/** Why nobody can say how what waits will end. */
export const ADVISORY_REASONS = ['credentials_refused'] as const;

export const ADVISORY_CODES = ['PAYMENT_STUCK', 'WAITING_FOR_PROVIDER'] as const;

/** A notice that does not change the state. */
export interface Advisory {
  readonly code: (typeof ADVISORY_CODES)[number];
  /** Since when the payment is stuck, or the operation waits, ISO 8601 UTC. */
  readonly since: string;
  /** What waits for the provider; absent of a payment in `processing`, which waits for its outcome. */
  readonly operation?: WaitingOperation;
  /** Why the provider does not answer; absent where that is not known. The statement that writes the row adds it. */
  readonly reason?: (typeof ADVISORY_REASONS)[number];
}

/** Rows have null where a member is absent. */
type Nullable<Type> = { readonly [Key in keyof Type]: Type[Key] | null };

/** How an attempt ended; null while it is open. */
export const ATTEMPT_OUTCOMES = ['approved', 'declined', 'failed', 'not_charged', 'canceled'] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** One route tried for one intent, with what its decline told the merchant to do. */
export interface Attempt extends Nullable<AttemptAdvice> {
  readonly id: string;
  /** From 1, across all confirms of the intent. */
  readonly number: number;
  readonly routeId: string;
  readonly provider: string;
  readonly paymentMethodId: string;
  readonly amountMinor: number;
  readonly currency: string;
  /** Calls made to the provider, retries included; while the attempt is open, at least the one under way. 0 if it was never opened. */
  readonly tries: number;
  readonly outcome: AttemptOutcome | null;
  readonly code: ErrorCode | null;
  readonly providerPaymentId: string | null;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  /** How a saved payment method is used; absent or null where none is. */
  readonly savedUse?: SavedMethodUse | null;
  /** The confirm operation that opened the attempt; a repeat of that request finds the attempt by it. */
  readonly operationId: string | null;
}

/**
 * How many attempts of the budget are used up: all but those that were never opened, by which nothing was sent to any provider.
 * @param present counts by itself, whether it is among the recorded ones or not
 */
export function usedAttempts(recorded: readonly Attempt[], present: Attempt): number {
  const others = recorded.filter(({ id }) => id !== present.id);
  return [...others, present].filter(({ tries }) => tries > 0).length;
}

/** The attempt under way. */
export function openAttemptOf(attempts: readonly Attempt[]): Attempt | undefined {
  return attempts.find(({ outcome }) => outcome === null);
}

export const TRANSACTION_TYPES = [
  'authorization',
  'capture',
  'void',
  'refund',
  'capture_reversal',
  'chargeback',
  'chargeback_reversal',
] as const;
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

/** Money that moved or was held. */
export interface Transaction {
  readonly id: string;
  readonly attemptId: string;
  readonly type: TransactionType;
  readonly amountMinor: number;
  readonly currency: string;
  readonly provider: string;
  /** The provider's own id: of the payment, of the refund, or of the dispute. */
  readonly providerPaymentId: string;
}

/** The result of an operation: the payment's state after it, and the error if it failed. */
export interface OperationResult {
  readonly status: PaymentStatus;
  readonly error: PaymentError | null;
}
