import { transactionIdOfRefund } from '../domain/ids.ts';
import { newId } from '../domain/new-id.ts';
import type { RefundResolution } from '../domain/refund.ts';
import type { Database } from '../prisma/client.ts';

/**
 * Writes the end of a refund in one statement: the refund's row, the intent's money, the transaction and the events.
 * Changes a pending refund only, so that a repeat changes nothing.
 * @throws when there is no such refund
 */
export async function recordRefund(database: Database, resolution: RefundResolution): Promise<void> {
  const { refundId, status, at } = resolution;
  const succeeded = status === 'succeeded';
  const failure = resolution.failure === null ? null : JSON.stringify(resolution.failure);
  const updated = await database.direct.execute`
    WITH updated AS (
      UPDATE refund SET
        status = ${status},
        provider_refund_id = ${resolution.providerRefundId},
        failure = ${failure}::jsonb,
        tries = ${resolution.tries},
        next_due_at = ${at}::timestamptz + interval '20 seconds',
        updated_at = ${at}::timestamptz
      WHERE id = ${refundId} AND status = 'pending'
      RETURNING *
    ), intent AS (
      UPDATE payment_intent SET
        amount_refunding_minor = amount_refunding_minor - updated.amount_minor,
        amount_refunded_minor = amount_refunded_minor
          + CASE WHEN updated.status = 'succeeded' THEN updated.amount_minor ELSE 0 END,
        updated_at = GREATEST(payment_intent.updated_at, updated.updated_at)
      FROM updated WHERE payment_intent.id = updated.payment_intent_id
      RETURNING payment_intent.id, payment_intent.version
    ), transactions AS (
      INSERT INTO transaction (id, payment_intent_id, attempt_id, merchant_account_id, environment, type, amount_minor,
        currency, provider, provider_payment_id, refund_id, created_at)
      SELECT ${transactionIdOfRefund(refundId)}, payment_intent_id, attempt_id, merchant_account_id, environment, 'refund',
        amount_minor, currency, provider, COALESCE(provider_refund_id, provider_payment_id), id, updated_at
      FROM updated WHERE status = 'succeeded'
      RETURNING *
    ), money AS (
      SELECT jsonb_agg(jsonb_build_object('id', id, 'attemptId', attempt_id, 'type', type, 'amountMinor', amount_minor,
        'currency', currency, 'provider', provider, 'providerPaymentId', provider_payment_id,
        'refundId', refund_id)) AS transactions
      FROM transactions
    ), events AS (
      INSERT INTO event (id, merchant_account_id, environment, type, resource_id, payment_intent_id, version, failure,
        snapshot, created_at)
      SELECT created_event.id, updated.merchant_account_id, updated.environment, created_event.type, created_event.resource_id,
        updated.payment_intent_id, intent.version, CASE WHEN created_event.resource_id = updated.id THEN updated.failure END,
        jsonb_build_object('refund', to_jsonb(updated) - 'next_due_at', 'transactions', COALESCE(money.transactions, '[]'::jsonb)),
        updated.updated_at
      FROM updated JOIN intent ON true JOIN money ON true
      JOIN (VALUES
        (1, ${newId('event')}, 'transaction.created', ${transactionIdOfRefund(refundId)}, ${succeeded}::boolean),
        (2, ${newId('event')}, ${`refund.${status}`}, ${refundId}, true)
      ) AS created_event(ordinal, id, type, resource_id, applies) ON created_event.applies
      ORDER BY created_event.ordinal
    )
    SELECT 1 FROM updated`;
  if (updated === 0) await assertRecorded(database, refundId);
}

async function assertRecorded(database: Database, refundId: string): Promise<void> {
  const row = await database.refund.findUnique({ where: { id: refundId }, select: { status: true } });
  if (row === null || row.status === 'pending') throw new Error(`${refundId}: there is no refund to record the end of`);
}
