import type { Database } from '../../prisma/client.ts';
import { Prisma } from '../../prisma/generated/client.ts';

/** Tables whose rows have a workflow each, and the time of the sweeper's next check. */
export type DueTable = 'payment_intent' | 'refund' | 'stray_charge';

export interface ClaimOptions {
  readonly table: DueTable;
  /** The column whose age determines the pause until the next check. */
  readonly since: 'status_since' | 'created_at';
  readonly columns: Prisma.Sql;
  readonly limit: number;
}

/** The pause until the next check is half the age of `since`, within these bounds. */
const SHORTEST_PAUSE = Prisma.sql`interval '20 seconds'`;
const LONGEST_PAUSE = Prisma.sql`interval '15 minutes'`;

/** A claimed row, besides its selected columns. */
export interface Claim {
  readonly dueKey: string;
  /** The time of the next check, set by the claim. */
  readonly dueAt: Date;
  /** Whether the row was last changed more than 5 minutes ago. */
  readonly isQuiet: boolean;
}

const QUIET_AFTER = Prisma.sql`interval '5 minutes'`;

/**
 * Claims rows that are due, the longest overdue first, by setting the time of their next check. Concurrent workers claim
 * different rows; a row whose worker dies becomes due again.
 */
export function claimDue<Row>(
  database: Database,
  { table, since, columns, limit }: ClaimOptions,
): Promise<(Row & Claim)[]> {
  const name = Prisma.raw(table);
  const key = Prisma.raw(KEY_OF[table]);
  return database.direct.query<(Row & Claim)[]>`
    UPDATE ${name} SET next_due_at = now()
      + LEAST(GREATEST((now() - ${Prisma.raw(since)}) / 2, ${SHORTEST_PAUSE}), ${LONGEST_PAUSE})
    WHERE ${key} IN (
      SELECT ${key} FROM ${name} WHERE next_due_at <= now()
      ORDER BY next_due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    RETURNING ${columns}, ${key} AS "dueKey", next_due_at AS "dueAt", updated_at < now() - ${QUIET_AFTER} AS "isQuiet"`;
}

/** Ends the checks of claimed rows, except rows that have become due again since they were claimed. */
export async function settleDue(database: Database, table: DueTable, claims: readonly Claim[]): Promise<void> {
  if (claims.length === 0) return;
  await database.direct.execute`
    UPDATE ${Prisma.raw(table)} SET next_due_at = NULL
    FROM unnest(${claims.map(({ dueKey }) => dueKey)}::text[], ${claims.map(({ dueAt }) => dueAt)}::timestamptz[])
      AS claimed (key, due_at)
    WHERE ${Prisma.raw(KEY_OF[table])} = claimed.key AND next_due_at = claimed.due_at`;
}

const KEY_OF: Readonly<Record<DueTable, string>> = {
  payment_intent: 'id',
  refund: 'id',
  stray_charge: 'attempt_id',
};
