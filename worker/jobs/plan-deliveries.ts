import type { Database } from '../../prisma/connection/client.ts';
import { lockWebhookCursor } from '../../prisma/queries/lock.ts';
import { insertPlanned, selectUnplanned } from '../../prisma/queries/webhook-delivery.ts';

/** Most events planned in one statement. */
export const PLANNER_BATCH_SIZE = 500;

/**
 * Writes the deliveries of the next numbered events, in one statement: no event is missed or planned twice, even if a worker
 * dies. Concurrent planners run one after the other.
 * @returns how many events were planned
 */
export async function planDeliveries(database: Database, batchSize = PLANNER_BATCH_SIZE): Promise<number> {
  if ((await database.direct.row(selectUnplanned())) === undefined) return 0;
  // A statement of its own takes the lock, so that the snapshot of the next one includes what other planners have written.
  const [row] = await database.direct.rowsLocked(lockWebhookCursor(), insertPlanned(batchSize));
  return row?.planned ?? 0;
}
