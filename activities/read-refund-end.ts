import type { RefundResolution, RefundStatus } from '../domain/refund.ts';
import type { Database } from '../prisma/client.ts';

type Row = Omit<RefundResolution, 'status' | 'at'> & { readonly status: RefundStatus; readonly at: Date };

/**
 * The recorded end of a refund; null while it is pending.
 * @throws when there is no such refund
 */
export async function readRefundEnd(database: Database, refundId: string): Promise<RefundResolution | null> {
  const [row] = await database.direct.query<Row[]>`
    SELECT id AS "refundId", status, provider_refund_id AS "providerRefundId", failure, tries, updated_at AS at
    FROM refund WHERE id = ${refundId}`;
  if (row === undefined) throw new Error(`${refundId}: there is no such refund`);
  const { status, at } = row;
  return status === 'pending' ? null : { ...row, status, at: at.toISOString() };
}
