import type { Opening } from './scenarios.ts';
import type { Booking, Charge, Payment } from './records.ts';
import type { Settlement } from './protocol.ts';

/** The steps a booked payment takes: pure, from one booking to the next. */

/** Where a payment stands right after it was booked. */
export function openBooking(
  booking: Booking,
  opening: Opening,
  pageUrl: string,
  settlesAt: string,
  at: string,
): Booking {
  switch (opening.kind) {
    case 'approved':
      return approve(booking, at);
    case 'declined':
      return withPayment(booking, { status: 'declined', declineCode: opening.declineCode });
    case 'failed':
      return withPayment(booking, { status: 'failed', failureReason: opening.failureReason });
    case 'challenged':
      return withPayment(booking, { status: 'requires_action', action: { type: 'redirect', url: pageUrl } });
    case 'asked_in_app': {
      const asked = withPayment(booking, {
        status: 'requires_action',
        action: { type: 'approve_in_app', app: 'upi' },
      });
      return { ...asked, settlesAt: opening.approves ? settlesAt : null };
    }
    case 'pending':
      return withPayment(booking, { status: 'pending' });
  }
}

/** Whether somebody still has to say what becomes of the payment. */
export function isOpen(booking: Booking): boolean {
  return booking.payment.status === 'pending' || booking.payment.status === 'requires_action';
}

/** Ends the wait of an open payment. */
export function settleBooking(booking: Booking, settlement: Settlement, at: string): Booking {
  const settled = { ...withPayment(booking, { action: undefined }), settlesAt: null };
  if (settlement === 'approved') return approve(settled, at);
  if (settlement === 'failed') return withPayment(settled, { status: 'failed', failureReason: 'processing_failed' });
  const declineCode = booking.methodType === 'card' ? 'card_declined' : 'do_not_honor';
  return withPayment(settled, { status: 'declined', declineCode });
}

/** Calls a payment off; money that was captured stays captured. */
export function closeBooking(booking: Booking, at: string): Booking {
  if (isOpen(booking)) return { ...withPayment(booking, { status: 'voided', action: undefined }), settlesAt: null };
  if (booking.payment.status !== 'authorized') return booking;
  return withCharge(withPayment(booking, { status: 'voided' }), 'void', at);
}

/** Takes held money, in whole or in part; the rest is released. */
export function captureBooking(booking: Booking, amountMinor: number, at: string): Booking {
  const captured = withPayment(booking, { status: 'captured', amountCaptured: amountMinor });
  return withCharge(captured, 'capture', at, amountMinor);
}

function approve(booking: Booking, at: string): Booking {
  if (!booking.capture) return withCharge(withPayment(booking, { status: 'authorized' }), 'authorization', at);
  return captureBooking(booking, booking.payment.amount, at);
}

function withPayment(booking: Booking, changes: Partial<Payment>): Booking {
  return { ...booking, payment: { ...booking.payment, ...changes } };
}

function withCharge(booking: Booking, type: Charge['type'], at: string, amount = booking.payment.amount): Booking {
  return { ...booking, charges: [...booking.charges, { type, amount, at }] };
}
