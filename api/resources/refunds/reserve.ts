import { newId } from '../../../domain/new-id.ts';
import type { RefundReason } from '../../../domain/refund.ts';
import type { Database } from '../../../prisma/client.ts';
import type { Capture } from './find-capture.ts';
import type { RefundRow } from '../../../presenters/refund.ts';

export interface NewRefund {
  readonly id: string;
  readonly capture: Capture;
  /** Null refunds the whole remaining amount. */
  readonly amountMinor: number | null;
  readonly reason: RefundReason | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Either the refund whose amount is now reserved, or the remaining amount if that was too little. */
export type Reservation =
  | { readonly kind: 'reserved'; readonly refund: RefundRow }
  | { readonly kind: 'exceeded'; readonly refundableMinor: number };

/**
 * Sets the refund's part of the captured money aside and writes the refund with its first event, in one statement. The
 * intent's row is locked meanwhile, so that refunds at the same time never promise more than was captured.
 * @throws when there is a refund of that id already; nothing is written then
 */
export async function reserveRefund(
  database: Database,
  { id, capture, amountMinor, reason, metadata }: NewRefund,
): Promise<Reservation> {
  const at = new Date().toISOString();
  const [row] = await database.direct.query<{ refundableMinor: number; refund: RefundRow | null }[]>`
    WITH locked AS (
      SELECT id, amount_captured_minor - amount_refunded_minor - amount_refunding_minor AS refundable_minor
      FROM payment_intent WHERE id = ${capture.paymentIntentId}
      FOR UPDATE
    ), reserved AS (
      UPDATE payment_intent i
      SET amount_refunding_minor = i.amount_refunding_minor + COALESCE(${amountMinor}::bigint, locked.refundable_minor)
      FROM locked
      WHERE i.id = locked.id AND locked.refundable_minor >= COALESCE(${amountMinor}::bigint, 1)
      RETURNING i.id, i.version, i.merchant_account_id, i.environment, i.currency,
        COALESCE(${amountMinor}::bigint, locked.refundable_minor) AS amount_minor
    ), created AS (
      INSERT INTO refund (id, payment_intent_id, transaction_id, attempt_id, merchant_account_id, environment,
        amount_minor, currency, status, reason, metadata, provider, provider_payment_id, next_due_at, created_at,
        updated_at)
      SELECT ${id}, id, ${capture.transactionId}, ${capture.attemptId}, merchant_account_id, environment, amount_minor,
        currency, 'pending', ${reason}, ${JSON.stringify(metadata)}::jsonb, ${capture.provider},
        ${capture.providerPaymentId}, ${at}::timestamptz + interval '8 seconds', ${at}::timestamptz, ${at}::timestamptz
      FROM reserved
      RETURNING *
    ), fact AS (
      INSERT INTO event (id, merchant_account_id, environment, type, resource_id, payment_intent_id, version, snapshot,
        created_at)
      SELECT ${newId('event')}, created.merchant_account_id, created.environment, 'refund.created', created.id,
        created.payment_intent_id, reserved.version, jsonb_build_object('refund', to_jsonb(created) - 'next_due_at'), created.created_at
      FROM created JOIN reserved ON reserved.id = created.payment_intent_id
    )
    SELECT locked.refundable_minor::float8 AS "refundableMinor", to_jsonb(created) - 'next_due_at' AS refund
    FROM locked LEFT JOIN created ON created.payment_intent_id = locked.id`;
  if (row === undefined) throw new Error(`${capture.paymentIntentId} was deleted`);
  if (row.refund === null) return { kind: 'exceeded', refundableMinor: row.refundableMinor };
  return { kind: 'reserved', refund: row.refund };
}
