// Raw, because Prisma can neither insert what it selects nor restrict an upsert by a condition.
import type { Environment } from '../../domain/payment.ts';
import type { StrayChargeStatus } from '../../domain/stray-charge.ts';
import { Prisma, type StrayCharge } from '../generated/client.ts';
import type { JsonRow, Narrowed } from '../json-row.ts';

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

/** A stray charge that is recorded already is not changed, unless it was unfounded: then it becomes pending again. */
export const STRAY_CHARGE_REPORTED_AGAIN = Prisma.sql`ON CONFLICT (attempt_id) DO UPDATE
  SET status = 'pending', next_due_at = now(), updated_at = now() WHERE stray_charge.status = 'unfounded'`;

/**
 * Records a stray charge, once, so that it is reversed.
 * @param condition restricts it further, as a table expression of a larger statement; begins with AND
 */
export function insertStrayCharge(
  { attemptId, paymentIntentId }: StrayChargeReference,
  condition = Prisma.empty,
): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO stray_charge (attempt_id, payment_intent_id, merchant_account_id, environment, provider)
    SELECT a.id, i.id, i.merchant_account_id, i.environment, a.provider
    FROM payment_attempt a JOIN payment_intent i ON i.id = a.payment_intent_id
    WHERE a.id = ${attemptId} AND i.id = ${paymentIntentId} ${condition}
    ${STRAY_CHARGE_REPORTED_AGAIN}`;
}
