import { createHmac, timingSafeEqual } from 'node:crypto';
import { isId } from '../../domain/ids.ts';
import { type JsonObject, parseJson } from '../../domain/json.ts';
import type {
  CaptureFailureEvent,
  InquiryOutcome,
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
  const isRefund = isId('refund', merchantReference) || isId('strayCharge', merchantReference);
  const refundOutcome = isRefund ? REFUND_READERS[eventCode]?.(item) : null;
  if (refundOutcome != null) return [{ provider, eventId, refundId: merchantReference, refundOutcome }];
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

/** A cancellation that was refused says nothing: the payment may be captured, refused or still unknown. */
function cancellation(item: NotificationItem): InquiryOutcome | null {
  if (item.success === 'false') return null;
  const providerPaymentId = requirePaymentId(item.originalReference);
  return { kind: 'not_charged', voided: { providerPaymentId, ...moneyOf(item) } };
}

/** The end of a hold that was not captured in time. Some events name the payment as the original reference, others as their own. */
function expiry(item: NotificationItem): InquiryOutcome | null {
  if (heldMinorOf(item.merchantReference) === null) return null;
  return {
    kind: 'not_charged',
    voided: { providerPaymentId: item.originalReference || item.pspReference, ...moneyOf(item) },
  };
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

function moneyOf({ amount }: NotificationItem): { readonly amountMinor: number; readonly currency: string } {
  const money = fromAdyenAmount(amount);
  if (money === null) throw new WebhookVerificationError('the amount is no whole number of minor units');
  return money;
}
