import { type AccountScope, createdBetween, type CreationTimes, ofAccount, withValues } from '../conditions.ts';
import { Prisma } from '../generated/client.ts';
import { integer, json, returning, type Statement } from '../statement.ts';

/** Which rows a list has, and in which order. Names of tables and columns are ours, never a client's. */
export interface ListedRows {
  readonly table: string;
  /** All must hold; columns are named without a table. */
  readonly conditions: readonly Prisma.Sql[];
  readonly order: ListOrder;
}

export interface ListOrder {
  /** The columns that identify a row; the index that gives the order should hold them. */
  readonly key: readonly string[];
  readonly by: readonly string[];
  readonly direction: 'ASC' | 'DESC';
}

/** By time, then by id: the order of every list but that of events. */
export const NEWEST_FIRST: ListOrder = { key: ['id'], by: ['created_at', 'id'], direction: 'DESC' };

/** The list of an account's rows that have these values and were made between these times, newest first. */
export function accountRows(
  table: string,
  scope: Pick<AccountScope, 'merchantAccountId'>,
  values: Readonly<Record<string, string | undefined>>,
  times: CreationTimes,
): ListedRows {
  return {
    table,
    conditions: [ofAccount(scope), ...withValues(values), ...createdBetween(times)],
    order: NEWEST_FIRST,
  };
}

/**
 * One page of a list. It is found in the index alone and only its own rows are read.
 * @param selected what to select of each row, which is called `r`
 */
export function selectPage<Row extends object>(
  { table, conditions, order }: ListedRows,
  selected: Statement<Row>,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Statement<Row> {
  const key = Prisma.raw(order.key.join(', '));
  return returning(selected.columns)`
    SELECT ${selected.sql} FROM (
      SELECT ${key} FROM ${Prisma.raw(table)} WHERE ${all(conditions)}
      ORDER BY ${inOrder(order)} LIMIT ${limit} OFFSET ${offset}
    ) AS page JOIN ${Prisma.raw(table)} AS r USING (${key})
    ORDER BY ${inOrder(order, 'r.')}`;
}

/**
 * Counts the rows of a list, at most so many. The order makes the planner use the index: without it, it might search the whole
 * table for the few rows of an account.
 */
export function countRows({ table, conditions, order }: ListedRows, atMost: number): Statement<{ total: number }> {
  return returning({ total: integer })`
    SELECT count(*)::int AS total FROM (
      SELECT FROM ${Prisma.raw(table)} WHERE ${all(conditions)}
      ORDER BY ${inOrder(order)} LIMIT ${Prisma.raw(String(atMost))}
    ) AS counted`;
}

/** How the planner would read a list, with the number of rows that it expects. */
export function explainRows({ table, conditions }: ListedRows): Statement<{ 'QUERY PLAN': object }> {
  return returning({ 'QUERY PLAN': json('json') })`
    EXPLAIN (FORMAT JSON) SELECT FROM ${Prisma.raw(table)} WHERE ${all(conditions)}`;
}

function all(conditions: readonly Prisma.Sql[]): Prisma.Sql {
  return Prisma.join([...conditions], ' AND ');
}

function inOrder({ by, direction }: ListOrder, prefix = ''): Prisma.Sql {
  return Prisma.raw(by.map((column) => `${prefix}${column} ${direction}`).join(', '));
}
