import type { Actor } from '../../domain/audit.ts';
import { newId } from '../../domain/new-id.ts';
import type { RefundReason } from '../../domain/refund.ts';
import { type AccountScope, isKeptFromDeletion, isOwned } from '../fragments/conditions.ts';
import { Prisma } from '../generated/client.ts';
import { INSERT_AUDIT_EVENT } from '../fragments/insert-audit-event.ts';
import { INSERT_EVENT } from '../fragments/insert-event.ts';
import { refundWindowHasClosed } from '../fragments/refund-window.ts';
import { boolean, double, json, nullable, returning } from '../connection/statement.ts';
import type { RefundRow } from './refund.ts';

export interface RefundReservation {
  readonly id: string;
  /** Whose payment it is. */
  readonly account: AccountScope;
  /** The capture that is refunded. */
  readonly capture: {
    readonly transactionId: string;
    readonly paymentIntentId: string;
    readonly attemptId: string;
    readonly provider: string;
    readonly providerPaymentId: string;
  };
  /** Null refunds all that is left. */
  readonly amountMinor: number | null;
  readonly reason: RefundReason | null;
  readonly reference: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** The person who requests the refund, for the audit log; null for an API key. */
  readonly author: { readonly merchantId: string; readonly actor: Actor } | null;
  /** ISO 8601 UTC */
  readonly at: string;
}

/**
 * Sets the refund's part of the captured money aside and writes the refund with its first event. The intent's row is locked
 * meanwhile, so that refunds at the same time never promise more than was captured. Once it is written the refund will be made, so
 * nothing is written after the end of the refund window. It returns no row where the account at the provider does not exist.
 */
export function reserveRefund(refund: RefundReservation) {
  const { id, account, capture, amountMinor, reason, reference, metadata, author, at } = refund;
  return returning({ refundableMinor: double, isTooLate: boolean, refund: nullable(json<RefundRow>()) })`
    WITH locked AS (
      SELECT id, GREATEST(0, amount_captured_minor - amount_refunded_minor - amount_refunding_minor
          - amount_disputed_minor) AS refundable_minor,
        ${refundWindowHasClosed(capture.transactionId, account)} AS is_too_late
      FROM payment_intent
      WHERE ${isOwned(capture.paymentIntentId, account)} AND ${isKeptFromDeletion(capture.provider)}
      FOR UPDATE
    ), reserved AS (
      UPDATE payment_intent i
      SET amount_refunding_minor = i.amount_refunding_minor + COALESCE(${amountMinor}::bigint, locked.refundable_minor)
      FROM locked
      WHERE i.id = locked.id AND NOT locked.is_too_late AND locked.refundable_minor >= COALESCE(${amountMinor}::bigint, 1)
      RETURNING i.id, i.version, i.merchant_account_id, i.environment, i.currency,
        COALESCE(${amountMinor}::bigint, locked.refundable_minor) AS amount_minor
    ), created AS (
      INSERT INTO refund (id, payment_intent_id, transaction_id, attempt_id, merchant_account_id, environment,
        amount_minor, currency, status, reason, reference, metadata, provider, provider_payment_id, next_due_at, created_at,
        updated_at)
      SELECT ${id}, id, ${capture.transactionId}, ${capture.attemptId}, merchant_account_id, environment, amount_minor,
        currency, 'pending', ${reason}, ${reference}, ${JSON.stringify(metadata)}::jsonb, ${capture.provider},
        ${capture.providerPaymentId}, ${at}::timestamptz + interval '8 seconds', ${at}::timestamptz, ${at}::timestamptz
      FROM reserved
      RETURNING *
    ), fact AS (
      ${INSERT_EVENT}
      SELECT ${newId('event')}, created.merchant_account_id, created.environment, 'refund.created', created.id,
        created.payment_intent_id, reserved.version, NULL::jsonb,
        jsonb_build_object('refund', to_jsonb(created) - 'next_due_at'), created.created_at
      FROM created JOIN reserved ON reserved.id = created.payment_intent_id
    )${insertAudit(author)}
    SELECT locked.refundable_minor::float8 AS "refundableMinor", locked.is_too_late AS "isTooLate", to_jsonb(created) - 'next_due_at' AS refund
    FROM locked LEFT JOIN created ON created.payment_intent_id = locked.id`;
}

/** A further table expression, or nothing if no person requests the refund. */
function insertAudit(author: RefundReservation['author']): Prisma.Sql {
  if (author === null) return Prisma.empty;
  const { merchantId, actor } = author;
  return Prisma.sql`, audited AS (
      ${INSERT_AUDIT_EVENT}
      SELECT ${newId('auditEvent')}, ${merchantId}, environment, merchant_account_id, 'refund.created', id, ${actor.type},
        ${actor.id}, ${actor.address}, NULL, jsonb_build_object('id', id, 'object', 'refund', 'paymentIntentId', payment_intent_id,
          'amount', amount_minor, 'currency', currency, 'reason', reason)
      FROM created
    )`;
}
