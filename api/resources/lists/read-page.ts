import type { Database } from '../../../prisma/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { readTotal, type Total } from './read-total.ts';

/** Which rows a list has, and in which order. Names of tables and columns are ours, never a client's. */
export interface ListedRows {
  readonly table: string;
  /** All must hold; columns are named without a table. */
  readonly conditions: readonly Prisma.Sql[];
  readonly order: ListOrder;
}

export interface ListOrder {
  /** The columns that tell one row from all others; the index that gives the order should hold them. */
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
  return { rows, ...agree(total, { offset, limit, rows: rows.length }) };
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

interface SeenPage {
  readonly offset: number;
  readonly limit: number;
  /** How many rows the page has. */
  readonly rows: number;
}

/** An estimate must not contradict the page it stands beside: the last page tells the total exactly, one beyond it a bound. */
function agree(total: Total, { offset, limit, rows }: SeenPage): Total {
  if (!total.totalIsEstimate) return total;
  if (rows === 0) return { ...total, total: Math.min(total.total, offset) };
  const seen = offset + rows;
  return rows < limit ? { total: seen, totalIsEstimate: false } : { ...total, total: Math.max(total.total, seen) };
}
