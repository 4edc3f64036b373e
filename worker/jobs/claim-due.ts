import type { Database } from '../../prisma/client.ts';
import { Prisma } from '../../prisma/generated/client.ts';

/** Tables whose rows have a workflow each, and a time at which the sweeper looks at it. */
export type DueTable = 'payment_intent' | 'refund' | 'stray_charge';

export interface ClaimOptions {
  readonly table: DueTable;
  /** The column by whose age the pauses between two looks grow. */
  readonly since: 'status_since' | 'created_at';
  readonly columns: Prisma.Sql;
  readonly limit: number;
}

/** A row is looked at again after half the time that it has been as it is, within these bounds. */
const SHORTEST_PAUSE = Prisma.sql`interval '20 seconds'`;
const LONGEST_PAUSE = Prisma.sql`interval '15 minutes'`;

/** What is known of a row that was claimed, besides its columns. */
export interface Claim {
  readonly dueKey: string;
  /** The time of the next look that the claim has set. */
  readonly dueAt: Date;
  /** Whether its last step, or its creation, is minutes ago. */
  readonly isQuiet: boolean;
}

const QUIET_AFTER = Prisma.sql`interval '5 minutes'`;

/**
 * Takes the rows that are due, the longest overdue first, and sets the time of their next look. Several workers take
 * different rows; a row whose worker dies is due again.
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

/** Ends the looks at claimed rows, except those that have become due again since they were claimed. */
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
