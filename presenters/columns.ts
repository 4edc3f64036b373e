import { Prisma } from '../prisma/generated/client.ts';

/** All attempts of an intent as one JSON list, in their order; the intent's id is in the given column of the statement. */
export function attemptsOf(paymentIntentIdColumn: string): Prisma.Sql {
  return Prisma.sql`
    (SELECT COALESCE(jsonb_agg(jsonb_build_object(
        'id', a.id, 'number', a.number, 'routeId', a.route_id, 'provider', a.provider, 'paymentMethodId', a.payment_method_id,
        'amountMinor', a.amount_minor, 'currency', a.currency, 'tries', a.tries, 'outcome', a.outcome, 'code', a.code,
        'providerPaymentId', a.provider_payment_id, 'startedAt', a.started_at, 'finishedAt', a.finished_at
      ) ORDER BY a.number), '[]') FROM payment_attempt a WHERE a.payment_intent_id = ${Prisma.raw(paymentIntentIdColumn)})`;
}

/** The columns of a `StoredEvent`, from a row of event with the alias `r`. */
export const EVENT_COLUMNS = Prisma.sql`
  r.id, r.type, r.resource_id AS "resourceId", r.payment_intent_id AS "paymentIntentId",
  r.merchant_account_id AS "merchantAccountId", r.environment, r.sequence::float8 AS sequence, r.snapshot,
  r.created_at AS "createdAt",
  CASE WHEN r.snapshot->'intent' IS NOT NULL THEN ${attemptsOf('r.payment_intent_id')} ELSE '[]'::jsonb END AS attempts,
  (SELECT m.masked FROM payment_method m WHERE m.id = r.snapshot->'intent'->>'payment_method_id')
    AS "maskedPaymentMethod"`;
