import { createHmac, timingSafeEqual } from 'node:crypto';
import type { z } from 'zod';
import { isId } from '../../domain/ids.ts';
import { parseJson } from '../../domain/json.ts';
import type { Environment } from '../../domain/payment.ts';
import {
  type ProviderEvent,
  questionAbout,
  type ReceivedWebhook,
  type VerifiedEvent,
} from '../../domain/provider-outcome.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { ProviderOutageError, WebhookVerificationError } from '../provider-errors.ts';
import {
  changedMethodSchema,
  disputeSchema,
  eventSchema,
  expiredChargeSchema,
  namesSchema,
  refundSchema,
  reportedIntentSchema,
  type StripeEvent,
  warningSchema,
} from './messages.ts';
import { disputeReportOf } from './disputes.ts';
import { outcomeOf, refundOutcomeOf, reportedMoney } from './outcomes.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** How far the time of a signature may be from now, in either direction. */
const TOLERANCE_MS = 5 * MINUTE_MS;
/** One for each active secret of the endpoint, of which there are two while it is being replaced. */
const MAXIMUM_SIGNATURES = 10;

/**
 * Verifies the header `Stripe-Signature`: `t=<seconds>,v1=<hex>[,v1=<hex>…]`, an HMAC-SHA256 over time and body.
 * @returns whether it was signed within five minutes from now; what is older may have been repeated by somebody else
 * @throws WebhookVerificationError where no signature is right
 */
export function verifySignature(rawBody: Buffer, headers: Headers, secret: string): { readonly isRecent: boolean } {
  const header = headers['stripe-signature'];
  if (typeof header !== 'string') throw new WebhookVerificationError('the header stripe-signature is missing');
  const parts = header.split(',').map((part) => part.trim().split('='));
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d{1,12}$/.test(time)) throw new WebhookVerificationError('the signature has no time');
  const signatures = parts.filter(([name]) => name === 'v1').slice(0, MAXIMUM_SIGNATURES);
  const expected = createHmac('sha256', secret).update(`${time}.`).update(rawBody).digest();
  const isRight = signatures.some(([, signature = '']) => isEqual(Buffer.from(signature, 'hex'), expected));
  if (!isRight) throw new WebhookVerificationError('no signature is right');
  return { isRecent: Math.abs(Date.now() - Number(time) * SECOND_MS) <= TOLERANCE_MS };
}

function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

/** The account whose events are read. */
interface EventReceiver {
  readonly provider: string;
  readonly environment: Environment;
  /** Whether the event was signed just now. Of an older one only the name of its payment counts. */
  readonly isRecent: boolean;
}

/**
 * Translates a verified event. One about a payment of this account whose content is old, missing or not understood asks about it.
 * @throws WebhookVerificationError where it is no event of Stripe
 */
export function readEvent(rawBody: Buffer, receiver: EventReceiver): ReceivedWebhook {
  const parsed = eventSchema.safeParse(parseJson(rawBody.toString('utf8')));
  if (!parsed.success) throw new WebhookVerificationError('the event has no known form');
  const event = parsed.data;
  if (event.livemode !== (receiver.environment === 'production')) return skip(event, 'of the other mode');
  const meaning = meaningOf(event.type);
  if (meaning === 'nothing') return skip(event, 'it changes nothing');
  const reference = { provider: receiver.provider, eventId: event.id };
  try {
    const understood =
      (receiver.isRecent || meaning === 'method') && meaning !== 'question'
        ? READERS[meaning](event, reference)
        : undefined;
    if (understood === null) return skip(event, 'it tells nothing new');
    if (understood !== undefined) return { events: [understood], skipped: [] };
  } catch (error) {
    if (!(error instanceof WebhookVerificationError || error instanceof ProviderOutageError)) throw error;
  }
  const question = questionIn(event, reference);
  return question === null
    ? skip(event, 'about nothing of this engine')
    : { events: [question], skipped: [{ eventType: event.type, reason: 'not understood: the provider is asked' }] };
}

function skip({ type: eventType }: StripeEvent, reason: string): ReceivedWebhook {
  return { events: [], skipped: [{ eventType, reason }] };
}

type Meaning = 'intent' | 'expiry' | 'refund' | 'dispute' | 'warning' | 'method' | 'question' | 'nothing';

/** What each group of events, by the beginning of its name, means for a payment of this engine. The first that fits counts. */
const MEANINGS: readonly (readonly [string, Meaning])[] = [
  ['payment_intent.', 'intent'],
  ['charge.expired', 'expiry'],
  ['charge.refund.updated', 'refund'],
  ['charge.dispute.', 'dispute'],
  // `payment_intent.*` tells the same.
  ['charge.succeeded', 'nothing'],
  ['charge.pending', 'nothing'],
  ['charge.failed', 'nothing'],
  ['charge.captured', 'nothing'],
  ['charge.updated', 'nothing'],
  ['charge.', 'question'],
  ['refund.', 'refund'],
  ['radar.early_fraud_warning.', 'warning'],
  ['review.', 'question'],
  // The bank has given the card another expiry or number; somebody has removed it.
  ['payment_method.automatically_updated', 'method'],
  ['payment_method.detached', 'method'],
  // Thin events, which name their object and do not show it.
  ['v1.payment_intent.', 'question'],
  ['v1.charge.', 'question'],
  ['v1.refund.', 'question'],
];

/** What the adapter makes of a kind of event. */
export function meaningOf(type: string): Meaning {
  return MEANINGS.find(([start]) => type.startsWith(start))?.[1] ?? 'nothing';
}

