import type { ErrorCode } from '../domain/error-catalogue.ts';
import { ApiError } from '../domain/api-error.ts';
import { type Database, transactionWithLock } from '../prisma/connection/client.ts';
import type { Prisma } from '../prisma/generated/client.ts';
import { type Audit, recordChange } from './audit.ts';

/** The columns that change with every new version of a row. */
type NextVersion = ReturnType<typeof nextVersion>;

export interface OptimisticUpdate<Row, Changes extends object> {
  /** The row as it is now, or null where there is none (any more). */
  readonly read: (transaction: Prisma.TransactionClient) => Promise<Row | null>;
  /**
   * Locks the row before it is read, where the change is right whatever changed before: a stolen key must not keep off its revocation
   * by changes of its own.
   */
  readonly lock?: Prisma.Sql | undefined;
  /** The columns to change. If it has none, because the row already has the change, nothing is written. */
  readonly changesOf: (row: Row) => Changes;
  /** Changes the row as long as it has the version that was read; the changed row, or undefined where it has another one. */
  readonly write: (
    row: Row,
    data: Changes & NextVersion,
    transaction: Prisma.TransactionClient,
  ) => Promise<Row | undefined>;
  /** How the audit log records the change; undefined where it does not. */
  readonly audit?: Audit<Row>;
  /** The error code when there is no such row. */
  readonly notFound: ErrorCode;
}

/**
 * Changes one row with optimistic locking: of two changes at once one wins, and the other fails, unless it locks the row.
 * @returns the changed row
 * @throws ApiError `STATE_CONFLICT` when another request changed the row in between, or the code of its absence
 */
export async function updateOptimistically<Row, Changes extends object>(
  database: Database,
  change: OptimisticUpdate<Row, Changes>,
): Promise<Row> {
  const { read, changesOf, notFound, lock, audit } = change;
  if (lock !== undefined) {
    return await transactionWithLock(database, lock, async (transaction) => {
      const row = await readOrThrow(() => read(transaction), notFound);
      const changes = changesOf(row);
      return isEmpty(changes) ? row : ((await writeAndRecord(transaction, change, row, changes)) ?? conflict());
    });
  }
  const row = await readOrThrow(() => read(database), notFound);
  const changes = changesOf(row);
  if (isEmpty(changes)) return row;
  const changed = await (audit === undefined
    ? writeAndRecord(database, change, row, changes)
    : database.$transaction((transaction) => writeAndRecord(transaction, change, row, changes)));
  if (changed !== undefined) return changed;
  const winner = await readOrThrow(() => read(database), notFound);
  return isEmpty(changesOf(winner)) ? winner : conflict();
}

function isEmpty(changes: object): boolean {
  return Object.keys(changes).length === 0;
}

/** @throws ApiError `STATE_CONFLICT` */
function conflict(): never {
  throw new ApiError('STATE_CONFLICT', {
    message:
      'Another request changed the resource at the same time. Read it again, and repeat the change if it is still right.',
  });
}

async function writeAndRecord<Row, Changes extends object>(
  transaction: Prisma.TransactionClient,
  { write, audit }: Pick<OptimisticUpdate<Row, Changes>, 'write' | 'audit'>,
  before: Row,
  changes: Changes,
): Promise<Row | undefined> {
  const after = await write(before, { ...changes, ...nextVersion() }, transaction);
  if (audit !== undefined && after !== undefined) await recordChange(transaction, audit, { before, after });
  return after;
}

export interface Deletion<Row> {
  /** Locks the row before it is read, where something may begin to use it meanwhile. */
  readonly lock?: Prisma.Sql;
  /** The row, or null where there is none. */
  readonly read: (transaction: Prisma.TransactionClient) => Promise<Row | null>;
  /** Deletes it. */
  readonly remove: (transaction: Prisma.TransactionClient) => Promise<{ readonly count: number }>;
  readonly audit: Audit<Row>;
}

/** Deletes a row and records it. @throws ApiError `RESOURCE_NOT_FOUND` where there is none, or another request deletes it */
export async function deleteRow<Row>(database: Database, { lock, read, remove, audit }: Deletion<Row>): Promise<void> {
  const work = async (transaction: Prisma.TransactionClient): Promise<void> => {
    const before = await readOrThrow(() => read(transaction), 'RESOURCE_NOT_FOUND');
    const { count } = await remove(transaction);
    if (count === 0) throw new ApiError('RESOURCE_NOT_FOUND');
    await recordChange(transaction, audit, { before, after: null });
  };
  await (lock === undefined ? database.$transaction(work) : transactionWithLock(database, lock, work));
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
  /** How the audit log records the insertion. */
  readonly audit: Audit<Row>;
}

/** Inserts one more row as long as the limit allows it. @throws ApiError `STATE_CONFLICT` where there are too many */
export function insertWithinLimit<Row>(
  database: Database,
  { lock, insert, count, maximum, refusal, audit }: LimitedInsert<Row>,
): Promise<Row> {
  return transactionWithLock(database, lock, async (transaction) => {
    const row = await insert(transaction);
    // Thrown within the transaction, which is then rolled back.
    if ((await count(transaction)) > maximum) throw new ApiError('STATE_CONFLICT', { message: refusal });
    if (!(await isRecorded(transaction, audit, row))) {
      await recordChange(transaction, audit, { before: null, after: row });
    }
    return row;
  });
}

/** Whether an interrupted execution of the same request has recorded the creation of the row. */
async function isRecorded<Row>(
  { auditEvent }: Prisma.TransactionClient,
  { author: { merchantId, environment }, action, describe }: Audit<Row>,
  row: Row,
): Promise<boolean> {
  const { id: resourceId } = describe(row);
  return (await auditEvent.count({ where: { merchantId, environment, resourceId, action } })) > 0;
}
