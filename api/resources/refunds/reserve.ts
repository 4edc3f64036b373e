import type { Database } from '../../../prisma/connection/client.ts';
import type { RefundRow } from '../../../prisma/queries/refund.ts';
import { type RefundReservation, reserveRefund as reserve } from '../../../prisma/queries/refund-reservation.ts';

/** Either the refund whose amount is now reserved, or the remaining amount if that was too little, or that it came too late. */
export type Reservation =
  | { readonly kind: 'reserved'; readonly refund: RefundRow }
  | { readonly kind: 'exceeded'; readonly refundableMinor: number }
  | { readonly kind: 'too_late' };

/**
 * Sets the refund's part of the captured money aside and writes the refund with its first event, in one statement.
 * @throws when there is a refund of that id already; nothing is written then
 */
export async function reserveRefund(database: Database, refund: Omit<RefundReservation, 'at'>): Promise<Reservation> {
  const row = await database.direct.row(reserve({ ...refund, at: new Date().toISOString() }));
  if (row === undefined) throw new Error(`${refund.capture.paymentIntentId} was deleted`);
  if (row.isTooLate) return { kind: 'too_late' };
  if (row.refund === null) return { kind: 'exceeded', refundableMinor: row.refundableMinor };
  return { kind: 'reserved', refund: row.refund };
}
