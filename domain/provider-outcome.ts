import type { Advised } from './decline-advice.ts';
import type { DisputeReport } from './dispute.ts';
import type { ErrorCode } from './error-catalogue.ts';
import type { JsonObject } from './json.ts';
import type { CaptureMethod, MaskedCard, NextAction } from './payment.ts';

/** The provider authorized the money: it holds it or captured it. */
export interface Approved {
  readonly kind: 'approved';
  readonly providerPaymentId: string;
  /** The whole authorized amount as the provider reports it, held or captured, in minor units. Never copied from the request. */
  readonly amountMinor: number;
  /** The currency as the provider reports it. Never copied from the request. */
  readonly currency: string;
  /** Whether the money was captured (true) or only authorized (false). */
  readonly captured: boolean;
  /** The captured amount in minor units; absent if it is the whole authorized amount. */
  readonly capturedMinor?: number;
  /** The card that a token stands for, as the provider reports it; absent where it does not. */
  readonly card?: MaskedCard;
  /** Until when held money can be captured, by the provider's or the card scheme's own rule, ISO 8601 UTC; absent where it says nothing. */
  readonly captureBefore?: string;
}

/** Why a card was declined, where the provider says so and the customer can do something about it. */
export const CARD_DECLINE_REASONS = ['expired_card', 'authentication_failed', 'authentication_required'] as const;
export type CardDeclineReason = (typeof CARD_DECLINE_REASONS)[number];

/** Refused, but another card or method may work. */
export interface Declined extends Advised {
  readonly kind: 'declined';
  readonly providerPaymentId: string | null;
  readonly code: Extract<
    ErrorCode,
    | 'CARD_DECLINED'
    | 'INSUFFICIENT_FUNDS'
    | 'PAYMENT_DECLINED'
    | 'LIMIT_EXCEEDED'
    | 'UNSUPPORTED_CURRENCY_PAIR'
    | 'PROVIDER_VALIDATION_ERROR'
  >;
  readonly message?: string;
  /**
   * `CARD_DECLINED` may carry a `reason` of `CARD_DECLINE_REASONS`; `PROVIDER_VALIDATION_ERROR`, with which the provider refused the
   * request itself, carries `providerResponse`, redacted.
   */
  readonly details?: JsonObject;
  /** The provider does not know its token of the saved card: it is asked what has become of it. */
  readonly isTokenUnknown?: true;
}

/** Refused for good: the intent fails. */
export interface Failed extends Advised {
  readonly kind: 'failed';
  readonly providerPaymentId: string | null;
  readonly code: Extract<ErrorCode, 'FRAUD_DETECTED' | 'TSP_PAYMENT_FAILED' | 'CRYPTO_DEPOSIT_FAILED'>;
  readonly message?: string;
  /**
   * `TSP_PAYMENT_FAILED` carries `providerResponse`, redacted; `CRYPTO_DEPOSIT_FAILED` what is known of the deposit:
   * `reason`, `transactionHash`, `asset`, `network`, `expectedAmount`, `receivedAmount`.
   */
  readonly details?: JsonObject;
}

/** The customer has to act; the provider's webhook or an inquiry brings the outcome. */
export interface RequiresAction {
  readonly kind: 'requires_action';
  /** Null where the provider names the payment only after the customer has acted. */
  readonly providerPaymentId: string | null;
  readonly nextAction: NextAction;
}

/** Accepted; the provider's webhook or an inquiry brings the outcome. */
export interface Pending {
  readonly kind: 'pending';
  /** Null where the provider has not named the payment yet. */
  readonly providerPaymentId: string | null;
  /** The customer has come back with the provider's result: an inquiry at once brings the outcome. */
  readonly isReturned?: true;
}

/** A 4xx in a shape that the adapter does not know. */
export interface Unrecognised {
  readonly kind: 'unrecognised';
  /** The provider's response, redacted and bounded. */
  readonly providerResponse: JsonObject;
}

/** Nothing was charged under this key, and nothing will be: the provider has closed it. */
export interface NotCharged {
  readonly kind: 'not_charged';
  /** The hold that was voided, as the provider reports it; absent where nothing was ever held. */
  readonly voided?: VoidedHold;
}

/** A hold that the provider has voided. */
interface VoidedHold {
  readonly providerPaymentId: string;
  readonly amountMinor: number;
  readonly currency: string;
}

/** The outcome of an authorization request. Outages are thrown, never returned. */
export type AuthorizationOutcome = Approved | Declined | Failed | RequiresAction | Pending | Unrecognised;

/** The outcome of an inquiry, or of closing a key. */
export type InquiryOutcome = Approved | Declined | Failed | RequiresAction | Pending | NotCharged;

