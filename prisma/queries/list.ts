import {
  type AccountScope,
  createdBetween,
  type CreationTimes,
  ofAccount,
  withValues,
} from '../fragments/conditions.ts';
import { Prisma } from '../generated/client.ts';
import { integer, json, returning, type Statement, text } from '../connection/statement.ts';

/** Which rows a list has, and in which order. Names of tables and columns never come from a client. */
export interface ListedRows {
  readonly table: string;
  /** The table in which the list is found, where that is another one: its rows have the key and the order of the listed rows. */
  readonly foundIn?: string;
  /** All must hold; columns are named without a table. */
  readonly conditions: readonly Prisma.Sql[];
  /** Those of them that tell whose rows they are: a row keeps its place in the list while they hold. */
  readonly scope: readonly Prisma.Sql[];
  /** The column of the listed table by which clients name a row, where it is not the last one of the order. */
  readonly namedBy?: string;
  readonly order: ListOrder;
  /** Whether the best index depends on the values of the conditions, as with several filters that each have an index. */
  readonly dependsOnValues?: boolean;
}

export interface ListOrder {
  /** The columns that identify a row; the index that gives the order should hold them. */
  readonly key: readonly string[];
  readonly by: readonly string[];
  readonly direction: 'ASC' | 'DESC';
  /**
   * What the rows are in the order of first, ascending, with those last that have no value. Such a list is read by page only.
   * @param row what comes before the names of columns
   */
  readonly first?: (row: string) => string;
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
  return foundAccountRows(table, scope, { conditions: withValues(values), times });
}

/** Which of an account's rows are listed. */
export interface AccountRowsFilter {
  /** The rows have all of these pairs. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Further conditions on the rows; columns are named without a table. */
  readonly conditions: readonly Prisma.Sql[];
  readonly times: CreationTimes;
}

/** A table in which rows are found by a value, in their own order: it has their ids, accounts and times of creation. */
export interface FoundRows {
  readonly foundIn: string;
  readonly values: Readonly<Record<string, string>>;
}

/** The list of an account's rows that another table names, newest first. */
export function namedAccountRows(
  table: string,
  { merchantAccountId }: Pick<AccountScope, 'merchantAccountId'>,
  { foundIn, values }: FoundRows,
  { conditions, times }: AccountRowsFilter,
): ListedRows {
  const further = conditions.length === 0 ? [] : [isOfFound(table, foundIn, conditions)];
  const account = ofAccount({ merchantAccountId });
  return {
    table,
    foundIn,
    scope: [account],
    conditions: [account, ...withValues(values), ...createdBetween(times), ...further],
    order: NEWEST_FIRST,
    dependsOnValues: further.length > 0,
  };
}

/**
 * The list of an account's rows that have these pairs of metadata and meet these conditions, newest first. With a pair, the list
 * is found in the order of `metadata_pair`, however many rows have the pair.
 */
export function foundAccountRows(
  table: string,
  { merchantAccountId }: Pick<AccountScope, 'merchantAccountId'>,
  { metadata = {}, conditions, times }: AccountRowsFilter,
): ListedRows {
  const account = ofAccount({ merchantAccountId });
  const pairs = Object.entries(metadata).map(
    ([name, value]) => Prisma.sql`metadata_pair_of(${table}, ${name}, ${value})`,
  );
  if (pairs.length === 0) {
    const listed = [account, ...conditions, ...createdBetween(times)];
    return { table, scope: [account], conditions: listed, order: NEWEST_FIRST };
  }
  const further = conditions.length === 0 ? [] : [isOfFound(table, 'metadata_pair', conditions)];
  return {
    table,
    foundIn: 'metadata_pair',
    scope: [account],
    conditions: [account, ...hasPairs(account, pairs), ...createdBetween(times), ...further],
    order: NEWEST_FIRST,
    dependsOnValues: pairs.length + further.length > 1,
  };
}

/** Whether the row that was found in another table meets conditions. */
function isOfFound(listed: string, foundIn: string, conditions: readonly Prisma.Sql[]): Prisma.Sql {
  const [table, found] = [Prisma.raw(listed), Prisma.raw(foundIn)];
  return Prisma.sql`EXISTS (SELECT FROM ${table} WHERE ${table}.id = ${found}.id AND ${all(conditions)})`;
}

/** A pair that fewer rows have is rare enough to search for it first. */
const FREQUENT = 1_000;

/**
 * The rows of the rarest pair that have the others too. The statement finds the rarest pair itself: the planner knows too little of
 * which pairs occur together, and would sort all rows of a frequent one.
 */
