import { isId } from '../../domain/ids.ts';
import { type JsonObject, parseJson } from '../../domain/json.ts';
import {
  type CaptureFailureEvent,
  type DisputeEvent,
  type EventByProviderPaymentId,
  type InquiryOutcome,
  type NotCharged,
  questionAbout,
  type ReceivedWebhook,
  type RefundInquiryOutcome,
  type SkippedReport,
  type VerifiedEvent,
} from '../../domain/provider-outcome.ts';
import { redactProviderResponse, redactText } from '../../domain/redaction.ts';
import { WebhookVerificationError } from '../provider-errors.ts';
import type { AdyenCredentials } from './credentials.ts';
import { DISPUTE_EVENTS, disputeReportIn } from './disputes.ts';
import { reportedRefusalOf } from './error-codes.ts';
import { captureBeforeOf } from './hold-validity.ts';
import { parsePaymentReference } from './messages.ts';
import { fromAdyenAmount } from './money.ts';
import {
  type CheckedItem,
  checkItem,
  isTokenReport,
  type NotificationItem,
  notificationSchema,
} from './notifications.ts';
import { approved, held, NOT_AUTHENTICATED } from './outcomes.ts';

type Money = NonNullable<ReturnType<typeof fromAdyenAmount>>;
type Credentials = Pick<AdyenCredentials, 'merchantAccount' | 'hmacKey'>;

/**
 * Verifies the signature of every event of a webhook, then translates those about payments and refunds of this engine. Each event
 * stands for itself: one that is not understood keeps no other back.
 * @param provider the name of the account, for the events
 * @throws WebhookVerificationError where the form is wrong, or no event is rightly signed
 */
export function readWebhook(
  provider: string,
  { merchantAccount, hmacKey }: Credentials,
  rawBody: Buffer,
): ReceivedWebhook {
  const notification = notificationSchema.safeParse(parseJson(rawBody.toString('utf8')));
  if (!notification.success) throw new WebhookVerificationError('the webhook has no known form');
  const key = Buffer.from(hmacKey, 'hex');
  const items = notification.data.notificationItems.map((item) => checkItem(item, key));
  const refusal = refusalOf(items);
  const isAnySigned = items.some(({ kind }) => kind === 'signed' || kind === 'unreadable');
  if (refusal !== null && !isAnySigned) throw new WebhookVerificationError(refusal);
  const read = items.map((item) => readItem(item, { provider, merchantAccount }));
  return {
    events: read.flatMap(({ events }) => events),
    skipped: read.flatMap(({ skipped }) => skipped),
    ...(refusal === null ? {} : { refusal }),
  };
}

/** A wrong signature is refused. An event without one, which Adyen puts beside signed ones, proves nothing. */
function refusalOf(items: readonly CheckedItem[]): string | null {
  const isOf = (kind: CheckedItem['kind']) => items.some((item) => item.kind === kind);
  if (isOf('forged')) return 'the signature of an event is wrong';
  return isOf('unsigned') && !isOf('signed') && !isOf('unreadable') ? 'no event is signed' : null;
}

interface Receiver {
  readonly provider: string;
  readonly merchantAccount: string;
}

type ReadItem = Pick<ReceivedWebhook, 'events' | 'skipped'>;

function skip(eventType: string, reason: string): ReadItem {
  return { events: [], skipped: [{ eventType, reason }] };
}

function readItem(checked: CheckedItem, receiver: Receiver): ReadItem {
  switch (checked.kind) {
    case 'forged':
      return skip('unknown', 'the signature is wrong');
    case 'unsigned':
      return skip('unknown', 'not signed');
    case 'unreadable':
      return askAbout(checked, receiver);
    case 'signed':
      return readSigned(checked.item, receiver);
  }
}

function readSigned(item: NotificationItem, receiver: Receiver): ReadItem {
  const { eventCode, merchantReference } = item;
  if (item.merchantAccountCode !== receiver.merchantAccount) return skip(eventCode, 'of another merchant account');
  try {
    const events = eventsOf(receiver.provider, item);
    if (events.length > 0) return { events, skipped: [] };
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return askAbout({ eventCode, merchantReference, id: eventIdOf(item), reason: error.message }, receiver);
  }
  if (!ADYEN_EVENTS.has(eventCode)) {
    return askAbout({ eventCode, merchantReference, id: eventIdOf(item), reason: 'a new kind of event' }, receiver);
  }
  const isOurs = isRefundReference(merchantReference) || parsePaymentReference(merchantReference) !== null;
  return skip(eventCode, isOurs ? 'it changes nothing' : 'about nothing of this engine');
}