/** An outcome that is never followed by another outcome of the attempt. */
export type FinalOutcome = Approved | Declined | Failed | NotCharged;

/** An outcome that is followed by another. */
export type OpenOutcome = Exclude<InquiryOutcome, FinalOutcome>;

/** Whether an outcome ends the attempt at the provider. */
export function isFinal(outcome: InquiryOutcome): outcome is FinalOutcome {
  return outcome.kind !== 'requires_action' && outcome.kind !== 'pending';
}

/** Whether the provider reports that it has voided a hold. */
export function isVoided(outcome: InquiryOutcome): outcome is NotCharged & { readonly voided: VoidedHold } {
  return outcome.kind === 'not_charged' && outcome.voided !== undefined;
}

/** Whether an open outcome is new: the customer had to act, and has acted. */
export function isNewOutcome(known: OpenOutcome['kind'] | undefined, outcome: InquiryOutcome): outcome is Pending {
  return known === 'requires_action' && outcome.kind === 'pending';
}

/** Names the stored event of a provider. */
export interface ProviderEventReference {
  readonly provider: string;
  /** The provider's own id of the event, by which repeats are recognised. */
  readonly eventId: string;
}

/** A report from a provider's webhook, verified and translated by its adapter. */
export interface ProviderEvent extends ProviderEventReference {
  /** The attempt it is about: the reference that was sent with the payment. */
  readonly attemptId: string;
  readonly outcome: InquiryOutcome;
  /**
   * The provider's name of an event that its adapter does not fully understand, with the outcome `pending`. While the attempt is
   * open, its workflow asks the provider; after its end a reconciliation of this one payment does.
   */
  readonly notUnderstood?: string;
  /** What the provider calls the capture that it reports; absent where it reports none, or does not name it. */
  readonly captureReference?: string;
}

/** A report that an approved payment was captured, which names the capture. */
export type NamedCapture = ProviderEvent & { readonly outcome: Approved; readonly captureReference: string };

/** Whether a report says that money was captured, and names the capture. */
export function isNamedCapture(event: ProviderEvent): event is NamedCapture {
  return event.captureReference !== undefined && event.outcome.kind === 'approved' && event.outcome.captured;
}

/** The provider captured a hold; amount and currency are as it reports them. */
export interface Captured {
  readonly kind: 'captured';
  readonly providerPaymentId: string;
  readonly capturedMinor: number;
  readonly currency: string;
}

/** Accepted; the provider's webhook or a repeat brings the outcome. */
interface CapturePending {
  readonly kind: 'pending';
  /** What the provider calls this capture in the report of a refusal; absent where it reports none. */
  readonly captureReference?: string;
}

/** The outcome of a capture request. Outages are thrown, never returned. */
export type CaptureOutcome =
  | Captured
  /** Nothing is held any more: it was voided or has lapsed at the provider. */
  | { readonly kind: 'not_held' }
  | CapturePending
  | Unrecognised;

/** The provider refunds the money. */
export interface Refunded {
  readonly kind: 'refunded';
  readonly providerRefundId: string;
  /** The refunded amount that the provider reports, in minor units. */
  readonly amountMinor: number;
  readonly currency: string;
}

/** The provider refused the refund. */
interface RefundRefused {
  readonly kind: 'refused';
  readonly providerRefundId: string | null;
  /** The provider's reason, redacted. */
  readonly details?: JsonObject;
}

/** Accepted; the provider's webhook or an inquiry brings the outcome. */
export interface RefundPending {
  readonly kind: 'pending';
  readonly providerRefundId: string;
  /** The amount that the provider reports it will refund, in minor units. */
  readonly amountMinor: number;
  readonly currency: string;
}

/** Nothing was refunded under this key, and nothing will be: the provider has closed it. */
interface NotRefunded {
  readonly kind: 'not_refunded';
}

/** The outcome of a refund request. Outages are thrown, never returned. */
export type RefundOutcome = Refunded | RefundRefused | RefundPending | Unrecognised;

/** The outcome of an inquiry about a refund. */
export type RefundInquiryOutcome = Refunded | RefundRefused | RefundPending | NotRefunded;

/** An outcome that is never followed by another outcome of the refund. */
export type FinalRefundOutcome = Refunded | RefundRefused | NotRefunded;

/** Whether an outcome ends the refund at the provider. */
export function isFinalRefund(outcome: RefundInquiryOutcome): outcome is FinalRefundOutcome {
  return outcome.kind !== 'pending';
}

