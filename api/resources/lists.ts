import type { Database } from '../../prisma/client.ts';
import { Prisma } from '../../prisma/generated/client.ts';
import { z } from 'zod';
import type { Principal } from '../middleware/request-context.ts';

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

export interface PageRequest {
  /** From 1. */
  readonly page: number;
  readonly limit: number;
}

export interface ReadPage<Row> extends Total {
  readonly rows: readonly Row[];
}

/**
 * One page of a list and how many rows the list has. The page is found in the index alone and only its own rows are
 * read, so that it costs the same however many rows there are; so does the total, see `readTotal`.
 * @param columns what to select of each row, which is called `r`
 */
export async function readPage<Row>(
  database: Database,
  listed: ListedRows,
  columns: Prisma.Sql,
  { page, limit }: PageRequest,
): Promise<ReadPage<Row>> {
  const offset = (page - 1) * limit;
  const [rows, total] = await Promise.all([
    database.direct.query<Row[]>(selectPage(listed, columns, { limit, offset })),
    readTotal(database, listed),
  ]);
  return { rows, ...reconcileTotal(total, { offset, limit, rows: rows.length }) };
}

function selectPage(
  { table, conditions, order }: ListedRows,
  columns: Prisma.Sql,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Prisma.Sql {
  const { key, by, direction } = order;
  const orderOf = (prefix: string) => Prisma.raw(by.map((column) => `${prefix}${column} ${direction}`).join(', '));
  return Prisma.sql`
    SELECT ${columns} FROM (
      SELECT ${Prisma.raw(key.join(', '))} FROM ${Prisma.raw(table)} WHERE ${Prisma.join([...conditions], ' AND ')}
      ORDER BY ${orderOf('')} LIMIT ${limit} OFFSET ${offset}
    ) AS page JOIN ${Prisma.raw(table)} AS r USING (${Prisma.raw(key.join(', '))})
    ORDER BY ${orderOf('r.')}`;
}

interface ReadRange {
  readonly offset: number;
  readonly limit: number;
  /** How many rows the page has. */
  readonly rows: number;
}

/** An estimate must not contradict its page: the last page gives the exact total, a page beyond it an upper bound. */
function reconcileTotal(total: Total, { offset, limit, rows }: ReadRange): Total {
  if (!total.totalIsEstimate) return total;
  if (rows === 0) return { ...total, total: Math.min(total.total, offset) };
  const knownRows = offset + rows;
  return rows < limit
    ? { total: knownRows, totalIsEstimate: false }
    : { ...total, total: Math.max(total.total, knownRows) };
}

interface Total {
  readonly total: number;
  /** Whether there are too many rows to count, so that the database's statistics had to do. */
  readonly totalIsEstimate: boolean;
}

/** So many rows are counted; a list that has more is estimated. */
export const COUNTED_ROWS = 5_000;

const explained = z.tuple([z.object({ Plan: z.object({ 'Plan Rows': z.number() }) })]);

/** How many rows a list has: exact up to `COUNTED_ROWS`, beyond it what the planner expects, never below that bound. */
async function readTotal(database: Database, listed: ListedRows): Promise<Total> {
  const counted = await count(database, listed);
  if (counted <= COUNTED_ROWS) return { total: counted, totalIsEstimate: false };
  return { total: Math.max(counted, await estimate(database, listed)), totalIsEstimate: true };
}

/** The order makes the planner use the index: without it, it might search the whole table for the few rows of an account. */
async function count(database: Database, { table, conditions, order }: ListedRows): Promise<number> {
  const inOrder = Prisma.raw(order.by.map((column) => `${column} ${order.direction}`).join(', '));
  const [row] = await database.direct.query<{ total: number }[]>`
    SELECT count(*)::int AS total FROM (
      SELECT FROM ${Prisma.raw(table)} WHERE ${Prisma.join([...conditions], ' AND ')}
      ORDER BY ${inOrder} LIMIT ${Prisma.raw(String(COUNTED_ROWS + 1))}
    ) AS counted`;
  return row?.total ?? 0;
}

async function estimate(database: Database, { table, conditions }: ListedRows): Promise<number> {
  const [row] = await database.direct.query<{ 'QUERY PLAN': unknown }[]>`
    EXPLAIN (FORMAT JSON) SELECT FROM ${Prisma.raw(table)} WHERE ${Prisma.join([...conditions], ' AND ')}`;
  return explained.parse(row?.['QUERY PLAN'])[0].Plan['Plan Rows'];
}

/** One page, newest first, as arguments for Prisma: for tables whose rows are limited in number, and can simply be counted. */
export function smallPage({ page, limit }: PageRequest) {
  return {
    orderBy: [{ createdAt: 'desc' as const }, { id: 'desc' as const }],
    skip: (page - 1) * limit,
    take: limit,
  };
}

/** The rows of one account in one environment; an API key sees no others. */
export type AccountScope = Pick<Principal, 'merchantAccountId' | 'environment'>;

/**
 * Rows of the account. An account belongs to one environment and is never named by a key of the other, so that the
 * index by account is enough.
 */
export function ofAccount({ merchantAccountId }: AccountScope): Prisma.Sql {
  return Prisma.sql`merchant_account_id = ${merchantAccountId}`;
}

/** Rows that have exactly these values; undefined values are no condition. */
export function withValues(values: Readonly<Record<string, string | undefined>>): readonly Prisma.Sql[] {
  return Object.entries(values).flatMap(([column, value]) =>
    value === undefined ? [] : [Prisma.sql`${Prisma.raw(column)} = ${value}`],
  );
}

/** Rows made strictly between two times, either of which may be open. */
export function createdBetween({
  createdAfter,
  createdBefore,
}: {
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
}): readonly Prisma.Sql[] {
  return [
    ...(createdAfter === undefined ? [] : [Prisma.sql`created_at > ${createdAfter.toISOString()}::timestamptz`]),
    ...(createdBefore === undefined ? [] : [Prisma.sql`created_at < ${createdBefore.toISOString()}::timestamptz`]),
  ];
}