function hasPairs(account: Prisma.Sql, pairs: readonly Prisma.Sql[]): readonly Prisma.Sql[] {
  const [only] = pairs;
  if (only !== undefined && pairs.length === 1) return [Prisma.sql`pair = ${only}`];
  const list = Prisma.sql`ARRAY[${Prisma.join([...pairs])}]`;
  return [
    Prisma.sql`pair = (
      SELECT candidate FROM unnest(${list}) AS candidate
      ORDER BY (SELECT count(*) FROM (
        SELECT FROM metadata_pair WHERE ${account} AND pair = candidate LIMIT ${Prisma.raw(String(FREQUENT))}
      ) AS few)
      LIMIT 1
    )`,
    Prisma.sql`(
      SELECT count(*) FROM metadata_pair AS other
      WHERE other.merchant_account_id = metadata_pair.merchant_account_id AND other.pair = ANY (${list})
        AND other.created_at = metadata_pair.created_at AND other.id = metadata_pair.id
    ) = ${pairs.length}::int`,
  ];
}

/**
 * One page of a list. It is found in the index alone and only its own rows are read.
 * @param selected what to select of each row, which is called `r`
 */
export function selectPage<Row extends object>(
  { table, foundIn = table, conditions, order, dependsOnValues = false }: ListedRows,
  selected: Statement<Row>,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Statement<Row> {
  const key = Prisma.raw(order.key.join(', '));
  const page = returning(selected.columns)`
    SELECT ${selected.sql} FROM (
      SELECT ${key} FROM ${Prisma.raw(foundIn)} WHERE ${all(conditions)}
      ORDER BY ${inOrder(order)} LIMIT ${limit} OFFSET ${offset}
    ) AS page JOIN ${Prisma.raw(table)} AS r USING (${key})
    ORDER BY ${inOrder(order, 'r.')}`;
  return { ...page, dependsOnValues };
}

/** A row of a list that is in the order of `NEWEST_FIRST`, or of time and another id. */
export interface ListPlace {
  /** ISO 8601. */
  readonly createdAt: string;
  readonly id: string;
}

/** The place in a list of the row that a client names, whether or not the list still has the row. */
export function selectPlace({ table, scope, order, namedBy }: ListedRows, name: string): Statement<ListPlace> {
  const id = order.by.at(-1) ?? 'id';
  return returning<ListPlace>({ createdAt: text, id: text })`
    SELECT to_json(created_at)#>>'{}' AS "createdAt", ${Prisma.raw(id)} AS id FROM ${Prisma.raw(table)}
    WHERE ${all(scope)} AND ${Prisma.raw(namedBy ?? id)} = ${name} ORDER BY created_at, ${Prisma.raw(id)} LIMIT 1`;
}

/** The part of a list, which is in the order of `NEWEST_FIRST` or of time and another id, that comes after a place. */
export function listAfter(listed: ListedRows, { createdAt, id }: ListPlace): ListedRows {
  const place = Prisma.raw(listed.order.by.join(', '));
  const beyond = Prisma.sql`(${place}) < (${createdAt}::timestamptz, ${id}::text)`;
  return { ...listed, conditions: [...listed.conditions, beyond] };
}

/**
 * The rows of a list, which is in the order of `NEWEST_FIRST`, that come after a row: as fast at the end of a long list as at its
 * start.
 * @param selected what to select of each row, which is called `r`
 * @param after null for the first rows
 */
export function selectAfter<Row extends object>(
  listed: ListedRows,
  selected: Statement<Row>,
  { after, limit }: { readonly after: ListPlace | null; readonly limit: number },
): Statement<Row> {
  return selectPage(after === null ? listed : listAfter(listed, after), selected, { limit, offset: 0 });
}

/**
 * Counts the rows of a list, at most so many. The order makes the planner use the index: without it, it might search the whole
 * table for the few rows of an account.
 */
export function countRows(
  { table, foundIn = table, conditions, order, dependsOnValues = false }: ListedRows,
  atMost: number,
): Statement<{ total: number }> {
  const counted = returning({ total: integer })`
    SELECT count(*)::int AS total FROM (
      SELECT FROM ${Prisma.raw(foundIn)} WHERE ${all(conditions)}
      ORDER BY ${inOrder(order)} LIMIT ${Prisma.raw(String(atMost))}
    ) AS counted`;
  return { ...counted, dependsOnValues };
}

/** How the planner would read a list, with the number of rows that it expects. */
export function explainRows({ table, foundIn = table, conditions }: ListedRows): Statement<{ 'QUERY PLAN': object }> {
  return returning({ 'QUERY PLAN': json('json') })`
    EXPLAIN (FORMAT JSON) SELECT FROM ${Prisma.raw(foundIn)} WHERE ${all(conditions)}`;
}

function all(conditions: readonly Prisma.Sql[]): Prisma.Sql {
  return Prisma.join([...conditions], ' AND ');
}

function inOrder({ by, direction, first }: ListOrder, prefix = ''): Prisma.Sql {
  const others = by.map((column) => `${prefix}${column} ${direction}`);
  return Prisma.raw([...(first === undefined ? [] : [`${first(prefix)} ASC`]), ...others].join(', '));
}
