import { transactionIdOfRefund } from '../../domain/ids.ts';
import { newId } from '../../domain/new-id.ts';
import type { PaymentError, TransactionType } from '../../domain/payment.ts';
import { REFUND_STATUSES, type RefundResolution, type RefundStatus } from '../../domain/refund.ts';
import { Prisma } from '../generated/client.ts';
import { INSERT_EVENT } from '../fragments/insert-event.ts';
import { attemptsJson, intentJson } from '../fragments/payment-json.ts';
import { integer, json, nullable, oneOf, returning, type RowOf, text, timestamp } from '../connection/statement.ts';

/** What the snapshot of an ended refund leaves out. */
const UNSHOWN = Prisma.sql`ARRAY['next_due_at', 'asked_minor']`;

/** The end of a refund; `at` is the time of its last change. */
export function selectRefundEnd(refundId: string) {
  return returning({
    refundId: text,
    status: oneOf(REFUND_STATUSES),
    providerRefundId: nullable(text),
    failure: nullable(json<PaymentError>()),
    tries: integer,
    at: timestamp,
  })`
    SELECT id AS "refundId", status, provider_refund_id AS "providerRefundId", failure, tries, updated_at AS at
    FROM refund WHERE id = ${refundId}`;
}

/** The metrics' labels of a refund that has ended. */
export type EndedRefund = RowOf<ReturnType<typeof endRefund>>;

/** The transaction that a change of a refund's status creates; none if no money moved. */
interface RefundTransaction {
  readonly id: string;
  readonly type: TransactionType;
}

/**
 * Writes the end of a refund: the refund's row, the intent's money, the transaction and the events. It changes a pending refund
 * only, so that a repeat changes nothing and returns no row.
 */
export function endRefund(resolution: RefundResolution) {
  const isRefunded = resolution.status === 'succeeded';
  return changeRefund(resolution, {
    from: 'pending',
    transaction: isRefunded ? { id: transactionIdOfRefund(resolution.refundId), type: 'refund' } : null,
  });
}

/**
 * Writes the failure of a refund that had succeeded: the money is refundable again, and a transaction of type `void` cancels
 * that of the refund. It changes a refund that has succeeded only, so that a repeat changes nothing and returns no row.
 */
export function failSucceededRefund(resolution: RefundResolution) {
  return changeRefund(resolution, { from: 'succeeded', transaction: { id: newId('transaction'), type: 'void' } });
}

function changeRefund(
  resolution: RefundResolution,
  { from, transaction }: { readonly from: RefundStatus; readonly transaction: RefundTransaction | null },
) {
  const { refundId, status, at } = resolution;
  const failure = resolution.failure === null ? null : JSON.stringify(resolution.failure);
  return returning({ environment: text, provider: text })`
    WITH updated AS (
      UPDATE refund SET
        status = ${status},
        provider_refund_id = COALESCE(${resolution.providerRefundId}::text, refund.provider_refund_id),
        failure = ${failure}::jsonb,
        amount_minor = COALESCE(${resolution.refundedMinor ?? null}::bigint, refund.amount_minor),
        advisory = NULL,
        tries = refund.tries + ${resolution.tries}::integer,
        next_due_at = ${at}::timestamptz + interval '20 seconds',
        updated_at = ${at}::timestamptz
      FROM (SELECT id, amount_minor AS asked_minor FROM refund WHERE id = ${refundId} FOR UPDATE) AS asked
      WHERE refund.id = asked.id AND refund.status = ${from}
      RETURNING refund.*, asked.asked_minor
    ), intent AS (
      UPDATE payment_intent SET
        amount_refunding_minor = amount_refunding_minor
          - CASE WHEN ${from}::text = 'pending' THEN updated.asked_minor ELSE 0 END,
        amount_refunded_minor = amount_refunded_minor
          - CASE WHEN ${from}::text = 'succeeded' THEN updated.amount_minor ELSE 0 END
          + CASE WHEN updated.status = 'succeeded' THEN updated.amount_minor ELSE 0 END,
        updated_at = GREATEST(payment_intent.updated_at, updated.updated_at)
      FROM updated WHERE payment_intent.id = updated.payment_intent_id
      RETURNING payment_intent.*
    ), transactions AS (
      INSERT INTO transaction (id, payment_intent_id, attempt_id, merchant_account_id, environment, type, amount_minor,
        currency, provider, provider_payment_id, refund_id, created_at)
      SELECT ${transaction?.id ?? null}::text, payment_intent_id, attempt_id, merchant_account_id, environment, ${transaction?.type ?? null}::text,
        amount_minor, currency, provider, COALESCE(provider_refund_id, provider_payment_id), id, updated_at
      FROM updated WHERE ${transaction !== null}::boolean
      RETURNING *
    ), money AS (
      SELECT jsonb_agg(jsonb_build_object('id', id, 'attemptId', attempt_id, 'type', type, 'amountMinor', amount_minor,
        'currency', currency, 'provider', provider, 'providerPaymentId', provider_payment_id,
        'refundId', refund_id)) AS transactions
      FROM transactions
    ), events AS (
      ${INSERT_EVENT}
      SELECT created_event.id, updated.merchant_account_id, updated.environment, created_event.type, created_event.resource_id,
        updated.payment_intent_id, intent.version, CASE WHEN created_event.resource_id = updated.id THEN updated.failure END,
        CASE WHEN created_event.resource_id = intent.id
          THEN jsonb_build_object('intent', ${intentJson('intent')}, 'attempts', ${attemptsJson(Prisma.sql`intent.id`)})
          ELSE jsonb_build_object('refund', to_jsonb(updated) - ${UNSHOWN}) END
          || jsonb_build_object('transactions', COALESCE(money.transactions, '[]'::jsonb)),
        updated.updated_at
      FROM updated JOIN intent ON true JOIN money ON true
      JOIN (VALUES
        (1, ${newId('event')}, 'transaction.created', ${transaction?.id ?? null}::text, ${transaction !== null}::boolean),
        (2, ${newId('event')}, ${`refund.${status}`}, ${refundId}, true),
        (3, ${newId('event')}, 'payment_intent.refunded', (SELECT id FROM intent), ${transaction !== null}::boolean)
      ) AS created_event(ordinal, id, type, resource_id, applies) ON created_event.applies
      ORDER BY created_event.ordinal
    )
    SELECT environment, provider FROM updated`;
}
