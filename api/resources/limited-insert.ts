import type { Database } from '../../prisma/client.ts';
import type { Prisma } from '../../prisma/generated/client.ts';
import { ApiError } from '../middleware/errors.ts';

export interface LimitedInsert {
  /** Locks the row that all of them belong to, so that two insertions at once cannot both be the last one allowed. */
  readonly lock: Prisma.Sql;
  /** Inserts as long as there are few enough. */
  readonly insert: Prisma.Sql;
  /** What the client reads when there are too many. */
  readonly refusal: string;
}

/**
 * Inserts one row more where so many are allowed.
 * @returns how many rows were written; none where the row is there already
 */
export async function insertWithinLimit(
  database: Database,
  { lock, insert }: Pick<LimitedInsert, 'lock' | 'insert'>,
): Promise<number> {
  const [, written] = await database.$transaction([database.$executeRaw(lock), database.$executeRaw(insert)]);
  return written;
}

/** The row that was inserted, or is there since an earlier run. @throws ApiError `STATE_CONFLICT` where there are too many */
export async function insertAndRead<Row>(
  database: Database,
  insertion: LimitedInsert,
  read: () => Promise<Row | null>,
): Promise<Row> {
  await insertWithinLimit(database, insertion);
  const row = await read();
  if (row === null) throw new ApiError('STATE_CONFLICT', { message: insertion.refusal });
  return row;
}
