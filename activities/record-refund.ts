import type { RefundResolution } from '../domain/refund.ts';
import type { Database } from '../prisma/client.ts';
import { endRefund } from '../prisma/queries/refund.ts';

/**
 * Writes the end of a refund in one statement: the refund's row, the intent's money, the transaction and the events.
 * Changes a pending refund only, so that a repeat changes nothing.
 * @throws when there is no such refund
 */
export async function recordRefund(database: Database, resolution: RefundResolution): Promise<void> {
  const { refundId } = resolution;
  const updated = await database.direct.execute(endRefund(resolution));
  if (updated === 0) await assertRecorded(database, refundId);
}

async function assertRecorded(database: Database, refundId: string): Promise<void> {
  const row = await database.refund.findUnique({ where: { id: refundId }, select: { status: true } });
  if (row === null || row.status === 'pending') throw new Error(`${refundId}: there is no refund to record the end of`);
}
