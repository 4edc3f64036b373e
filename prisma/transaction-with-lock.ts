import type { Database } from './client.ts';
import type { Prisma } from './generated/client.ts';

/** Does work of Prisma Client in a transaction that first takes a lock, so that it sees all changes made under it. */
export function transactionWithLock<Result>(
  database: Database,
  lock: Prisma.Sql,
  work: (transaction: Prisma.TransactionClient) => Promise<Result>,
): Promise<Result> {
  return database.$transaction(async (transaction) => {
    await transaction.$executeRaw(lock);
    return await work(transaction);
  });
}
