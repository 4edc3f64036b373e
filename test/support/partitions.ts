import { ID_PREFIXES } from '../../domain/ids.ts';
import { newUniquePart } from '../../domain/new-id.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { Prisma } from '../../prisma/generated/client.ts';
import type { PartitionedTable } from '../../prisma/queries/partition.ts';

const PREFIXES: Readonly<Record<PartitionedTable, string>> = {
  request_log: ID_PREFIXES.request,
  audit_event: ID_PREFIXES.auditEvent,
  platform_audit_event: ID_PREFIXES.platformAuditEvent,
};

/** The id that a row of a partitioned table got if it was made at a time. */
export function idMadeAt(table: PartitionedTable, at: Date): string {
  return `${PREFIXES[table]}_${at.getTime().toString(16).padStart(12, '0')}${newUniquePart().slice(12)}`;
}

/** The names of a table's partitions. */
export async function partitionsOf(database: Database, table: PartitionedTable): Promise<readonly string[]> {
  const rows = await database.$queryRaw<{ name: string }[]>`
    SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = ${table}::regclass ORDER BY 1`;
  return rows.map(({ name }) => name);
}

/** Adds a partition of a day, which may be long past, as `make_partitions()` would. @returns its name */
export async function addPartition(database: Database, table: PartitionedTable, day: string): Promise<string> {
  const name = `${table}_${day.replaceAll('-', '')}`;
  await database.$queryRaw`
    SELECT add_partition(${table}, ${name},
      format('FOR VALUES FROM (%L) TO (%L)', first_id_at(id_prefix, ${day}::timestamptz),
        first_id_at(id_prefix, ${day}::timestamptz + interval '1 day')), append_only)::text
    FROM partitioned_tables() WHERE name = ${table}`;
  return name;
}

/** The names of the partitions that have so many rows that the planner reads them by an index. */
export async function largePartitionsOf(database: Database, table: PartitionedTable): Promise<readonly string[]> {
  const rows = await database.$queryRaw<{ name: string }[]>(
    Prisma.sql`SELECT tableoid::regclass::text AS name FROM ${Prisma.raw(table)} GROUP BY 1 HAVING count(*) > 1000`,
  );
  return rows.map(({ name }) => name);
}
