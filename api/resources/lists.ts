import { z } from 'zod';
import type { Database } from '../../prisma/client.ts';
import { countRows, explainRows, type ListedRows, selectPage } from '../../prisma/queries/list.ts';
import type { Statement } from '../../prisma/statement.ts';

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
 * @param selected what to select of each row, which is called `r`
 */
export async function readPage<Row extends object>(
  database: Database,
  listed: ListedRows,
  selected: Statement<Row>,
  { page, limit }: PageRequest,
): Promise<ReadPage<Row>> {
  const offset = (page - 1) * limit;
  const [rows, total] = await Promise.all([
    database.direct.rows(selectPage(listed, selected, { limit, offset })),
    readTotal(database, listed),
  ]);
  return { rows, ...reconcileTotal(total, { offset, limit, rows: rows.length }) };
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
  /** Whether there are too many rows to count, so that the total is an estimate from the database's statistics. */
  readonly totalIsEstimate: boolean;
}

/** At most this many rows are counted; the total of a longer list is an estimate. */
export const COUNTED_ROWS = 5_000;

const explained = z.tuple([z.object({ Plan: z.object({ 'Plan Rows': z.number() }) })]);

/** How many rows a list has: exact up to `COUNTED_ROWS`, beyond it what the planner expects, never below that bound. */
async function readTotal(database: Database, listed: ListedRows): Promise<Total> {
  const counted = await count(database, listed);
  if (counted <= COUNTED_ROWS) return { total: counted, totalIsEstimate: false };
  return { total: Math.max(counted, await estimate(database, listed)), totalIsEstimate: true };
}

async function count(database: Database, listed: ListedRows): Promise<number> {
  const row = await database.direct.row(countRows(listed, COUNTED_ROWS + 1));
  return row?.total ?? 0;
}

async function estimate(database: Database, listed: ListedRows): Promise<number> {
  const row = await database.direct.row(explainRows(listed));
  return explained.parse(row?.['QUERY PLAN'])[0].Plan['Plan Rows'];
}

/** One page of rows that are limited in number, and can simply be counted. */
export interface CountedPage<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}

/** One page and the number of all rows, which two queries read at once. */
export async function countedPage<Row>(
  page: Promise<readonly Row[]>,
  count: Promise<number>,
): Promise<CountedPage<Row>> {
  const [rows, total] = await Promise.all([page, count]);
  return { rows, total };
}

/** One page of rows that are all in memory. */
export function slicePage<Row>(all: readonly Row[], { page, limit }: PageRequest): CountedPage<Row> {
  return { rows: all.slice((page - 1) * limit, page * limit), total: all.length };
}

/** One page, newest first, as arguments for Prisma: for tables whose rows are limited in number, and can simply be counted. */
export function smallPage({ page, limit }: PageRequest) {
  return {
    orderBy: [{ createdAt: 'desc' as const }, { id: 'desc' as const }],
    skip: (page - 1) * limit,
    take: limit,
  };
}
