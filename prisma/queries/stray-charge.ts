import type { Environment } from '../../domain/payment.ts';
import type { StrayChargeStatus } from '../../domain/stray-charge.ts';
import { Prisma, type StrayCharge } from '../generated/client.ts';
import type { JsonRow, Narrowed } from '../fragments/json-row.ts';

/** A stray charge as JSON. */
export type StrayChargeRow = Narrowed<
  JsonRow<StrayCharge>,
  { readonly environment: Environment; readonly status: StrayChargeStatus }
>;

/** A charge for an attempt that had ended without one. */
export interface StrayChargeReference {
  readonly attemptId: string;
  readonly paymentIntentId: string;
}

/**
 * A recorded stray charge is not changed, unless it was unfounded: then it becomes pending again. A reversed one stays reversed,
 * because reports arrive in any order, and a late one may be older than the void or the refund. If the provider has the money after
 * all, reconciliation reports the difference, for providers that support it.
 */
export const STRAY_CHARGE_REPORTED_AGAIN = Prisma.sql`ON CONFLICT (attempt_id) DO UPDATE
  SET status = 'pending', next_due_at = now(), updated_at = now() WHERE stray_charge.status = 'unfounded'`;

/**
 * The part of a larger statement that records a stray charge, once. The larger statement must change the payment's row.
 * @param condition when to record it, as SQL that begins with AND
 */
export function insertStrayCharge(
  { attemptId, paymentIntentId }: StrayChargeReference,
  condition: Prisma.Sql,
): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO stray_charge (attempt_id, payment_intent_id, merchant_account_id, environment, provider)
    SELECT a.id, i.id, i.merchant_account_id, i.environment, a.provider
    FROM payment_attempt a JOIN payment_intent i ON i.id = a.payment_intent_id
    WHERE a.id = ${attemptId} AND i.id = ${paymentIntentId} ${condition}
    ${STRAY_CHARGE_REPORTED_AGAIN}`;
}

/** Records a stray charge, once, so that it is reversed. */
export function noteStrayCharge(charge: StrayChargeReference): Prisma.Sql {
  return Prisma.sql`
    WITH kept AS (${keepFromPurge(Prisma.sql`(VALUES (${charge.paymentIntentId})) AS charged(payment_intent_id)`)})
    ${insertStrayCharge(charge, Prisma.sql`AND EXISTS (SELECT FROM kept)`)}`;
}

/**
 * Changes the row of a payment that has a stray charge, so that a purge which has already begun keeps the payment: when the purge
 * locks this row, PostgreSQL reads it again, but it does not read `stray_charge` again.
 * @param charged a table expression with a column `payment_intent_id`
 */
export function keepFromPurge(charged: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    UPDATE payment_intent SET updated_at = GREATEST(payment_intent.updated_at, now()) FROM ${charged}
    WHERE payment_intent.id = charged.payment_intent_id
    RETURNING payment_intent.id`;
}
