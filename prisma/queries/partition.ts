import { integer, nullable, oneOf, returning, text, timestamp } from '../connection/statement.ts';

/** The tables that have partitions, as `partitioned_tables()` names them, and how long one is, in days at most. */
export const PARTITION_DAYS = {
  request_log: 7,
  audit_event: 31,
  platform_audit_event: 31,
} as const;

export type PartitionedTable = keyof typeof PARTITION_DAYS;

const PARTITION_PROBLEMS = ['no_next_partition', 'rows_without_partition'] as const;
export type PartitionProblem = (typeof PARTITION_PROBLEMS)[number];

/** Makes the partitions of the present week or month and of those ahead, as far as they are missing. */
export function makePartitions() {
  return returning({ made: integer })`SELECT make_partitions() AS made`;
}

/** A partition of which every row is older than so many days. */
export interface OldPartition {
  readonly table: PartitionedTable;
  /** A whole number. */
  readonly keepDays: number;
}

/** Drops the oldest partition whose rows are all too old, and names it; null where there is none, or somebody uses the table. */
export function dropOldPartition({ table, keepDays }: OldPartition) {
  return returning({ partition: nullable(text) })`
    SELECT drop_old_partition(${table}::text, ${keepDays}::int) AS partition`;
}

/** What is wrong with the partitions: one row for each table and problem. */
export function selectPartitionProblems() {
  return returning({
    table: text,
    problem: oneOf<PartitionProblem>(PARTITION_PROBLEMS),
    since: nullable(timestamp),
  })`
    SELECT table_name AS "table", problem, since FROM partition_problems()`;
}
