import type { Database } from '../../prisma/connection/client.ts';
import { numberEvents } from '../../prisma/queries/event.ts';

/** Most events numbered in one transaction. */
export const SEQUENCER_BATCH_SIZE = 500;

/**
 * Numbers committed events in the order of their insertion: `position` over all accounts and `sequence` within each,
 * both without gaps, and wakes the readers. Several sequencers may run at once; one of them does the work, in one round trip to
 * the database (`sequence_events`, in the migrations).
 *
 * An event that commits late gets a later number, so a reader that follows `position` never misses an event. The events
 * of one intent keep their order, because its workflow commits one change before it begins the next.
 * @returns how many events were numbered; 0 also when another sequencer is at work
 */
export async function sequenceEvents(database: Database, batchSize = SEQUENCER_BATCH_SIZE): Promise<number> {
  const row = await database.direct.row(numberEvents(batchSize));
  return row?.numbered ?? 0;
}
