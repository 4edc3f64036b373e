import type { Attempt } from '../../domain/payment.ts';
import { WAITING_AFTER_MS } from '../../domain/time-limits.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { Prisma } from '../generated/client.ts';
import { HAS_OPEN_DEPOSIT } from './deposit.ts';
import { disputeJson } from '../fragments/dispute-json.ts';
import { intentJson } from '../fragments/payment-json.ts';
import {
  boolean,
  type Columns,
  json,
  nullable,
  returning,
  type RowOf,
  text,
  timestamp,
} from '../connection/statement.ts';
import type { DisputeRow } from './dispute.ts';
import type { IntentRow } from './payment-intent.ts';
import type { RefundRow } from './refund.ts';
import type { StrayChargeRow } from './stray-charge.ts';

/** Tables whose rows have a workflow each: their key, and the column whose age determines the pause until the next check. */
const DUE = {
  payment_intent: { key: 'id', since: 'updated_at' },
  refund: { key: 'id', since: 'created_at' },
  dispute: { key: 'id', since: 'updated_at' },
  stray_charge: { key: 'attempt_id', since: 'updated_at' },
} as const;

export type DueTable = keyof typeof DUE;

/** What is returned of every claimed row. */
export interface Claim {
  readonly dueKey: string;
  /** The time of the next check, set by the claim. */
  readonly dueAt: Date | null;
  /** Whether the row was last changed more than 5 minutes ago. */
  readonly isQuiet: boolean;
}

/** The column allows null, which a claimed row never has. */
const CLAIM: Columns<Claim> = { dueKey: text, dueAt: nullable(timestamp), isQuiet: boolean };

export type DuePayment = RowOf<ReturnType<typeof claimDuePayments>>;
export type DueRefund = RowOf<ReturnType<typeof claimDueRefunds>>;
export type DueDispute = RowOf<ReturnType<typeof claimDueDisputes>>;
export type DueStrayCharge = RowOf<ReturnType<typeof claimDueStrayCharges>>;

/** Which rows are claimed: those that have been due longest, or a few of each account in turn. */
export type ClaimOrder = 'oldest' | 'by_account';

/** The first operation on a payment under way that its provider has not answered. */
interface OpenOperation {
  readonly kind: 'capture' | 'cancel';
  readonly since: string;
}

/** Claims payments that are due, see `claim`. */
export function claimDuePayments(limit: number, order: ClaimOrder) {
  return returning({
    ...CLAIM,
    intent: json<IntentRow>(),
    runId: nullable(text),
    hasOpenDeposit: boolean,
    openOperation: nullable(json<OpenOperation>()),
  })`
    ${claim('payment_intent', limit, order)}, ${intentJson('payment_intent')} AS intent, workflow_run_id AS "runId",
      ${HAS_OPEN_DEPOSIT} AS "hasOpenDeposit", (
        SELECT jsonb_build_object('kind', o.kind, 'since', o.created_at) FROM payment_operation o
        WHERE o.payment_intent_id = payment_intent.id AND o.result IS NULL AND o.kind IN ('capture', 'cancel')
          AND payment_intent.status IN ('requires_action', 'requires_capture')
        ORDER BY o.created_at LIMIT 1
      ) AS "openOperation"`;
}

/** Claims refunds that are due, see `claim`. */
export function claimDueRefunds(limit: number, order: ClaimOrder) {
  return returning({ ...CLAIM, refund: json<RefundRow>() })`
    ${claim('refund', limit, order)}, to_jsonb(refund) - 'next_due_at' AS refund`;
}

/** Claims disputes that are due, see `claim`. */
export function claimDueDisputes(limit: number, order: ClaimOrder) {
  return returning({ ...CLAIM, dispute: json<DisputeRow>() })`
    ${claim('dispute', limit, order)}, ${disputeJson('dispute')} AS dispute`;
}

/** Claims stray charges that are due, see `claim`. The attempt is null where it was deleted with its payment. */
export function claimDueStrayCharges(limit: number, order: ClaimOrder) {
  return returning({
    ...CLAIM,
    strayCharge: json<StrayChargeRow>(),
    attempt: nullable(json<Pick<Attempt, 'number' | 'amountMinor' | 'currency'>>()),
  })`
    ${claim('stray_charge', limit, order)}, to_jsonb(stray_charge) AS "strayCharge", (
      SELECT jsonb_build_object('number', a.number, 'amountMinor', a.amount_minor, 'currency', a.currency)
      FROM payment_attempt a WHERE a.id = attempt_id
    ) AS attempt`;
}