/** Of an open payment, the event brings its next inquiry forward. Adyen cannot be asked about one that has ended. */
function askAbout(
  {
    eventCode,
    merchantReference,
    id,
    reason = 'not understood',
  }: { readonly eventCode: string; readonly merchantReference: string; readonly id: string; readonly reason?: string },
  { provider }: Receiver,
): ReadItem {
  const skipped: readonly SkippedReport[] = [{ eventType: eventCode, reason }];
  const attemptId = parsePaymentReference(merchantReference)?.attemptId;
  if (attemptId === undefined) return { events: [], skipped };
  const reference = { provider, eventId: `${id}:${eventCode}:not understood` };
  return { events: [questionAbout(reference, { attemptId, providerPaymentId: null }, eventCode)], skipped };
}

/** Adyen sends an event again until it is acknowledged, and some events twice. All events of a dispute have one reference. */
function eventIdOf({ pspReference, originalReference, eventCode, success, eventDate }: NotificationItem): string {
  const id = `${isTokenReport(eventCode) ? (originalReference ?? '') : pspReference}:${eventCode}:${success}`;
  return DISPUTE_EVENTS.has(eventCode) && eventDate != null ? `${id}:${eventDate}` : id;
}

/** The report of an event: about a payment, whose attempt the reference names, or about a refund, whose id it is. */
const READERS: Readonly<Record<string, (item: NotificationItem) => InquiryOutcome | null>> = {
  AUTHORISATION: authorization,
  CAPTURE: capture,
  CANCELLATION: cancellation,
  TECHNICAL_CANCEL: cancellation,
  CANCEL_OR_REFUND: (item) => (isCanceled(item) ? cancellation(item) : null),
  EXPIRE: expiry,
  OFFER_CLOSED: abandonment,
};

const REFUND_READERS: Readonly<Record<string, (item: NotificationItem) => RefundInquiryOutcome | null>> = {
  REFUND: (item) => (item.success === 'true' ? refunded(item) : refundRefused(item)),
  REFUND_WITH_DATA: (item) => (item.success === 'true' ? refunded(item) : refundRefused(item)),
  POSTPONED_REFUND: (item) => (item.success === 'true' ? postponed(item) : refundRefused(item)),
  // Both report that a refund has failed after all: the scheme has rejected it, or the bank has returned the money. Their `success`
  // only says that this event is one.
  REFUND_FAILED: refundRefused,
  REFUNDED_REVERSED: refundRefused,
};

/** Events that change no payment of this engine: other products of Adyen, or reports of what another event brings too. */
const WITHOUT_EFFECT = [
  'ACH_NOTIFICATION_OF_CHANGE',
  'AUTHORISATION_ADJUSTMENT',
  'AUTORESCUE',
  'CANCEL_AUTORESCUE',
  'DIRECT_DEBIT_NOTICE_OF_CHANGE_NOTIFICATION',
  'MANUAL_REVIEW_ACCEPT',
  'MANUAL_REVIEW_REJECT',
  'ORDER_CLOSED',
  'ORDER_OPENED',
  'PAIDOUT_REVERSED',
  'PAYOUT_DECLINE',
  'PAYOUT_EXPIRE',
  'PAYOUT_THIRDPARTY',
  'REPORT_AVAILABLE',
  'VOID_PENDING_REFUND',
] as const;

