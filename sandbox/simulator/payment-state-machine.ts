import { depositAction, isDepositSeen, reorganisedDeposit, scriptedDepositFailure } from './deposit-state-machine.ts';
import type { Opening } from './scenarios.ts';
import type { Booking, Charge, Deposit, Payment } from './records.ts';
import type { Settlement } from './protocol.ts';

/** The steps a booked payment takes: pure, from one booking to the next. */

/** How long customers and networks take. */
export interface Delays {
  /** Until a customer has approved in the app. */
  readonly approvalDelayMs: number;
  /** Until a crypto deposit is seen on its network. */
  readonly depositDelayMs: number;
  /** From then on, until it has its confirmations. */
  readonly confirmationDelayMs: number;
}

export interface Circumstances {
  /** Where the customer confirms the payment, if asked to. */
  readonly pageUrl: string;
  readonly delays: Delays;
  readonly at: Date;
}

/** Where a payment stands right after it was booked. */
export function openBooking(booking: Booking, opening: Opening, { pageUrl, delays, at }: Circumstances): Booking {
  switch (opening.kind) {
    case 'approved':
      return approve(booking, at.toISOString());
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
      return { ...asked, settlesAt: opening.approves ? timeAfter(at, delays.approvalDelayMs) : null };
    }
    case 'awaits_deposit': {
      const { plan } = opening;
      const action = depositAction(booking.payment.id, plan);
      const settlesAt = plan.scenario === 'unpaid' ? null : timeAfter(at, delays.depositDelayMs);
      return { ...withPayment(booking, { status: 'requires_action', action }), deposit: plan, settlesAt };
    }
    case 'pending':
      return withPayment(booking, { status: 'pending' });
    case 'charged_late':
      return { ...withPayment(booking, { status: 'pending' }), concealed: true, lateChargeDelayMs: opening.delayMs };
  }
}

/** Whether somebody still has to say what becomes of the payment. */
export function isOpen(booking: Booking): boolean {
  return booking.payment.status === 'pending' || booking.payment.status === 'requires_action';
}

/** Whether engines are told that there is no such payment, although it may still be charged. */
export function isConcealed(booking: Booking): boolean {
  return booking.concealed && isOpen(booking);
}

/** A payment of which somebody is told that it does not exist: where it is to be charged late, the time runs from here. */
export function concealBooking(booking: Booking, at: Date): Booking {
  const { lateChargeDelayMs, settlesAt } = booking;
  const chargedAt = lateChargeDelayMs === null ? null : timeAfter(at, lateChargeDelayMs);
  return { ...booking, concealed: true, settlesAt: settlesAt ?? chargedAt };
}

/** What an open payment does by itself when its time has come. */
export function takeStep(booking: Booking, { confirmationDelayMs }: Delays, at: Date): Booking {
  if (booking.deposit === null) return settleBooking(booking, 'approved', at.toISOString());
  if (!isDepositSeen(booking)) {
    const seen = withPayment(booking, { status: 'pending', action: undefined });
    return { ...seen, settlesAt: timeAfter(at, confirmationDelayMs) };
  }
  const failure = scriptedDepositFailure(booking);
  return failure === null ? settleBooking(booking, 'approved', at.toISOString()) : failDeposit(booking, failure);
}

/** Ends the wait of an open payment. */
export function settleBooking(booking: Booking, settlement: Settlement, at: string): Booking {
  const settled = { ...withPayment(booking, { action: undefined }), settlesAt: null };
  if (settlement === 'approved') return approve(settled, at);
  if (settlement === 'failed') return fail(settled);
  const declineCode = booking.methodType === 'card' ? 'card_declined' : 'do_not_honor';
  return withPayment(settled, { status: 'declined', declineCode });
}

/** A payment after it was settled by hand: approved, it is reported as it is from then on. */
export function settleByHand(booking: Booking, settlement: Settlement, at: string): Booking {
  const settled = isOpen(booking) ? settleBooking(booking, settlement, at) : booking;
  return { ...settled, misreport: null };
}

/** Calls a payment off; money that was captured stays captured, and a deposit that was seen goes on. */
export function closeBooking(booking: Booking, at: string): Booking {
  if (isDepositSeen(booking)) return booking;
  if (isOpen(booking)) return { ...withPayment(booking, { status: 'voided', action: undefined }), settlesAt: null };
  if (booking.payment.status !== 'authorized') return booking;
  return withCharge(withPayment(booking, { status: 'voided', amountVoided: booking.payment.amount }), 'void', at);
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

function fail(booking: Booking): Booking {
  const { deposit, payment } = booking;
  if (deposit === null) return withPayment(booking, { status: 'failed', failureReason: 'processing_failed' });
  return failDeposit(booking, scriptedDepositFailure(booking) ?? reorganisedDeposit(payment.id, deposit));
}

function failDeposit(booking: Booking, deposit: Deposit): Booking {
  const failed = withPayment(booking, {
    status: 'failed',
    failureReason: 'deposit_failed',
    action: undefined,
    deposit,
  });
  return { ...failed, settlesAt: null };
}

function timeAfter(at: Date, delayMs: number): string {
  return new Date(at.getTime() + delayMs).toISOString();
}

function withPayment(booking: Booking, changes: Partial<Payment>): Booking {
  return { ...booking, payment: { ...booking.payment, ...changes } };
}

function withCharge(booking: Booking, type: Charge['type'], at: string, amount = booking.payment.amount): Booking {
  return { ...booking, charges: [...booking.charges, { type, amount, at }] };
}
