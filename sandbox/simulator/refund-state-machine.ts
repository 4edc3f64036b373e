import type { Settlement } from './protocol.ts';
import type { Booking, Refund, RefundEntry, RefundScript } from './records.ts';

/** What becomes of refunds and of the payments they are taken from: pure. */

type RefundEnd = Pick<Refund, 'status' | 'failureReason'>;

const REFUSED: RefundEnd = { status: 'failed', failureReason: 'refused' };

const END_BY_SCRIPT: Readonly<Record<RefundScript, RefundEnd>> = {
  accepted: { status: 'succeeded' },
  lost: { status: 'succeeded' },
  refused: REFUSED,
  silent: { status: 'pending' },
};

const END_BY_SETTLEMENT: Readonly<Record<Settlement, RefundEnd>> = {
  approved: { status: 'succeeded' },
  declined: REFUSED,
  failed: { status: 'failed', failureReason: 'processing_failed' },
};

/** Where a refund stands right after it was asked for. */
export function openRefund(blank: Refund, booking: Booking, others: readonly RefundEntry[]): Refund {
  if (blank.amount > refundableMinor(booking, others)) {
    return { ...blank, status: 'failed', failureReason: 'amount_exceeded' };
  }
  return { ...blank, ...END_BY_SCRIPT[booking.refundScript] };
}

/** Ends the wait of a refund. */
export function settleRefund(refund: Refund, settlement: Settlement): Refund {
  return { ...refund, ...END_BY_SETTLEMENT[settlement] };
}

/** A payment after a refund of it was accepted. */
export function giveBack(booking: Booking, { amount, reference }: Refund, at: string): Booking {
  const { payment, charges } = booking;
  return {
    ...booking,
    payment: { ...payment, amountRefunded: payment.amountRefunded + amount },
    charges: [...charges, { type: 'refund', amount, at, reference }],
  };
}

/** What may still be given back: refunds that are open have their part already. */
function refundableMinor({ payment }: Booking, others: readonly RefundEntry[]): number {
  const openMinor = others.reduce((sum, { refund }) => sum + (refund?.status === 'pending' ? refund.amount : 0), 0);
  return payment.amountCaptured - payment.amountRefunded - openMinor;
}
