import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { isId } from '../../domain/ids.ts';
import { parseJson } from '../../domain/json.ts';
import type { InquiryOutcome, ProviderEvent, RefundProviderEvent } from '../../domain/provider-outcome.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { ProviderOutageError, WebhookVerificationError } from '../provider-errors.ts';
import { eventSchema, paymentEventSchema, refundEventSchema } from './messages.ts';
import { chargeOf, refundOutcomeOf } from './outcomes.ts';
import { refundIdOf } from './references.ts';

const TOLERANCE_MS = 5 * MINUTE_MS;

type WebhookHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Checks the signature, which is the base64 HMAC-SHA256 of the time (milliseconds since 1970) and the raw body.
 * @throws WebhookVerificationError when a header is missing, or the signature or its time is wrong
 */
export function verifySignature(rawBody: Buffer, headers: WebhookHeaders, clientSecret: string): void {
  const signature = headers['x-webhook-signature'];
  const timestamp = headers['x-webhook-timestamp'];
  if (typeof signature !== 'string' || typeof timestamp !== 'string' || !/^\d{1,15}$/.test(timestamp)) {
    throw new WebhookVerificationError('a header of the signature is missing');
  }
  const expected = createHmac('sha256', clientSecret).update(timestamp).update(rawBody).digest();
  const given = Buffer.from(signature, 'base64');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new WebhookVerificationError('the signature is wrong');
  }
  if (Math.abs(Date.now() - Number(timestamp)) > TOLERANCE_MS) {
    throw new WebhookVerificationError('the signature is too old, or from the future');
  }
}

interface EventContext {
  readonly provider: string;
  readonly isPreauthorized: boolean;
}

/**
 * Translates a verified event.
 * @returns nothing for other events, and for payments and refunds that are not of this engine
 * @throws WebhookVerificationError where the form is unknown
 */
export function readEvent(rawBody: Buffer, context: EventContext): readonly (ProviderEvent | RefundProviderEvent)[] {
  const event = eventSchema.safeParse(parseJson(rawBody.toString('utf8')));
  if (!event.success) throw new WebhookVerificationError('the event has no known form');
  const { type, data } = event.data;
  // A repeat has the same body. The header that also names the event is not signed.
  const reference = { provider: context.provider, eventId: createHash('sha256').update(rawBody).digest('hex') };
  try {
    if (type === 'REFUND_STATUS_WEBHOOK') return readRefund(data, reference);
    return PAYMENT_EVENTS.has(type) ? readPayment(data, reference, context) : [];
  } catch (error) {
    // An amount that cannot be read.
    if (error instanceof ProviderOutageError) throw new WebhookVerificationError(error.message);
    throw error;
  }
}

const PAYMENT_EVENTS: ReadonlySet<string> = new Set([
  'PAYMENT_SUCCESS_WEBHOOK',
  'PAYMENT_FAILED_WEBHOOK',
  'PAYMENT_USER_DROPPED_WEBHOOK',
]);

type EventReference = Pick<ProviderEvent, 'provider' | 'eventId'>;

function readPayment(data: unknown, reference: EventReference, context: EventContext): readonly ProviderEvent[] {
  const parsed = paymentEventSchema.safeParse(data);
  if (!parsed.success) throw new WebhookVerificationError('the payment in the event has no known form');
  const attemptId = parsed.data.order.order_id;
  if (!isId('attempt', attemptId)) return [];
  const outcome = paymentOutcomeOf(parsed.data, context);
  return outcome === null ? [] : [{ ...reference, attemptId, outcome }];
}

function paymentOutcomeOf(
  { payment }: ReturnType<typeof paymentEventSchema.parse>,
  { isPreauthorized }: EventContext,
): InquiryOutcome | null {
  const pending = { kind: 'pending', providerPaymentId: payment.cf_payment_id } as const;
  switch (payment.payment_status) {
    case 'SUCCESS': {
      const charge = chargeOf(payment, isPreauthorized);
      // Only the inquiry knows whether a hold is to be captured at once.
      return charge.kind === 'approved' && !charge.captured ? pending : charge;
    }
    // Neither is final: the customer may still pay the order. The inquiry that follows terminates it and reports the end.
    case 'FAILED':
    case 'USER_DROPPED':
      return pending;
    default:
      return null;
  }
}

function readRefund(data: unknown, reference: EventReference): readonly RefundProviderEvent[] {
  const parsed = refundEventSchema.safeParse(data);
  if (!parsed.success) throw new WebhookVerificationError('the refund in the event has no known form');
  const refundId = refundIdOf(parsed.data.refund.refund_id);
  return refundId === undefined ? [] : [{ ...reference, refundId, refundOutcome: refundOutcomeOf(parsed.data.refund) }];
}