/** The pause until the next check is half the age of the row, within these bounds. */
const SHORTEST_PAUSE = Prisma.sql`interval '20 seconds'`;
const LONGEST_PAUSE = Prisma.sql`interval '15 minutes'`;
/** When what was to be closed at the expiry, or voided at the hold's lapse, has waited for long; null where there is none, or it has passed. */
const LATE_AFTER_DEADLINE = Prisma.sql`NULLIF(GREATEST(now(), ${WAITING_AFTER_MS / MINUTE_MS} * interval '1 minute' +
      CASE status WHEN 'requires_action' THEN expires_at WHEN 'requires_capture' THEN capture_before END), now())`;
const QUIET_AFTER = Prisma.sql`interval '5 minutes'`;

/** Rows of one account that a claim by account takes at most. */
export const SHARE_PER_ACCOUNT = 20;

/**
 * Claims rows that are due by setting the time of their next check: the longest overdue first, or a few of each account in turn, so
 * that an account with very many does not keep the others waiting. Concurrent workers claim different rows; a row whose worker dies
 * becomes due again. Further columns may follow: callers select the row as JSON, whose texts are not checked, because a row that
 * this version does not understand must not keep the others of its batch from being handled.
 */
function claim(table: DueTable, limit: number, order: ClaimOrder): Prisma.Sql {
  const name = Prisma.raw(table);
  const key = Prisma.raw(DUE[table].key);
  const next =
    order === 'oldest'
      ? Prisma.sql`SELECT ${key} FROM ${name} WHERE next_due_at <= now() ORDER BY next_due_at LIMIT ${limit}`
      : Prisma.sql`SELECT ${key} FROM ${name} WHERE next_due_at <= now() AND ${key} IN (SELECT key FROM ranked)`;
  return Prisma.sql`
    ${order === 'oldest' ? Prisma.empty : dueByAccount(table, limit)}
    UPDATE ${name} SET next_due_at = LEAST(
      now() + LEAST(GREATEST((now() - ${Prisma.raw(DUE[table].since)}) / 2, ${SHORTEST_PAUSE}), ${LONGEST_PAUSE}),
      ${table === 'payment_intent' ? LATE_AFTER_DEADLINE : Prisma.sql`NULL`}
    )
    WHERE ${key} IN (${next} FOR UPDATE SKIP LOCKED)
    RETURNING ${key} AS "dueKey", next_due_at AS "dueAt", updated_at < now() - ${QUIET_AFTER} AS "isQuiet"`;
}

/** The keys of due rows, a few of each account, as `ranked`. The index leads from one account to the next, past all rows of each. */
function dueByAccount(table: DueTable, limit: number): Prisma.Sql {
  const name = Prisma.raw(table);
  const nextAccount = (condition: Prisma.Sql) => Prisma.sql`
    SELECT merchant_account_id AS id FROM ${name} WHERE next_due_at IS NOT NULL ${condition}
    ORDER BY merchant_account_id LIMIT 1`;
  return Prisma.sql`
    WITH RECURSIVE account AS (
      (${nextAccount(Prisma.empty)})
      UNION ALL
      SELECT (${nextAccount(Prisma.sql`AND merchant_account_id > account.id`)}) FROM account WHERE account.id IS NOT NULL
    ), ranked AS MATERIALIZED (
      SELECT due.key FROM account CROSS JOIN LATERAL (
        SELECT ordered.key, ordered.next_due_at, row_number() OVER (ORDER BY ordered.next_due_at) AS rank FROM (
          SELECT ${Prisma.raw(DUE[table].key)} AS key, next_due_at FROM ${name}
          WHERE merchant_account_id = account.id AND next_due_at <= now()
          ORDER BY next_due_at LIMIT ${SHARE_PER_ACCOUNT}::int
        ) AS ordered
      ) AS due
      ORDER BY due.rank, due.next_due_at LIMIT ${limit}
    )`;
}

/** Makes the rows due now. @param keys ids of payments, refunds and disputes, or the attempt ids of stray charges */
export function makeDue(table: DueTable, keys: readonly string[]): Prisma.Sql {
  return Prisma.sql`
    UPDATE ${Prisma.raw(table)} SET next_due_at = now() WHERE ${Prisma.raw(DUE[table].key)} = ANY(${keys}::text[])`;
}

/** Ends the checks of claimed rows, except rows that have become due again since they were claimed. */
export function clearDue(table: DueTable, claims: readonly Claim[]): Prisma.Sql {
  return Prisma.sql`
    UPDATE ${Prisma.raw(table)} SET next_due_at = NULL
    FROM unnest(${claims.map(({ dueKey }) => dueKey)}::text[], ${claims.map(({ dueAt }) => dueAt)}::timestamptz[])
      AS claimed (key, due_at)
    WHERE ${Prisma.raw(DUE[table].key)} = claimed.key AND next_due_at = claimed.due_at`;
}