/** A report about a refund from a provider's webhook, verified and translated by its adapter. */
export interface RefundProviderEvent extends ProviderEventReference {
  /** The refund's id, which was sent as its key. */
  readonly refundId: string;
  readonly refundOutcome: RefundInquiryOutcome;
}

/** A report that captured money did not arrive, though the provider had reported the capture. */
export interface CaptureFailureEvent extends ProviderEventReference {
  readonly captureFailure: {
    readonly attemptId: string;
    /** The amount that did not arrive, as the provider reports it, in minor units. */
    readonly amountMinor: number;
    readonly currency: string;
    /** In the provider's words, redacted; empty where it gives none. */
    readonly reason: string;
    /** What the provider calls the capture; absent where it does not say. */
    readonly captureReference?: string;
  };
}

/** A report that a capture was refused which the provider had accepted: it still holds the money. */
export interface CaptureRefusalEvent extends ProviderEventReference {
  readonly captureRefusal: {
    readonly attemptId: string;
    readonly captureReference: string;
    /** Why, redacted. */
    readonly providerResponse: JsonObject;
  };
}

/** A report of a refund that this engine has not requested. */
export interface UnknownRefundEvent extends ProviderEventReference {
  readonly unknownRefund: {
    readonly attemptId: string;
    readonly providerRefundId: string;
    /** `succeeded` as soon as the provider has accepted it. */
    readonly status: 'succeeded' | 'failed';
    /** As the provider reports them; in minor units. */
    readonly amountMinor: number;
    readonly currency: string;
    /** The provider's id of the payment whose money it returns; absent for that of the attempt. An order may be paid twice. */
    readonly providerPaymentId?: string;
  };
}

/** A report of a dispute. */
export interface DisputeEvent extends ProviderEventReference {
  readonly dispute: DisputeReport & { readonly attemptId: string };
}

/** The card's issuer calls a payment fraudulent. No money has moved; a chargeback often follows, unless the payment is refunded. */
export interface FraudWarning {
  readonly attemptId: string;
  /** The provider's name of the event, such as `NOTIFICATION_OF_FRAUD`. */
  readonly providerEvent: string;
  /** The provider's id of the warning. */
  readonly providerReference: string;
}

/** A report that the card's issuer calls a payment fraudulent. */
export interface FraudWarningEvent extends ProviderEventReference {
  readonly fraudWarning: FraudWarning;
}

/** A report that names its payment by the provider's id alone, because it has no reference of the engine. */
export interface EventByProviderPaymentId extends ProviderEventReference {
  readonly providerPaymentId: string;
  readonly report:
    | { readonly outcome: NotCharged }
    | { readonly notUnderstood: string }
    | { readonly dispute: DisputeReport }
    | { readonly fraudWarning: Omit<FraudWarning, 'attemptId'> }
    | { readonly unknownRefund: Omit<UnknownRefundEvent['unknownRefund'], 'attemptId'> };
}

/** A report with the engine's id of its attempt or refund. */
export type IdentifiedEvent =
  | ProviderEvent
  | RefundProviderEvent
  | CaptureFailureEvent
  | CaptureRefusalEvent
  | UnknownRefundEvent
  | DisputeEvent
  | FraudWarningEvent;

/**
 * A report that what a provider has issued for saved cards may have changed: of the payment that saved a card, or of all cards of a
 * customer. It names no token: the provider is asked.
 */
interface CredentialEvent extends ProviderEventReference {
  readonly credentials: { readonly attemptId: string } | { readonly providerCustomerId: string };
}

/** Every kind of report in a provider's verified webhooks. */
export type VerifiedEvent = IdentifiedEvent | EventByProviderPaymentId | CredentialEvent;

/** A rightly signed part of a webhook that leads to nothing; the log names it. */
export interface SkippedReport {
  /** The provider's name of the event. */
  readonly eventType: string;
  /** Why nothing follows, such as `about a payment of another system`. */
  readonly reason: string;
}

/** What an adapter reads from a webhook. */
export interface ReceivedWebhook {
  readonly events: readonly VerifiedEvent[];
  readonly skipped: readonly SkippedReport[];
  /** Why a part was refused, although others were rightly signed; absent where none was. */
  readonly refusal?: string;
}

/** The event that asks a provider what became of an attempt, because a report about it is not fully understood. */
export function questionAbout(
  reference: ProviderEventReference,
  attempt: { readonly attemptId: string; readonly providerPaymentId: string | null },
  eventType: string,
): ProviderEvent {
  const { attemptId, providerPaymentId } = attempt;
  return { ...reference, attemptId, outcome: { kind: 'pending', providerPaymentId }, notUnderstood: eventType };
}

