import type { Logger } from 'pino';
import type { Database } from '../../prisma/connection/client.ts';
import { dropOldPartition, makePartitions, type OldPartition } from '../../prisma/queries/partition.ts';
import type { Retention } from './purge.ts';

export interface PartitionKeeper {
  readonly database: Pick<Database, 'direct'>;
  readonly retention: Pick<Retention, 'auditEventsDays' | 'requestsDays'>;
  readonly logger: Logger;
}

/**
 * Makes the partitions of the weeks and months to come, and drops those whose rows are all older than the retention allows. A
 * partition of a table that somebody else uses for long is left to the next run.
 */
export async function keepPartitions(
  { database, retention, logger }: PartitionKeeper,
  signal: AbortSignal,
): Promise<void> {
  const row = await database.direct.row(makePartitions());
  if (row !== undefined && row.made > 0) logger.info({ partitions: row.made }, 'made partitions');
  for (const old of oldPartitions(retention)) {
    let dropped: string | null;
    do {
      if (signal.aborted) return;
      dropped = (await database.direct.row(dropOldPartition(old)))?.partition ?? null;
      if (dropped !== null) logger.info({ partition: dropped }, 'dropped a partition');
    } while (dropped !== null);
  }
}

function oldPartitions({ auditEventsDays, requestsDays }: PartitionKeeper['retention']): readonly OldPartition[] {
  return [
    { table: 'request_log', keepDays: requestsDays },
    { table: 'audit_event', keepDays: auditEventsDays },
    { table: 'platform_audit_event', keepDays: auditEventsDays },
  ];
}
