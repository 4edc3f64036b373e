import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { isId } from '../../domain/ids.ts';
import { parseJson } from '../../domain/json.ts';
import {
  type IdentifiedEvent,
  type InquiryOutcome,
  type ProviderEvent,
  questionAbout,
  type ReceivedWebhook,
} from '../../domain/provider-outcome.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { ProviderOutageError, WebhookVerificationError } from '../provider-errors.ts';
import {
  disputeEventSchema,
  eventSchema,
  namedOrderSchema,
  paymentEventSchema,
  refundEventSchema,
  unrequestedRefundEventSchema,
} from './messages.ts';
import { disputeReportOf } from './disputes.ts';
import { minorOf } from './money.ts';
import { chargeOf, refundOutcomeOf } from './outcomes.ts';
import { refundIdOf } from './references.ts';

const TOLERANCE_MS = 5 * MINUTE_MS;

type WebhookHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Checks the signature, which is the base64 HMAC-SHA256 of the time (milliseconds or seconds since 1970) and the raw body.
 * @returns whether it was signed within five minutes from now; what is older may have been repeated by somebody else
 * @throws WebhookVerificationError when a header is missing, or the signature is wrong
 */
export function verifySignature(
  rawBody: Buffer,
  headers: WebhookHeaders,
  clientSecret: string,
): { readonly isRecent: boolean } {
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
  return { isRecent: Math.abs(Date.now() - millisecondsOf(Number(timestamp))) <= TOLERANCE_MS };
}

/** Milliseconds since 1970 are above this from 1973 on, seconds not before the year 5138. */
const LEAST_MILLISECONDS = 1e11;

function millisecondsOf(time: number): number {
  return time < LEAST_MILLISECONDS ? time * SECOND_MS : time;
}

interface EventContext {
  readonly provider: string;
  readonly isPreauthorized: boolean;
  /** Whether the event was signed just now. Of an older one only the name of its order counts. */
  readonly isRecent: boolean;
}

/**
 * Translates a verified event. One about an order of this engine whose content is old or not understood asks about it.
 * @throws WebhookVerificationError where it is no event of Cashfree
 */
export function readEvent(rawBody: Buffer, context: EventContext): ReceivedWebhook {
  const event = eventSchema.safeParse(parseJson(rawBody.toString('utf8')));
  if (!event.success) throw new WebhookVerificationError('the event has no known form');
  const { type, data } = event.data;
  // A repeat has the same body. The header that also names the event is not signed.
  const reference = { provider: context.provider, eventId: createHash('sha256').update(rawBody).digest('hex') };
  const meaning = meaningOf(type);
  const attemptId = orderIdIn(data);
  if (attemptId === null) return skip(type, 'about nothing of this engine');
  if (meaning === 'nothing') return skip(type, 'it changes nothing');
  const read = meaning === 'question' || !context.isRecent ? undefined : READERS[meaning];
  try {
    const understood = read?.(data, { reference, attemptId, type, context });
    if (understood === null) return skip(type, 'it tells nothing new');
    if (understood !== undefined) return { events: [understood], skipped: [] };
  } catch (error) {
    // An amount that cannot be read.
    if (!(error instanceof ProviderOutageError)) throw error;
  }
  const question = questionAbout(reference, { attemptId, providerPaymentId: null }, type);
  return { events: [question], skipped: [{ eventType: type, reason: 'not understood: the provider is asked' }] };
}

function skip(eventType: string, reason: string): ReceivedWebhook {
  return { events: [], skipped: [{ eventType, reason }] };
}

/** The attempt whose order an event names; null where the order is none of this engine. */
function orderIdIn(data: unknown): string | null {
  const named = namedOrderSchema.safeParse(data).data ?? {};
  return Object.values(named).find((each) => each !== undefined && isId('attempt', each.order_id))?.order_id ?? null;
}

type Meaning = 'payment' | 'refund' | 'dispute' | 'question' | 'nothing';