/** Whether a stored event is about a dispute. */
export function isDispute(value: unknown): value is DisputeEvent {
  return (
    hasStrings(value, ['provider', 'eventId']) &&
    'dispute' in value &&
    hasStrings(value.dispute, ['attemptId', 'providerEvent', 'providerReference', 'occurredAt'])
  );
}

/** Whether a stored event is a warning of fraud. */
export function isFraudWarning(value: unknown): value is FraudWarningEvent {
  return (
    hasStrings(value, ['provider', 'eventId']) &&
    'fraudWarning' in value &&
    hasStrings(value.fraudWarning, ['attemptId', 'providerEvent', 'providerReference'])
  );
}

/** Whether a stored event is about a capture that failed after all. */
export function isCaptureFailure(value: unknown): value is CaptureFailureEvent {
  return (
    hasStrings(value, ['provider', 'eventId']) &&
    'captureFailure' in value &&
    hasStrings(value.captureFailure, ['attemptId', 'currency', 'reason'])
  );
}

/** Whether a stored event is about a capture that was refused. */
export function isCaptureRefusal(value: unknown): value is CaptureRefusalEvent {
  return (
    hasStrings(value, ['provider', 'eventId']) &&
    'captureRefusal' in value &&
    hasStrings(value.captureRefusal, ['attemptId', 'captureReference'])
  );
}

/** Whether a stored event is about a refund that this engine has not requested. */
export function isUnknownRefund(value: unknown): value is UnknownRefundEvent {
  return (
    hasStrings(value, ['provider', 'eventId']) &&
    'unknownRefund' in value &&
    hasStrings(value.unknownRefund, ['attemptId', 'providerRefundId', 'status', 'currency'])
  );
}

/**
 * Whether a stored event is about an attempt. The API has verified and translated it before it wrote it; this check catches rows
 * of another version.
 */
export function isProviderEvent(value: unknown): value is ProviderEvent {
  return (
    hasStrings(value, ['provider', 'eventId', 'attemptId']) && 'outcome' in value && hasStrings(value.outcome, ['kind'])
  );
}

/** Whether a stored event is about a refund. */
export function isRefundEvent(value: unknown): value is RefundProviderEvent {
  return (
    hasStrings(value, ['provider', 'eventId', 'refundId']) &&
    'refundOutcome' in value &&
    hasStrings(value.refundOutcome, ['kind'])
  );
}

function hasStrings<Key extends string>(value: unknown, keys: readonly Key[]): value is Record<Key, string> {
  if (typeof value !== 'object' || value === null) return false;
  const entries = new Map(Object.entries(value));
  return keys.every((key) => typeof entries.get(key) === 'string');
}

/** Why a call to a provider had no usable answer. The type of the failure that activities throw. */
export const OUTAGE_CODES = ['TSP_ERROR', 'TSP_TIMEOUT', 'TSP_UNAVAILABLE'] as const satisfies readonly ErrorCode[];
export type OutageCode = (typeof OUTAGE_CODES)[number];

/** The captured amount of an approved payment, in minor units; 0 where nothing was captured. */
export function capturedMinorOf({ captured, capturedMinor, amountMinor }: Approved): number {
  return captured ? (capturedMinor ?? amountMinor) : 0;
}

/** An amount in minor units, and its currency. */
interface Money {
  readonly amountMinor: number;
  readonly currency: string;
}

/**
 * Whether a provider authorized what was requested: the same amount in the same currency, none captured beyond it, and
 * all of it captured where the capture is automatic. Currency codes are compared case-sensitively.
 */
export function agreesWithRequest(
  outcome: Approved,
  asked: Money & { readonly captureMethod: CaptureMethod },
): boolean {
  if (!isSameMoney(outcome, asked)) return false;
  if (!outcome.captured) return asked.captureMethod === 'manual';
  const capturedMinor = outcome.capturedMinor ?? outcome.amountMinor;
  if (asked.captureMethod === 'automatic') return capturedMinor === asked.amountMinor;
  return capturedMinor > 0 && capturedMinor <= asked.amountMinor;
}

/** Whether a provider captured exactly the requested amount. */
export function captureAgrees({ capturedMinor, currency }: Captured, asked: Money): boolean {
  return isSameMoney({ amountMinor: capturedMinor, currency }, asked);
}

/** Whether a provider refunds exactly the requested amount. */
export function refundAgrees(outcome: Refunded | RefundPending, asked: Money): boolean {
  return isSameMoney(outcome, asked);
}

function isSameMoney(reported: Money, asked: Money): boolean {
  return reported.amountMinor === asked.amountMinor && reported.currency === asked.currency;
}
