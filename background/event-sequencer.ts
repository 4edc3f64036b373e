import type { Database } from '../prisma/client.ts';
import { type Prisma } from '../prisma/generated/client.ts';
import { SECOND_MS } from '../domain/time.ts';

/** Chosen once; whoever holds it is the one that numbers. */
const SEQUENCER_LOCK = 4_120_937_211n;

/** Most events numbered in one transaction. */
export const SEQUENCER_BATCH_SIZE = 500;

const TRANSACTION_LIMITS = { maxWait: 5 * SECOND_MS, timeout: 10 * SECOND_MS };

/**
 * Numbers committed events in the order of their insertion: `position` over all accounts and `sequence` within each,
 * both without gaps, and wakes the readers. Several may run at once; one of them does the work.
 *
 * An event that commits late gets a later number, so a reader that follows `position` never passes one by. The events
 * of one intent keep their order, because its workflow commits one change before it begins the next.
 * @returns how many events were numbered; 0 also when another sequencer is at work
 */
export async function sequenceEvents(database: Database, batchSize = SEQUENCER_BATCH_SIZE): Promise<number> {
  if (!(await hasUnnumbered(database))) return 0;
  return database.$transaction(async (transaction) => {
    if (!(await takeLock(transaction))) return 0;
    return numberBatch(transaction, batchSize);
  }, TRANSACTION_LIMITS);
}

/** Spares an idle system the transaction. */
async function hasUnnumbered(database: Database): Promise<boolean> {
  const rows = await database.$queryRaw<unknown[]>`SELECT 1 AS found FROM event WHERE position IS NULL LIMIT 1`;
  return rows.length > 0;
}

/**
 * A statement of its own: the next statement's snapshot is taken under the lock and so sees all that the previous
 * holder numbered. In one statement with the numbering, rows could be counted twice.
 */
async function takeLock(transaction: Prisma.TransactionClient): Promise<boolean> {
  const rows = await transaction.$queryRaw<
    { held: boolean }[]
  >`SELECT pg_try_advisory_xact_lock(${SEQUENCER_LOCK}) AS held`;
  return rows[0]?.held === true;
}

async function numberBatch(transaction: Prisma.TransactionClient, batchSize: number): Promise<number> {
  const rows = await transaction.$queryRaw<{ numbered: number }[]>`
    WITH batch AS MATERIALIZED (
      SELECT id, merchant_account_id, insertion
      FROM event
      WHERE position IS NULL
      ORDER BY insertion
      LIMIT ${batchSize}
    ), added AS (
      SELECT '*' AS scope, count(*) AS events FROM batch HAVING count(*) > 0
      UNION ALL
      SELECT merchant_account_id, count(*) FROM batch GROUP BY merchant_account_id
    ), counter AS (
      INSERT INTO event_counter (scope, last_value)
      SELECT scope, events FROM added
      ON CONFLICT (scope) DO UPDATE SET last_value = event_counter.last_value + excluded.last_value
      RETURNING scope, last_value
    ), place AS (
      SELECT id, merchant_account_id,
        count(*) OVER () - row_number() OVER (ORDER BY insertion) AS from_end,
        count(*) OVER (PARTITION BY merchant_account_id)
          - row_number() OVER (PARTITION BY merchant_account_id ORDER BY insertion) AS from_end_of_account
      FROM batch
    ), numbered AS (
      UPDATE event
      SET position = overall.last_value - place.from_end, sequence = account.last_value - place.from_end_of_account
      FROM place
      JOIN counter overall ON overall.scope = '*'
      JOIN counter account ON account.scope = place.merchant_account_id
      WHERE event.id = place.id
      RETURNING event.id
    )
    SELECT count(*)::int AS numbered, pg_notify('events', '')::text AS notified FROM numbered`;
  return rows[0]?.numbered ?? 0;
}
