import { z } from 'zod';
import type { Database } from '../prisma/connection/client.ts';
import { countRows, explainRows, listAfter, type ListedRows, selectPage, selectPlace } from '../prisma/queries/list.ts';
import type { Statement } from '../prisma/connection/statement.ts';
import { ApiError } from '../domain/api-error.ts';

export interface PageRequest {
  /** From 1. */
  readonly page: number;
  readonly limit: number;
  /** The id of the element that the page follows; then there is no other page. */
  readonly startingAfter?: string | undefined;
}

export interface ReadPage<Row> extends Total {
  readonly rows: readonly Row[];
}

/**
 * One page of a list and how many rows the list has. The page is found in the index alone and only its own rows are
 * read, so that it costs the same however many rows there are; so does the total, see `readTotal`.
 * @param selected what to select of each row, which is called `r`
 * @throws ApiError `RESOURCE_NOT_FOUND` when the page is to follow an element that does not exist
 */
export async function readPage<Row extends object>(
  database: Database,
  listed: ListedRows,
  selected: Statement<Row>,
  { page, limit, startingAfter }: PageRequest,
): Promise<ReadPage<Row>> {
  const offset = (page - 1) * limit;
  const remaining = startingAfter === undefined ? listed : await listBeyond(database, listed, startingAfter);
  const [rows, total] = await Promise.all([
    database.direct.rows(selectPage(remaining, selected, { limit, offset })),
    readTotal(database, listed),
  ]);
  if (startingAfter !== undefined) return { rows, ...total };
  return { rows, ...reconcileTotal(total, { offset, limit, rows: rows.length }) };
}

/** The part of a list that follows the element with an id. @throws ApiError `RESOURCE_NOT_FOUND` when there is no such element */
export async function listBeyond(database: Database, listed: ListedRows, startingAfter: string): Promise<ListedRows> {
  const place = await database.direct.row(selectPlace(listed, startingAfter));
  if (place === undefined) throw noSuchElement('startingAfter', startingAfter);
  return listAfter(listed, place);
}

/** The error of an id in a query after which a list is to go on. @param parameter the query's name for it */
function noSuchElement(parameter: string, id: string): ApiError {
  return new ApiError('RESOURCE_NOT_FOUND', {
    message:
      `Expected in ${parameter} the id of an element of this list that still exists; got another text. Leave ${parameter} out: ` +
      'the list then begins at its start.',
    details: { [parameter]: id },
  });
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

/**
 * One page of rows that are all in memory.
 * @param idOf the id of a row, as clients see it
 * @throws ApiError `RESOURCE_NOT_FOUND` when the page is to follow a row that is not among them
 */
export function slicePage<Row>(
  all: readonly Row[],
  { page, limit, startingAfter }: PageRequest,
  idOf: (row: Row) => string,
): CountedPage<Row> {
  const start = startingAfter === undefined ? (page - 1) * limit : indexOf(all, startingAfter, idOf) + 1;
  return { rows: all.slice(start, start + limit), total: all.length };
}

function indexOf<Row>(all: readonly Row[], startingAfter: string, idOf: (row: Row) => string): number {
  const index = all.findIndex((row) => idOf(row) === startingAfter);
  if (index === -1) throw noSuchElement('startingAfter', startingAfter);
  return index;
}

/** What to select of the row that a page follows. */
export const PLACE = { createdAt: true, id: true } as const;

interface Place {
  readonly createdAt: Date;
  readonly id: string;
}

/**
 * One page, newest first, as arguments for Prisma: for tables whose rows are limited in number, and can simply be counted.
 * @param findPlace finds the row of an id in the whole list, whatever the filters are
 * @throws ApiError `RESOURCE_NOT_FOUND` when the page is to follow a row that does not exist
 */
export async function smallPage(
  { page, limit, startingAfter }: PageRequest,
  findPlace: (id: string) => Promise<Place | null>,
) {
  return {
    after: startingAfter === undefined ? {} : isAfter(await requirePlace(startingAfter, findPlace)),
    window: { orderBy: NEWEST_FIRST, skip: (page - 1) * limit, take: limit },
  };
}

/** The order of small lists, as arguments for Prisma. */
export const NEWEST_FIRST = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];

async function requirePlace(id: string, findPlace: (id: string) => Promise<Place | null>): Promise<Place> {
  const place = await findPlace(id);
  if (place === null) throw noSuchElement('startingAfter', id);
  return place;
}

function isAfter({ createdAt, id }: Place) {
  return { OR: [{ createdAt: { lt: createdAt } }, { createdAt, id: { lt: id } }] };
}
