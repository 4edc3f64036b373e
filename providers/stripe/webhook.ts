import { createHmac, timingSafeEqual } from 'node:crypto';
import type { z } from 'zod';
import { isId } from '../../domain/ids.ts';
import { parseJson } from '../../domain/json.ts';
import type { Environment } from '../../domain/payment.ts';
import type { ProviderEvent, RefundProviderEvent } from '../../domain/provider-outcome.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { WebhookVerificationError } from '../provider-errors.ts';
import { eventSchema, expiredChargeSchema, intentSchema, refundSchema, reportedIntentSchema } from './messages.ts';
import { outcomeOf, refundOutcomeOf, reportedMoney } from './outcomes.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** How far the time of a signature may be from now, in either direction. */
const TOLERANCE_MS = 5 * MINUTE_MS;
/** One for each active secret of the endpoint, of which there are two while it is being replaced. */
const MAXIMUM_SIGNATURES = 10;

/**
 * Verifies the header `Stripe-Signature`: `t=<seconds>,v1=<hex>[,v1=<hex>…]`, an HMAC-SHA256 over time and body.
 * @throws WebhookVerificationError where no signature is right, or the time is more than five minutes from now
 */
export function verifySignature(rawBody: Buffer, headers: Headers, secret: string): void {
  const header = headers['stripe-signature'];
  if (typeof header !== 'string') throw new WebhookVerificationError('the header stripe-signature is missing');
  const parts = header.split(',').map((part) => part.trim().split('='));
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d{1,12}$/.test(time)) throw new WebhookVerificationError('the signature has no time');
  const signatures = parts.filter(([name]) => name === 'v1').slice(0, MAXIMUM_SIGNATURES);
  const expected = createHmac('sha256', secret).update(`${time}.`).update(rawBody).digest();
  const isRight = signatures.some(([, signature = '']) => isEqual(Buffer.from(signature, 'hex'), expected));
  if (!isRight) throw new WebhookVerificationError('no signature is right');
  if (Math.abs(Date.now() - Number(time) * SECOND_MS) > TOLERANCE_MS) {
    throw new WebhookVerificationError('the time of the signature is more than five minutes from now');
  }
}

function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

/** The account whose events are read. */
interface EventReceiver {
  readonly provider: string;
  readonly environment: Environment;
}

/**
 * Translates a verified event.
 * @returns null where it reports on nothing of this engine, or nothing new
 * @throws WebhookVerificationError where its form is not Stripe's
 */
export function readEvent(rawBody: Buffer, receiver: EventReceiver): ProviderEvent | RefundProviderEvent | null {
  const event = read(eventSchema, parseJson(rawBody.toString('utf8')));
  if (event.livemode !== (receiver.environment === 'production')) return null;
  const reference = { provider: receiver.provider, eventId: event.id };
  const { object } = event.data;
  if (event.type.startsWith('payment_intent.')) return readIntentEvent(object, reference);
  if (event.type === 'charge.expired') return readExpiry(object, reference);
  if (event.type.startsWith('refund.') || event.type === 'charge.refund.updated') {
    return readRefundEvent(object, reference);
  }
  return null;
}

type Reference = Pick<ProviderEvent, 'provider' | 'eventId'>;

function readIntentEvent(object: unknown, reference: Reference): ProviderEvent | null {
  const attemptId = attemptIdIn(object);
  if (attemptId === null) return null;
  const { latest_charge: charge, ...intent } = read(reportedIntentSchema, object);
  // Events hold at most the charge's id, which does not say whether a hold was voided. An inquiry does.
  if (intent.status === 'canceled' && charge !== null) return null;
  const outcome = outcomeOf({ ...intent, latest_charge: null });
  return outcome === null ? null : { ...reference, attemptId, outcome };
}

/** A hold that was not captured in time. */
function readExpiry(object: unknown, reference: Reference): ProviderEvent | null {
  const attemptId = attemptIdIn(object);
  if (attemptId === null) return null;
  const { payment_intent: providerPaymentId, ...charge } = read(expiredChargeSchema, object);
  if (providerPaymentId === null) return null;
  const voided = { providerPaymentId, ...reportedMoney(charge) };
  return { ...reference, attemptId, outcome: { kind: 'not_charged', voided } };
}

function readRefundEvent(object: unknown, reference: Reference): RefundProviderEvent | null {
  const refundId = metadataIn(object).refund_id;
  if (refundId === undefined || !(isId('refund', refundId) || isId('strayCharge', refundId))) return null;
  return { ...reference, refundId, refundOutcome: refundOutcomeOf(read(refundSchema, object)) };
}

function attemptIdIn(object: unknown): string | null {
  const attemptId = metadataIn(object).attempt_id;
  return attemptId !== undefined && isId('attempt', attemptId) ? attemptId : null;
}

/** Read first: the objects of others may have any form. */
function metadataIn(object: unknown): Readonly<Record<string, string>> {
  return intentSchema.pick({ metadata: true }).safeParse(object).data?.metadata ?? {};
}

function read<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new WebhookVerificationError('the event has no known form');
}
