import type { Attempt, MaskedPaymentMethod } from '../../domain/payment.ts';
import { Prisma } from '../generated/client.ts';

/** An attempt as responses and events show it. */
export type AttemptRow = Omit<Attempt, 'operationId'> & {
  /** Masked; absent in the snapshot of an event, which has what its step wrote. */
  readonly paymentMethod?: MaskedPaymentMethod | null;
};

/**
 * An intent as JSON, without columns that clients must not see. @param row the name of the row in the statement, never from a
 * client
 */
export function intentJson(row: string): Prisma.Sql {
  return Prisma.sql`to_jsonb(${Prisma.raw(row)}) - '{client_secret_hash,workflow_run_id,next_due_at,card_last4,test_clock_seconds,retried}'::text[]`;
}

/** All attempts of an intent as one JSON list of `AttemptRow`, in their order. @param paymentIntentId the intent's id, as SQL */
export function attemptsJson(paymentIntentId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    (SELECT COALESCE(jsonb_agg(jsonb_build_object(
        'id', a.id, 'number', a.number, 'routeId', a.route_id, 'provider', a.provider, 'paymentMethodId', a.payment_method_id,
        'amountMinor', a.amount_minor, 'currency', a.currency, 'tries', a.tries, 'outcome', a.outcome, 'code', a.code,
        'advice', a.advice, 'networkCode', a.network_code, 'providerPaymentId', a.provider_payment_id, 'startedAt', a.started_at, 'finishedAt', a.finished_at,
        'paymentMethod', (SELECT m.masked FROM payment_method m
          WHERE m.id = a.payment_method_id AND m.payment_intent_id = a.payment_intent_id)
      ) ORDER BY a.number), '[]') FROM payment_attempt a WHERE a.payment_intent_id = ${paymentIntentId})`;
}

/** A value as a parameter that is cast to jsonb. */
export function jsonParameter(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

/** The last four digits of a payment method, where it is a card; null otherwise. @param paymentMethodId its id, as SQL */
export function cardLast4(paymentMethodId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT m.masked->>'last4' FROM payment_method m WHERE m.id = ${paymentMethodId} AND m.type = 'card')`;
}