/** What each group of events, by the beginning of its type, means for an order of this engine. The first that fits counts. */
const MEANINGS: readonly (readonly [string, Meaning])[] = [
  ['PAYMENT_SUCCESS_WEBHOOK', 'payment'],
  ['PAYMENT_FAILED_WEBHOOK', 'payment'],
  ['PAYMENT_USER_DROPPED_WEBHOOK', 'payment'],
  ['REFUND_', 'refund'],
  ['AUTO_REFUND_', 'refund'],
  ['DISPUTE_', 'dispute'],
  // What Cashfree keeps for its service.
  ['PAYMENT_CHARGES_WEBHOOK', 'nothing'],
  ['SETTLEMENT_', 'nothing'],
  ['VENDOR_', 'nothing'],
  ['INSTRUMENT_', 'nothing'],
  ['SUBSCRIPTION_', 'nothing'],
  ['PAYMENT_LINK_', 'nothing'],
  ['PAYMENT_FORM_', 'nothing'],
  ['RECON_', 'nothing'],
  ['ABANDONED_CHECKOUT', 'nothing'],
];

/** What the adapter makes of a kind of event. Of one that is new at Cashfree, it asks. */
export function meaningOf(type: string): Meaning {
  return MEANINGS.find(([start]) => type.startsWith(start))?.[1] ?? 'question';
}

interface Subject {
  readonly reference: Pick<ProviderEvent, 'provider' | 'eventId'>;
  readonly attemptId: string;
  readonly type: string;
  readonly context: EventContext;
}

/** What an event tells: null for nothing new, undefined where that is not understood. */
type Understood = IdentifiedEvent | null | undefined;

const READERS: Readonly<
  Record<Exclude<Meaning, 'question' | 'nothing'>, (data: unknown, subject: Subject) => Understood>
> = {
  payment: readPayment,
  refund: (data, subject) => readOwnRefund(data, subject) ?? readUnrequestedRefund(data, subject),
  dispute: readDispute,
};

function readPayment(data: unknown, { reference, attemptId, context }: Subject): Understood {
  const parsed = paymentEventSchema.safeParse(data);
  if (!parsed.success) return undefined;
  const { order, payment } = parsed.data;
  const ordered = payment.order_amount ?? order.order_amount;
  const outcome = paymentOutcomeOf({ order, payment: { ...payment, order_amount: ordered } }, context);
  return outcome === null ? undefined : { ...reference, attemptId, outcome };
}

function readOwnRefund(data: unknown, { reference }: Subject): Understood {
  const parsed = refundEventSchema.safeParse(data);
  if (!parsed.success) return undefined;
  const refundId = refundIdOf(parsed.data.refund.refund_id);
  return refundId === undefined
    ? undefined
    : { ...reference, refundId, refundOutcome: refundOutcomeOf(parsed.data.refund) };
}

/** What Cashfree returns by itself may be the money of a second payment of the order, which was not the attempt's. */
function readUnrequestedRefund(data: unknown, { reference, attemptId, type }: Subject): Understood {
  const parsed = unrequestedRefundEventSchema.safeParse(data);
  // One of the engine's own that was not understood is no refund of somebody else.
  if (!parsed.success || refundIdOf(parsed.data.refund_id ?? '') !== undefined) return undefined;
  const { cf_refund_id: providerRefundId, cf_payment_id: paymentId, refund_status: said, ...refund } = parsed.data;
  const status = MADE_STATUSES.get(said);
  if (status === undefined) return undefined;
  const { refund_amount: amount, refund_currency: currency } = refund;
  const money = { amountMinor: minorOf(amount, currency), currency };
  const of = type.startsWith('AUTO_REFUND_') && paymentId != null ? { providerPaymentId: paymentId } : {};
  return { ...reference, unknownRefund: { attemptId, providerRefundId, status, ...money, ...of } };
}

/** A refund that Cashfree has accepted counts as made. */
const MADE_STATUSES: ReadonlyMap<string, 'succeeded' | 'failed'> = new Map([
  ['SUCCESS', 'succeeded'],
  ['PENDING', 'succeeded'],
  ['ONHOLD', 'succeeded'],
  ['CANCELLED', 'failed'],
  ['FAILED', 'failed'],
]);

function readDispute(data: unknown, { reference, attemptId, type }: Subject): Understood {
  const parsed = disputeEventSchema.safeParse(data);
  if (!parsed.success) return undefined;
  return { ...reference, dispute: { attemptId, ...disputeReportOf(parsed.data.dispute, type) } };
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
