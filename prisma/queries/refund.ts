import type { Actor } from '../../domain/audit.ts';
import { transactionIdOfRefund } from '../../domain/ids.ts';
import { newId } from '../../domain/new-id.ts';
import type { Environment, PaymentError, TransactionType } from '../../domain/payment.ts';
import { REFUND_STATUSES, type RefundReason, type RefundResolution, type RefundStatus } from '../../domain/refund.ts';
import { type AccountScope, type CreationTimes, isKeptFromDeletion, isOwned, withValues } from '../conditions.ts';
import { Prisma, type Refund } from '../generated/client.ts';
import { INSERT_AUDIT_EVENT } from '../insert-audit-event.ts';
import { INSERT_EVENT } from '../insert-event.ts';
import type { JsonRow, Narrowed } from '../json-row.ts';
import {
  double,
  integer,
  json,
  nullable,
  oneOf,
  returning,
  type RowOf,
  type Statement,
  text,
  timestamp,
} from '../statement.ts';
import { foundAccountRows, type ListedRows } from './list.ts';

/** A refund as JSON: what is read for responses, and the snapshot that events store. */
export type RefundRow = Narrowed<
  Omit<JsonRow<Refund>, 'next_due_at'>,
  {
    readonly environment: Environment;
    readonly status: RefundStatus;
    readonly reason: RefundReason | null;
    readonly metadata: Readonly<Record<string, string>>;
    readonly failure: PaymentError | null;
    /** Absent in snapshots of earlier versions. */
    readonly reference?: string | null;
  }
>;

/** A refund as it is read for a response, from a row that is called `r`. */
export const STORED_REFUND = returning({ refund: json<RefundRow>() })`to_jsonb(r) - 'next_due_at' AS refund`;

export type StoredRefund = { readonly refund: RefundRow };

/** One refund of an account. */
export function selectRefund(id: string, account: AccountScope): Statement<StoredRefund> {
  return returning(STORED_REFUND.columns)`
    SELECT ${STORED_REFUND.sql} FROM refund r
    WHERE ${isOwned(id, account)}`;
}

/** A refund of any account, if it has succeeded. */
export function selectSucceededRefund(id: string): Statement<StoredRefund> {
  return returning(STORED_REFUND.columns)`
    SELECT ${STORED_REFUND.sql} FROM refund r
    WHERE r.id = ${id} AND r.status = 'succeeded'`;
}

/** Which of an account's refunds are listed. */
export interface AccountRefundFilter extends CreationTimes {
  readonly paymentIntentId?: string | undefined;
  readonly status?: string | undefined;
  readonly reference?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** The list of an account's refunds. */
export function accountRefunds(
  scope: AccountScope,
  { paymentIntentId, status, reference, metadata, ...times }: AccountRefundFilter,
): ListedRows {
  return foundAccountRows('refund', scope, {
    metadata,
    conditions: withValues({ reference, payment_intent_id: paymentIntentId, status }),
    times,
  });
}

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
 * meanwhile, so that refunds at the same time never promise more than was captured. It returns no row where the account at the
 * provider does not exist.
 */
export function reserveRefund(refund: RefundReservation) {
  const { id, account, capture, amountMinor, reason, reference, metadata, author, at } = refund;
  return returning({ refundableMinor: double, refund: nullable(json<RefundRow>()) })`
    WITH locked AS (
      SELECT id, amount_captured_minor - amount_refunded_minor - amount_refunding_minor AS refundable_minor
      FROM payment_intent
      WHERE ${isOwned(capture.paymentIntentId, account)} AND ${isKeptFromDeletion(capture.provider)}
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
    SELECT locked.refundable_minor::float8 AS "refundableMinor", to_jsonb(created) - 'next_due_at' AS refund
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
        tries = refund.tries + ${resolution.tries}::integer,
        next_due_at = ${at}::timestamptz + interval '20 seconds',
        updated_at = ${at}::timestamptz
      WHERE id = ${refundId} AND status = ${from}
      RETURNING *
    ), intent AS (
      UPDATE payment_intent SET
        amount_refunding_minor = amount_refunding_minor
          - CASE WHEN ${from}::text = 'pending' THEN updated.amount_minor ELSE 0 END,
        amount_refunded_minor = amount_refunded_minor
          - CASE WHEN ${from}::text = 'succeeded' THEN updated.amount_minor ELSE 0 END
          + CASE WHEN updated.status = 'succeeded' THEN updated.amount_minor ELSE 0 END,
        updated_at = GREATEST(payment_intent.updated_at, updated.updated_at)
      FROM updated WHERE payment_intent.id = updated.payment_intent_id
      RETURNING payment_intent.id, payment_intent.version
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
        jsonb_build_object('refund', to_jsonb(updated) - 'next_due_at', 'transactions', COALESCE(money.transactions, '[]'::jsonb)),
        updated.updated_at
      FROM updated JOIN intent ON true JOIN money ON true
      JOIN (VALUES
        (1, ${newId('event')}, 'transaction.created', ${transaction?.id ?? null}::text, ${transaction !== null}::boolean),
        (2, ${newId('event')}, ${`refund.${status}`}, ${refundId}, true)
      ) AS created_event(ordinal, id, type, resource_id, applies) ON created_event.applies
      ORDER BY created_event.ordinal
    )
    SELECT environment, provider FROM updated`;
}
