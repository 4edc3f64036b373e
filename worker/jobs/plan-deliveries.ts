import { ATTEMPTS_THAT_BLOCK } from '../../domain/webhook.ts';
import type { Database } from '../../prisma/client.ts';
import { Prisma } from '../../prisma/generated/client.ts';

/** Most events planned in one statement. */
export const PLANNER_BATCH_SIZE = 500;

/**
 * Writes a delivery for each endpoint that subscribes to one of the next numbered events, and moves the cursor past them, in one
 * statement: no event is missed or planned twice, even if a worker dies. Concurrent planners run one after the other.
 *
 * The events of one payment go to an endpoint one after the other: each waits for the one before it.
 * @returns how many events were planned
 */
export async function planDeliveries(database: Database, batchSize = PLANNER_BATCH_SIZE): Promise<number> {
  if (!(await hasUnplanned(database))) return 0;
  // A separate statement: the snapshot of the next one is taken under the lock, and so includes what other planners have written.
  const lock = Prisma.sql`SELECT 1 AS held FROM webhook_cursor WHERE id = 1 FOR UPDATE`;
  const plan = Prisma.sql`
    WITH planned_to AS MATERIALIZED (
      SELECT position FROM webhook_cursor WHERE id = 1
    ), batch AS MATERIALIZED (
      SELECT e.id, e.merchant_account_id, e.environment, e.type, e.resource_id, e.payment_intent_id, e.position
      FROM planned_to JOIN event e ON e.position > planned_to.position
      ORDER BY e.position LIMIT ${batchSize}
    ), wanted AS (
      SELECT b.*, w.id AS webhook_endpoint_id,
        'whd_' || split_part(b.id, '_', 2) || '_' || split_part(w.id, '_', 2) AS delivery_id
      FROM batch b JOIN webhook_endpoint w ON w.merchant_account_id = b.merchant_account_id AND w.status = 'enabled'
        AND CASE WHEN b.type = 'webhook_endpoint.test' THEN w.id = b.resource_id
          ELSE w.enabled_events && ARRAY['*', b.type] END
    ), planned AS (
      INSERT INTO webhook_delivery (id, event_id, webhook_endpoint_id, merchant_account_id, environment, event_type,
        payment_intent_id, position, blocked_by)
      SELECT delivery_id, wanted.id, webhook_endpoint_id, merchant_account_id, environment, type, payment_intent_id,
        position, CASE WHEN payment_intent_id IS NOT NULL THEN COALESCE(
          lag(delivery_id) OVER (PARTITION BY webhook_endpoint_id, payment_intent_id ORDER BY position),
          (SELECT d.id FROM webhook_delivery d
            WHERE d.webhook_endpoint_id = wanted.webhook_endpoint_id AND d.payment_intent_id = wanted.payment_intent_id
              AND d.status = 'pending' AND d.attempt_count < ${ATTEMPTS_THAT_BLOCK}::int AND d.round = 1
            ORDER BY d.position DESC LIMIT 1)) END
      FROM wanted
      ON CONFLICT DO NOTHING
    ), moved AS (
      UPDATE webhook_cursor SET position = (SELECT max(position) FROM batch)
      WHERE id = 1 AND EXISTS (SELECT FROM batch)
    )
    SELECT count(*)::int AS planned FROM batch`;
  const [row] = await database.direct.queryLocked<{ planned: number }[]>(lock, plan);
  return row?.planned ?? 0;
}

/** A cheap check, so that an idle system does not run the statement. */
async function hasUnplanned(database: Database): Promise<boolean> {
  const rows = await database.direct.query<unknown[]>`
    SELECT 1 AS found FROM webhook_cursor JOIN event_counter ON scope = '*' AND last_value > position`;
  return rows.length > 0;
}

/**
 * Unblocks deliveries whose blocking delivery does not block any more. That one may have ended while the other was being
 * planned, in concurrent transactions that did not see each other.
 */
export async function unblockDeliveries(database: Database): Promise<number> {
  return database.direct.execute`
    UPDATE webhook_delivery waiting SET blocked_by = NULL
    WHERE blocked_by IS NOT NULL AND NOT EXISTS (
      SELECT FROM webhook_delivery earlier
      WHERE earlier.id = waiting.blocked_by AND earlier.status = 'pending'
        AND earlier.attempt_count < ${ATTEMPTS_THAT_BLOCK}::int)`;
}
