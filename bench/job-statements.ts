import pg from 'pg';
import { DAY_MS } from '../domain/time.ts';
import type { Prisma } from '../prisma/generated/client.ts';
import { claimDuePayments } from '../prisma/queries/due.ts';
import { deletePayments } from '../prisma/queries/purge.ts';
import { OLDEST_MS } from './fill-accounts.ts';
import { percentile } from './interleave.ts';

/** Rows that a statement of a worker's job changes at once. */
const BATCH_SIZE = 500;
const ROUNDS = 15;
const WARM_UP_ROUNDS = 3;

const MAKE_DUE = `
  UPDATE payment_intent SET next_due_at = now() - interval '1 second'
  WHERE id IN (SELECT id FROM payment_intent ORDER BY updated_at LIMIT ${BATCH_SIZE})`;

interface JobStatement {
  /** Makes rows that the statement finds; not timed. */
  readonly before?: string;
  readonly sql: Prisma.Sql;
}

const STATEMENTS: Readonly<Record<string, JobStatement>> = {
  [`sweep of ${BATCH_SIZE} due payments`]: { before: MAKE_DUE, sql: claimDuePayments(BATCH_SIZE, 'oldest').sql },
  [`purge of ${BATCH_SIZE} payments`]: {
    sql: deletePayments({ keepDays: OLDEST_MS / 2 / DAY_MS, limit: BATCH_SIZE }),
  },
};

/**
 * Times the statements of a worker's jobs that read payments of all accounts. What they change is rolled back.
 * @returns the median in milliseconds by statement
 */
export async function measureJobStatements(
  superuserUrl: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    const medians = new Map<string, number>();
    for (const [what, statement] of Object.entries(STATEMENTS)) {
      const samples: number[] = [];
      for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
        signal.throwIfAborted();
        const elapsedMs = await timeRolledBack(client, statement);
        if (round >= 0) samples.push(elapsedMs);
      }
      medians.set(what, percentile(samples, 0.5));
    }
    return medians;
  } finally {
    await client.end();
  }
}

async function timeRolledBack(client: pg.Client, { before, sql }: JobStatement): Promise<number> {
  await client.query('BEGIN');
  try {
    if (before !== undefined) await client.query(before);
    const startedAt = performance.now();
    const { rowCount } = await client.query(sql.text, [...sql.values]);
    const elapsedMs = performance.now() - startedAt;
    if (rowCount !== BATCH_SIZE) throw new Error(`expected ${BATCH_SIZE} rows to change, got ${String(rowCount)}`);
    return elapsedMs;
  } finally {
    await client.query('ROLLBACK');
  }
}