type Reference = Pick<ProviderEvent, 'provider' | 'eventId'>;

/** What an event tells: null for nothing new, undefined where that is not understood. */
type Understood = VerifiedEvent | null | undefined;

const READERS: Readonly<
  Record<Exclude<Meaning, 'question' | 'nothing'>, (event: StripeEvent, reference: Reference) => Understood>
> = {
  intent: ({ data }, reference) => readIntentEvent(data?.object, reference),
  expiry: ({ data }, reference) => readExpiry(data?.object, reference),
  refund: ({ data }, reference) => readRefundEvent(data?.object, reference),
  warning: readWarning,
  dispute: readDispute,
  method: readMethodEvent,
};

function readIntentEvent(object: unknown, reference: Reference): Understood {
  const attemptId = attemptIdIn(object);
  if (attemptId === null) return undefined;
  const { latest_charge: charge, ...intent } = read(reportedIntentSchema, object);
  // Events hold at most the charge's id, which does not say whether a hold was voided. An inquiry does.
  if (intent.status === 'canceled' && charge !== null) return undefined;
  const outcome = outcomeOf({ ...intent, latest_charge: null });
  return outcome === null ? null : { ...reference, attemptId, outcome };
}

/** A hold that was not captured in time. */
function readExpiry(object: unknown, reference: Reference): Understood {
  const attemptId = attemptIdIn(object);
  if (attemptId === null) return undefined;
  const { payment_intent: providerPaymentId, ...charge } = read(expiredChargeSchema, object);
  if (providerPaymentId === null) return undefined;
  const voided = { providerPaymentId, ...reportedMoney(charge) };
  return { ...reference, attemptId, outcome: { kind: 'not_charged', voided } };
}

/** A refund of this engine has its id in the metadata. Any other was made in Stripe's dashboard, or by another system. */
function readRefundEvent(object: unknown, reference: Reference): Understood {
  const refundId = metadataIn(object).refund_id ?? '';
  const isOurs = isId('refund', refundId) || isId('strayCharge', refundId);
  const providerPaymentId = namesIn(object).payment_intent;
  if (!isOurs && providerPaymentId == null) return undefined;
  const refund = read(refundSchema, object);
  if (isOurs) return { ...reference, refundId, refundOutcome: refundOutcomeOf(refund) };
  const status = MADE_STATUSES.get(refund.status ?? '');
  if (status === undefined) return undefined;
  const unknownRefund = { providerRefundId: refund.id, status, ...reportedMoney(refund) } as const;
  return { ...reference, providerPaymentId: providerPaymentId ?? '', report: { unknownRefund } };
}

/** A refund that Stripe has accepted counts as made. */
const MADE_STATUSES: ReadonlyMap<string, 'succeeded' | 'failed'> = new Map([
  ['succeeded', 'succeeded'],
  ['pending', 'succeeded'],
  ['requires_action', 'succeeded'],
  ['failed', 'failed'],
  ['canceled', 'failed'],
]);

function readWarning({ type: providerEvent, data }: StripeEvent, reference: Reference): Understood {
  const providerPaymentId = namesIn(data?.object).payment_intent;
  if (providerPaymentId == null) return undefined;
  const { id: providerReference } = read(warningSchema, data?.object);
  return { ...reference, providerPaymentId, report: { fraudWarning: { providerEvent, providerReference } } };
}

/** What has become of the customer's cards is read from Stripe, so that no event names a token. */
function readMethodEvent({ data }: StripeEvent, reference: Reference): Understood {
  const changed = changedMethodSchema.safeParse(data).data;
  const providerCustomerId = changed?.object.customer ?? changed?.previous_attributes?.customer ?? null;
  return providerCustomerId === null ? null : { ...reference, credentials: { providerCustomerId } };
}

/** Stripe gives disputes no metadata of the payment, but its id. */
function readDispute({ type: providerEvent, data, created }: StripeEvent, reference: Reference): Understood {
  const providerPaymentId = namesIn(data?.object).payment_intent;
  if (providerPaymentId == null) return undefined;
  const dispute = disputeReportOf(read(disputeSchema, data?.object), providerEvent, created);
  return { ...reference, providerPaymentId, report: { dispute } };
}

/** The event that asks about the payment which an event names in any way; null where it names none. */
function questionIn(event: StripeEvent, reference: Reference): VerifiedEvent | null {
  const { data, related_object: related, type } = event;
  const attemptId = attemptIdIn(data?.object);
  const { id, object, metadata, payment_intent: ofObject } = namesIn(data?.object);
  // Every payment of this engine has the id of its attempt.
  if (object === 'payment_intent' && metadata != null && attemptId === null) return null;
  const ofRelated = related?.type.endsWith('payment_intent') === true ? related.id : null;
  const providerPaymentId = ofObject ?? (object === 'payment_intent' ? id : null) ?? ofRelated;
  if (attemptId !== null)
    return questionAbout(reference, { attemptId, providerPaymentId: providerPaymentId ?? null }, type);
  return providerPaymentId == null ? null : { ...reference, providerPaymentId, report: { notUnderstood: type } };
}

function attemptIdIn(object: unknown): string | null {
  const attemptId = metadataIn(object).attempt_id;
  return attemptId !== undefined && isId('attempt', attemptId) ? attemptId : null;
}

function namesIn(object: unknown) {
  return namesSchema.safeParse(object).data ?? {};
}

/** Read first: the objects of others may have any form. */
function metadataIn(object: unknown): Readonly<Record<string, string>> {
  return namesIn(object).metadata ?? {};
}

function read<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new WebhookVerificationError('the event has no known form');
}