function eventsOf(provider: string, item: NotificationItem): readonly VerifiedEvent[] {
  const { eventCode, merchantReference, pspReference, success } = item;
  const reference = { provider, eventId: eventIdOf(item) };
  const refundOutcome = isRefundReference(merchantReference) ? REFUND_READERS[eventCode]?.(item) : null;
  if (refundOutcome != null) return [{ ...reference, refundId: merchantReference, refundOutcome }];
  const unrequested = unrequestedReportOf(item);
  if (unrequested !== null) return [{ ...reference, ...unrequested }];
  const attemptId = parsePaymentReference(merchantReference)?.attemptId;
  const disputed = disputeEvents(reference, attemptId, item);
  if (disputed !== null) return disputed;
  if (attemptId === undefined) return [];
  // Adyen has stored the card. Its token, which is the event's own reference, is read from Adyen.
  if (isTokenReport(eventCode)) return success === 'true' ? [{ ...reference, credentials: { attemptId } }] : [];
  if (eventCode === 'CAPTURE_FAILED') return [{ ...reference, captureFailure: captureFailure(attemptId, item) }];
  if (isRefusedCapture(item)) {
    const captureRefusal = { attemptId, captureReference: pspReference, providerResponse: refusalIn(item) };
    return [{ ...reference, captureRefusal }];
  }
  const outcome = READERS[eventCode]?.(item);
  if (outcome == null) return [];
  const captureReference = eventCode === 'CAPTURE' ? { captureReference: pspReference } : {};
  return [{ ...reference, attemptId, outcome, ...captureReference }];
}

/** The report of a dispute, or of the warning of one, by the attempt of its payment or else by Adyen's id of the payment. */
function disputeEvents(
  reference: Pick<DisputeEvent, 'provider' | 'eventId'>,
  attemptId: string | undefined,
  item: NotificationItem,
): readonly VerifiedEvent[] | null {
  const report = disputeReportIn(item);
  if (report === null) return null;
  if (attemptId === undefined) {
    const { originalReference: providerPaymentId } = item;
    return providerPaymentId ? [{ ...reference, providerPaymentId, report }] : [];
  }
  return 'dispute' in report
    ? [{ ...reference, dispute: { attemptId, ...report.dispute } }]
    : [{ ...reference, fraudWarning: { attemptId, ...report.fraudWarning } }];
}

function isRefundReference(reference: string): boolean {
  return isId('refund', reference) || isId('strayCharge', reference);
}

function authorization(item: NotificationItem): InquiryOutcome {
  const { pspReference, merchantReference, success, reason } = item;
  if (success === 'false') return reportedRefusalOf(reason ?? undefined, pspReference);
  const isHeld = heldMinorOf(merchantReference) !== null;
  return isHeld ? held(pspReference, moneyOf(item), heldUntil(item)) : approved(pspReference, moneyOf(item));
}

/** The signature covers neither scheme nor date: who changes them can only make the engine void a hold earlier or later. */
function heldUntil({ paymentMethod, eventDate }: NotificationItem): string | undefined {
  const since = new Date(eventDate ?? NaN);
  return Number.isNaN(since.getTime()) ? undefined : captureBeforeOf(paymentMethod, since);
}

/** A capture that was refused leaves the money held. */
function isRefusedCapture({ eventCode, success, merchantReference }: NotificationItem): boolean {
  return eventCode === 'CAPTURE' && success === 'false' && heldMinorOf(merchantReference) !== null;
}

/** Under automatic capture Adyen usually reports none, but for a capture that is made again after it had failed. */
function capture(item: NotificationItem): InquiryOutcome | null {
  const { originalReference, merchantReference, success } = item;
  if (success === 'false') return null;
  const { amountMinor: capturedMinor, currency } = moneyOf(item);
  const heldMinor = heldMinorOf(merchantReference) ?? capturedMinor;
  const whole = approved(requirePaymentId(originalReference), { amountMinor: heldMinor, currency });
  return capturedMinor === heldMinor ? whole : { ...whole, capturedMinor };
}

/** Days after `CAPTURE`: the scheme or the bank has rejected what Adyen had accepted. */
function captureFailure(attemptId: string, item: NotificationItem): CaptureFailureEvent['captureFailure'] {
  const { reason, pspReference: captureReference } = item;
  return { attemptId, ...moneyOf(item), reason: redactText(reason ?? ''), captureReference };
}

/** Every event that the adapter knows. */
export const ADYEN_EVENTS: ReadonlySet<string> = new Set([
  'CAPTURE_FAILED',
  'RECURRING_CONTRACT',
  ...Object.keys(READERS),
  ...Object.keys(REFUND_READERS),
  ...DISPUTE_EVENTS,
  ...WITHOUT_EFFECT,
]);

