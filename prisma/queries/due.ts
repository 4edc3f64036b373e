// Raw, because Prisma cannot claim rows with SKIP LOCKED.
import type { Attempt } from '../../domain/payment.ts';
import { Prisma } from '../generated/client.ts';
import { HAS_OPEN_DEPOSIT } from './deposit.ts';
import { intentJson } from '../payment-json.ts';
import { boolean, type Columns, json, nullable, returning, type RowOf, text, timestamp } from '../statement.ts';
import type { IntentRow } from './payment-intent.ts';
import type { RefundRow } from './refund.ts';
import type { StrayChargeRow } from './stray-charge.ts';

/** Tables whose rows have a workflow each: their key, and the column whose age determines the pause until the next check. */
const DUE = {
  payment_intent: { key: 'id', since: 'status_since' },
  refund: { key: 'id', since: 'created_at' },
  stray_charge: { key: 'attempt_id', since: 'created_at' },
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
export type DueStrayCharge = RowOf<ReturnType<typeof claimDueStrayCharges>>;

/** Claims payments that are due, see `claim`. */
export function claimDuePayments(limit: number) {
  return returning({ ...CLAIM, intent: json<IntentRow>(), runId: nullable(text), hasOpenDeposit: boolean })`
    ${claim('payment_intent', limit)}, ${intentJson('payment_intent')} AS intent, workflow_run_id AS "runId",
      ${HAS_OPEN_DEPOSIT} AS "hasOpenDeposit"`;
}

/** Claims refunds that are due, see `claim`. */
export function claimDueRefunds(limit: number) {
  return returning({ ...CLAIM, refund: json<RefundRow>() })`
    ${claim('refund', limit)}, to_jsonb(refund) - 'next_due_at' AS refund`;
}

/** Claims stray charges that are due, see `claim`. The attempt is null where it was deleted with its payment. */
export function claimDueStrayCharges(limit: number) {
  return returning({
    ...CLAIM,
    strayCharge: json<StrayChargeRow>(),
    attempt: nullable(json<Pick<Attempt, 'number' | 'amountMinor' | 'currency'>>()),
  })`
    ${claim('stray_charge', limit)}, to_jsonb(stray_charge) AS "strayCharge", (
      SELECT jsonb_build_object('number', a.number, 'amountMinor', a.amount_minor, 'currency', a.currency)
      FROM payment_attempt a WHERE a.id = attempt_id
    ) AS attempt`;
}

/** The pause until the next check is half the age of the row, within these bounds. */
const SHORTEST_PAUSE = Prisma.sql`interval '20 seconds'`;
const LONGEST_PAUSE = Prisma.sql`interval '15 minutes'`;
const QUIET_AFTER = Prisma.sql`interval '5 minutes'`;

/**
 * Claims rows that are due, the longest overdue first, by setting the time of their next check. Concurrent workers claim
 * different rows; a row whose worker dies becomes due again. Further columns may follow: callers select the row as JSON, whose
 * texts are not checked, because a row that this version does not understand must not keep the others of its batch from being
 * handled.
 */
function claim(table: DueTable, limit: number): Prisma.Sql {
  const name = Prisma.raw(table);
  const key = Prisma.raw(DUE[table].key);
  return Prisma.sql`
    UPDATE ${name} SET next_due_at = now()
      + LEAST(GREATEST((now() - ${Prisma.raw(DUE[table].since)}) / 2, ${SHORTEST_PAUSE}), ${LONGEST_PAUSE})
    WHERE ${key} IN (
      SELECT ${key} FROM ${name} WHERE next_due_at <= now()
      ORDER BY next_due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    RETURNING ${key} AS "dueKey", next_due_at AS "dueAt", updated_at < now() - ${QUIET_AFTER} AS "isQuiet"`;
}

/** Makes the rows due now. @param keys ids of payments and refunds, or the attempt ids of stray charges */
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
