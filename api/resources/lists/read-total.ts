import { z } from 'zod';
import type { Database } from '../../../prisma/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import type { ListedRows } from './read-page.ts';

export interface Total {
  readonly total: number;
  /** Whether there are too many rows to count, so that the database's statistics had to do. */
  readonly totalIsEstimate: boolean;
}

/** So many rows are counted; a list that has more is estimated. */
export const COUNTED_ROWS = 5_000;

const explained = z.tuple([z.object({ Plan: z.object({ 'Plan Rows': z.number() }) })]);

/** How many rows a list has: exact up to `COUNTED_ROWS`, beyond it what the planner expects, never below that bound. */
export async function readTotal(database: Database, listed: ListedRows): Promise<Total> {
  const counted = await count(database, listed);
  if (counted <= COUNTED_ROWS) return { total: counted, totalIsEstimate: false };
  return { total: Math.max(counted, await estimate(database, listed)), totalIsEstimate: true };
}

/** The order keeps to the index: without it, the few rows of one account might be looked for in the whole table. */
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
