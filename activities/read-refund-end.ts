import type { RefundResolution } from '../domain/refund.ts';
import type { Database } from '../prisma/connection/client.ts';
import { selectRefundEnd } from '../prisma/queries/refund-end.ts';

/**
 * The recorded end of a refund; null while it is pending.
 * @throws when there is no such refund
 */
export async function readRefundEnd(database: Database, refundId: string): Promise<RefundResolution | null> {
  const row = await database.direct.row(selectRefundEnd(refundId));
  if (row === undefined) throw new Error(`${refundId}: there is no such refund`);
  const { status, at } = row;
  return status === 'pending' ? null : { ...row, status, at: at.toISOString() };
}
