import { type Environment, TRANSACTION_TYPES, type TransactionType } from '../../domain/payment.ts';
import { type AccountScope, type CreationTimes, isOwned } from '../fragments/conditions.ts';
import { Prisma, type Transaction } from '../generated/client.ts';
import type { JsonRow, Narrowed } from '../fragments/json-row.ts';
import { refundWindowEnd } from '../fragments/refund-window.ts';
import {
  boolean,
  double,
  integer,
  json,
  nullable,
  oneOf,
  returning,
  type Statement,
  text,
  texts,
  timestamp,
} from '../connection/statement.ts';
import { accountRows, type ListedRows } from './list.ts';

/** A transaction as JSON. */
export type TransactionRow = Narrowed<
  JsonRow<Transaction>,
  { readonly environment: Environment; readonly type: TransactionType }
>;

/** The refunded and the refundable amount of a capture, in minor units. */
export interface CaptureRefunds {
  readonly refundedMinor: number;
  readonly refundableMinor: number;
}

/** How its provider has settled a transaction. */
export interface TransactionSettlement {
  readonly settlementId: string;
  readonly feeMinor: number;
  readonly netMinor: number;
  readonly currency: string;
  /** Null while the settlement is not paid. */
  readonly settledAt: string | null;
}

/** A transaction as it is read for a response. */
export interface StoredTransaction {
  readonly transaction: TransactionRow;
  /** Null except for captures. */
  readonly refunds: CaptureRefunds | null;
  /** Null until its provider has settled it. */
  readonly settled: TransactionSettlement | null;
}

/**
 * A transaction as it is read for a response, from a row that is called `r`. Any capture of an intent can be refunded as far as the
 * intent can, so each shows the sums of the intent; there is more than one only after a late report.
 */
export const STORED_TRANSACTION = returning<StoredTransaction>({
  transaction: json<TransactionRow>(),
  refunds: nullable(json<CaptureRefunds>()),
  settled: nullable(json<TransactionSettlement>()),
})`
  to_jsonb(r) AS transaction,
  (SELECT jsonb_build_object('refundedMinor', i.amount_refunded_minor, 'refundableMinor',
      GREATEST(0, i.amount_captured_minor - i.amount_refunded_minor - i.amount_refunding_minor
        - i.amount_disputed_minor))
    FROM payment_intent i WHERE i.id = r.payment_intent_id AND r.type = 'capture') AS "refunds",
  (SELECT jsonb_build_object('settlementId', s.id, 'feeMinor', e.fee_minor, 'netMinor', e.net_minor, 'currency', e.currency,
      'settledAt', s.settled_at)
    FROM settlement_entry e JOIN settlement s ON s.id = e.settlement_id
    WHERE e.merchant_account_id = r.merchant_account_id AND e.transaction_id = r.id AND e.superseded_at IS NULL
      AND e.match <> 'duplicate') AS settled`;

/** One transaction of an account. */
export function selectTransaction(id: string, account: AccountScope): Statement<StoredTransaction> {
  return returning(STORED_TRANSACTION.columns)`
    SELECT ${STORED_TRANSACTION.sql} FROM transaction r
    WHERE ${isOwned(id, account)}`;
}

/** Which of an account's transactions are listed. */
export interface AccountTransactionFilter extends CreationTimes {
  readonly paymentIntentId?: string | undefined;
  readonly type?: string | undefined;
}

/** The list of an account's transactions. */
export function accountTransactions(
  scope: AccountScope,
  { paymentIntentId, type, ...times }: AccountTransactionFilter,
): ListedRows {
  return accountRows('transaction', scope, { payment_intent_id: paymentIntentId, type }, times);
}

/** A transaction to refund, of any type, by its id. */
export function selectRefundable(id: string, account: AccountScope) {
  return selectWithWindow(Prisma.sql`t.id = ${id}`, account);
}

/** The capture of an intent. */
export function selectCapture(paymentIntentId: string, account: AccountScope) {
  return selectWithWindow(Prisma.sql`t.payment_intent_id = ${paymentIntentId} AND t.type = 'capture'`, account);
}

/** The newest transaction that meets a condition, and the end of its refund window. */
function selectWithWindow(condition: Prisma.Sql, { merchantAccountId, environment }: AccountScope) {
  return returning({
    transactionId: text,
    paymentIntentId: text,
    attemptId: text,
    provider: text,
    providerPaymentId: text,
    type: oneOf(TRANSACTION_TYPES),
    capturedMinor: double,
    leftMinor: double,
    disputedMinor: double,
    disputeIds: texts,
    refundWindowDays: integer,
    refundableUntil: timestamp,
    isTooOld: boolean,
  })`
    SELECT t.id AS "transactionId", t.payment_intent_id AS "paymentIntentId", t.attempt_id AS "attemptId", t.provider,
      t.provider_payment_id AS "providerPaymentId", t.type,
      i.amount_captured_minor::float8 AS "capturedMinor", (i.amount_captured_minor - i.amount_refunded_minor - i.amount_refunding_minor)::float8 AS "leftMinor",
      i.amount_disputed_minor::float8 AS "disputedMinor", COALESCE(i.dispute_ids, '{}') AS "disputeIds", a.refund_window_days AS "refundWindowDays",
      w.closes_at AS "refundableUntil", w.closes_at < now() AS "isTooOld"
    FROM transaction t JOIN merchant_account a ON a.id = t.merchant_account_id
      JOIN payment_intent i ON i.id = t.payment_intent_id
      CROSS JOIN LATERAL (
        SELECT ${refundWindowEnd({ merchantAccountId, environment })} AS closes_at
      ) w
    WHERE ${condition} AND t.merchant_account_id = ${merchantAccountId} AND t.environment = ${environment}
    ORDER BY t.created_at DESC, t.id DESC LIMIT 1`;
}