const STATUS_OF_UNKNOWN_REFUND: Readonly<Record<string, 'succeeded' | 'failed'>> = {
  REFUND: 'succeeded',
  REFUND_WITH_DATA: 'succeeded',
  POSTPONED_REFUND: 'succeeded',
  CANCEL_OR_REFUND: 'succeeded',
  REFUND_FAILED: 'failed',
  REFUNDED_REVERSED: 'failed',
};

/**
 * The report of a refund that the engine has not requested, such as one from Adyen's Customer Area, or of a cancellation whose
 * reference is not the engine's; null for other events. A refund of the engine has its own id as its reference.
 */
function unrequestedReportOf(
  item: NotificationItem,
): Pick<EventByProviderPaymentId, 'providerPaymentId' | 'report'> | null {
  const { eventCode, pspReference: providerRefundId, originalReference, merchantReference, success, amount } = item;
  // Other systems at the same account may have currencies that the engine does not know.
  const money = fromAdyenAmount(amount);
  if (success === 'false' || isRefundReference(merchantReference) || !originalReference || money === null) return null;
  const providerPaymentId = originalReference;
  if (isCanceled(item)) {
    if (parsePaymentReference(merchantReference) !== null) return null;
    return { providerPaymentId, report: { outcome: voidOf(providerPaymentId, money) } };
  }
  const status = STATUS_OF_UNKNOWN_REFUND[eventCode];
  if (status === undefined) return null;
  return { providerPaymentId, report: { unknownRefund: { providerRefundId, status, ...money } } };
}

const CANCELLATIONS: ReadonlySet<string> = new Set(['CANCELLATION', 'TECHNICAL_CANCEL']);

/**
 * The signature covers the code of the event, but not the action. Who changes the action can only make the engine take a refund for a
 * cancellation, or a cancellation for a refund.
 */
function isCanceled({ eventCode, additionalData }: NotificationItem): boolean {
  return (
    CANCELLATIONS.has(eventCode) ||
    (eventCode === 'CANCEL_OR_REFUND' && additionalData['modification.action'] === 'cancel')
  );
}

/** A cancellation that was refused says nothing: the payment may be captured, refused or still unknown. */
function cancellation(item: NotificationItem): NotCharged | null {
  return item.success === 'false' ? null : voidOf(requirePaymentId(item.originalReference), moneyOf(item));
}

function voidOf(providerPaymentId: string, money: Money): NotCharged {
  return { kind: 'not_charged', voided: { providerPaymentId, ...money } };
}

/** The end of a hold that was not captured in time. Some events name the payment as the original reference, others as their own. */
function expiry(item: NotificationItem): NotCharged | null {
  const money = moneyOf(item);
  // The event has the amount that was not captured. If that is only a part of the hold, `CAPTURE` reports how the hold ended.
  if (money.amountMinor !== heldMinorOf(item.merchantReference)) return null;
  return voidOf(item.originalReference || item.pspReference, money);
}

/** The customer did not come back from the issuer in time: Adyen takes no result of the payment any more. */
function abandonment({ success, pspReference }: NotificationItem): InquiryOutcome | null {
  return success === 'true' ? { ...NOT_AUTHENTICATED, providerPaymentId: pspReference } : null;
}

function refunded(item: NotificationItem): RefundInquiryOutcome {
  return { kind: 'refunded', providerRefundId: item.pspReference, ...moneyOf(item) };
}

/** Adyen makes the refund once it has captured the money. */
function postponed(item: NotificationItem): RefundInquiryOutcome {
  return { kind: 'pending', providerRefundId: item.pspReference, ...moneyOf(item) };
}

function refundRefused(item: NotificationItem): RefundInquiryOutcome {
  return { kind: 'refused', providerRefundId: item.pspReference, details: { providerResponse: refusalIn(item) } };
}

function refusalIn({ eventCode, reason }: NotificationItem): JsonObject {
  return redactProviderResponse({ eventCode, reason: reason ?? '' });
}

function heldMinorOf(merchantReference: string): number | null {
  return parsePaymentReference(merchantReference)?.heldMinor ?? null;
}

function requirePaymentId(originalReference: string | null | undefined): string {
  if (originalReference == null || originalReference === '') {
    throw new WebhookVerificationError('the event names no payment');
  }
  return originalReference;
}

function moneyOf({ amount }: NotificationItem): Money {
  const money = fromAdyenAmount(amount);
  if (money === null) throw new WebhookVerificationError('the amount is no whole number of minor units');
  return money;
}
