import type { ErrorCode } from '../../domain/error-catalogue.ts';
import { ApiError } from '../middleware/errors.ts';
import { type Database, transactionWithLock } from '../../prisma/client.ts';
import type { Prisma } from '../../prisma/generated/client.ts';

export interface OptimisticUpdate<Row> {
  /** The row as it is now, or null where there is none (any more). */
  readonly read: () => Promise<Row | null>;
  /** Changes the row as long as it has the version that was read; the changed row, or undefined where it has another one. */
  readonly write: (row: Row) => Promise<Row | undefined>;
  /** Whether the row already has the change, so that a repeat succeeds; by default it never has. */
  readonly isDone?: (row: Row) => boolean;
  /** The error code when there is no such row. */
  readonly notFound: ErrorCode;
}

/**
 * Changes one row with optimistic locking: of two changes at once one wins, and the other fails.
 * @returns the changed row
 * @throws ApiError `STATE_CONFLICT` when another request changed the row in between, or the code of its absence
 */
export async function updateOptimistically<Row>(change: OptimisticUpdate<Row>): Promise<Row> {
  const { read, write, isDone = () => false, notFound } = change;
  const row = await readOrThrow(read, notFound);
  if (isDone(row)) return row;
  const changed = await write(row);
  if (changed !== undefined) return changed;
  const winner = await readOrThrow(read, notFound);
  if (isDone(winner)) return winner;
  throw new ApiError('STATE_CONFLICT', { message: 'Another request changed the resource at the same time.' });
}

/** @throws ApiError with the code of the row's absence */
export async function readOrThrow<Row>(read: () => Promise<Row | null>, notFound: ErrorCode): Promise<Row> {
  const row = await read();
  if (row === null) throw new ApiError(notFound);
  return row;
}

/** The columns that change with every new version of a row. */
export function nextVersion() {
  return { version: { increment: 1 }, updatedAt: new Date() };
}

export interface LimitedInsert<Row> {
  /** Locks the row that all of them belong to, so that two insertions at once cannot both be the last one allowed. */
  readonly lock: Prisma.Sql;
  /** Inserts the row, or finds the one that an interrupted execution of the same request has inserted. */
  readonly insert: (transaction: Prisma.TransactionClient) => Promise<Row>;
  /** Counts them, with the row. */
  readonly count: (transaction: Prisma.TransactionClient) => Promise<number>;
  readonly maximum: number;
  /** What the client reads when there are too many. */
  readonly refusal: string;
}

/** Inserts one more row as long as the limit allows it. @throws ApiError `STATE_CONFLICT` where there are too many */
export function insertWithinLimit<Row>(
  database: Database,
  { lock, insert, count, maximum, refusal }: LimitedInsert<Row>,
): Promise<Row> {
  return transactionWithLock(database, lock, async (transaction) => {
    const row = await insert(transaction);
    // Thrown within the transaction, which is then rolled back.
    if ((await count(transaction)) > maximum) throw new ApiError('STATE_CONFLICT', { message: refusal });
    return row;
  });
}
