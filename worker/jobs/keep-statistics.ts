import type { Database } from '../../prisma/connection/client.ts';
import { lockStatisticsCursor } from '../../prisma/queries/lock.ts';
import { insertCounted, selectUncounted } from '../../prisma/queries/statistics.ts';

/** Most events counted in one statement. */
export const STATISTICS_BATCH_SIZE = 500;

/**
 * Adds the next numbered events to the statistics, in one statement: no event is missed or counted twice, even if a worker dies.
 * Concurrent workers count one after the other.
 * @returns how many events were counted
 */
export async function keepStatistics(database: Database, batchSize = STATISTICS_BATCH_SIZE): Promise<number> {
  if ((await database.direct.row(selectUncounted())) === undefined) return 0;
  // A statement of its own takes the lock, so that the snapshot of the next one includes what other workers have counted.
  const [row] = await database.direct.rowsLocked(lockStatisticsCursor(), insertCounted(batchSize));
  return row?.counted ?? 0;
}
