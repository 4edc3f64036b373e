import { createHmac, timingSafeEqual } from 'node:crypto';
import { isId } from '../../domain/ids.ts';
import { type JsonObject, parseJson } from '../../domain/json.ts';
import type {
  CaptureFailureEvent,
  EventByProviderPaymentId,
  InquiryOutcome,
  NotCharged,
  RefundInquiryOutcome,
  VerifiedEvent,
} from '../../domain/provider-outcome.ts';
import { redactProviderResponse, redactText } from '../../domain/redaction.ts';
import { WebhookVerificationError } from '../provider-errors.ts';
import type { AdyenCredentials } from './credentials.ts';
import { reportedRefusalOf } from './error-codes.ts';
import { type NotificationItem, notificationSchema, parsePaymentReference } from './messages.ts';
import { fromAdyenAmount } from './money.ts';
import { approved, NOT_AUTHENTICATED } from './outcomes.ts';

type Money = NonNullable<ReturnType<typeof fromAdyenAmount>>;
type Credentials = Pick<AdyenCredentials, 'merchantAccount' | 'hmacKey'>;

/**
 * Verifies the signature of every event of a webhook, then translates those about payments and refunds of this engine.
 * @param provider the name of the account, for the events
 * @throws WebhookVerificationError where a signature or the form is wrong
 */
export function readWebhook(
  provider: string,
  { merchantAccount, hmacKey }: Credentials,
  rawBody: Buffer,
): VerifiedEvent[] {
  const notification = notificationSchema.safeParse(parseJson(rawBody.toString('utf8')));
  if (!notification.success) throw new WebhookVerificationError('the webhook has no known form');
  const items = notification.data.notificationItems.map(({ NotificationRequestItem }) => NotificationRequestItem);
  const key = Buffer.from(hmacKey, 'hex');
  for (const item of items) verify(item, key);
  return items
    .filter((item) => item.merchantAccountCode === merchantAccount)
    .flatMap((item) => eventsOf(provider, item));
}

/** Adyen's libraries join the values as they are; its description escapes them. Values of this engine need no escape. */
function verify(item: NotificationItem, key: Buffer): void {
  const values = signedValues(item);
  const escaped = values.map((value) => value.replaceAll('\\', '\\\\').replaceAll(':', '\\:'));
  const signature = Buffer.from(item.additionalData.hmacSignature, 'base64');
  const signedBy = (each: readonly string[]): Buffer => createHmac('sha256', key).update(each.join(':')).digest();
  if (isEqual(signature, signedBy(values)) || isEqual(signature, signedBy(escaped))) return;
  throw new WebhookVerificationError('the signature is wrong');
}

function signedValues(item: NotificationItem): string[] {
  const { pspReference, originalReference, merchantAccountCode, merchantReference, amount, eventCode, success } = item;
  const { value, currency } = amount;
  return [
    pspReference,
    originalReference ?? '',
    merchantAccountCode,
    merchantReference,
    String(value),
    currency,
    eventCode,
    success,
  ];
}

function isEqual(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Adyen sends an event again until it is acknowledged, and some events twice. */
function eventIdOf({ pspReference, eventCode, success }: NotificationItem): string {
  return `${pspReference}:${eventCode}:${success}`;
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
  // Both report that a refund has failed after all: the scheme has rejected it, or the bank has returned the money. Their `success`
  // only says that this event is one.
  REFUND_FAILED: refundRefused,
  REFUNDED_REVERSED: refundRefused,
};

function eventsOf(provider: string, item: NotificationItem): VerifiedEvent[] {
  const { eventCode, merchantReference } = item;
  const eventId = eventIdOf(item);
  const refundOutcome = isRefundReference(merchantReference) ? REFUND_READERS[eventCode]?.(item) : null;
  if (refundOutcome != null) return [{ provider, eventId, refundId: merchantReference, refundOutcome }];
  const unrequested = unrequestedReportOf(item);
  if (unrequested !== null) return [{ provider, eventId, ...unrequested }];
  const attemptId = parsePaymentReference(merchantReference)?.attemptId;
  if (attemptId !== undefined && eventCode === 'CAPTURE_FAILED') {
    return [{ provider, eventId, captureFailure: captureFailure(attemptId, item) }];
  }
  if (attemptId !== undefined && isRefusedCapture(item)) {
    const { pspReference: captureReference } = item;
    return [{ provider, eventId, captureRefusal: { attemptId, captureReference, providerResponse: refusalIn(item) } }];
  }
  const outcome = attemptId === undefined ? null : READERS[eventCode]?.(item);
  return attemptId === undefined || outcome == null ? [] : [{ provider, eventId, attemptId, outcome }];
}

function isRefundReference(reference: string): boolean {
  return isId('refund', reference) || isId('strayCharge', reference);
}

function authorization(item: NotificationItem): InquiryOutcome {
  const { pspReference, merchantReference, success, reason } = item;
  if (success === 'false') return reportedRefusalOf(reason ?? undefined, pspReference);
  const isHeld = heldMinorOf(merchantReference) !== null;
  return approved(pspReference, moneyOf(item), !isHeld);
}

/** A capture that was refused leaves the money held. */
function isRefusedCapture({ eventCode, success, merchantReference }: NotificationItem): boolean {
  return eventCode === 'CAPTURE' && success === 'false' && heldMinorOf(merchantReference) !== null;
}

function capture(item: NotificationItem): InquiryOutcome | null {
  const { originalReference, merchantReference, success } = item;
  const heldMinor = heldMinorOf(merchantReference);
  if (success === 'false' || heldMinor === null) return null;
  const { amountMinor: capturedMinor, currency } = moneyOf(item);
  const whole = approved(requirePaymentId(originalReference), { amountMinor: heldMinor, currency }, true);
  return capturedMinor === heldMinor ? whole : { ...whole, capturedMinor };
}

/** Days after `CAPTURE`: the scheme or the bank has rejected what Adyen had accepted. */
function captureFailure(attemptId: string, item: NotificationItem): CaptureFailureEvent['captureFailure'] {
  return { attemptId, ...moneyOf(item), reason: redactText(item.reason ?? '') };
}

const STATUS_OF_UNKNOWN_REFUND: Readonly<Record<string, 'succeeded' | 'failed'>> = {
  REFUND: 'succeeded',
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
