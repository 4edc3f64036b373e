import type { RefundResolution } from '../domain/refund.ts';
import type { Database } from '../prisma/connection/client.ts';
import { type EndedRefund, endRefund, failSucceededRefund } from '../prisma/queries/refund-end.ts';

/**
 * Writes the end of a refund in one statement: the refund's row, the intent's money, the transaction and the events.
 * Changes a pending refund only, so that a repeat changes nothing.
 * @param onEnded called where this call has ended the refund
 * @throws when there is no such refund
 */
export async function recordRefund(
  database: Database,
  resolution: RefundResolution,
  onEnded: (resolution: RefundResolution, refund: EndedRefund) => void = () => undefined,
): Promise<void> {
  const { refundId } = resolution;
  const refund = await database.direct.row(endRefund(resolution));
  if (refund === undefined) await assertRecorded(database, refundId);
  else onEnded(resolution, refund);
}

/**
 * Writes the failure of a refund that had succeeded, in one statement. Changes no refund that has failed already, so that a repeat
 * changes nothing.
 * @throws when there is no such refund, or it is still pending
 */
export async function recordRefundFailure(database: Database, resolution: RefundResolution): Promise<void> {
  const refund = await database.direct.row(failSucceededRefund(resolution));
  if (refund === undefined) await assertRecorded(database, resolution.refundId);
}

async function assertRecorded(database: Database, refundId: string): Promise<void> {
  const row = await database.refund.findUnique({ where: { id: refundId }, select: { status: true } });
  if (row === null || row.status === 'pending') throw new Error(`${refundId}: there is no refund to record the end of`);
}
