import type { Books } from './ledger.ts';
import { isConcealed } from './payment-state-machine.ts';
import { newId } from './new-id.ts';
import { refundEvent } from './outgoing-events.ts';
import type { RefundRequest, Settlement } from './protocol.ts';
import { isOpenRefund, type Booking, type OutgoingEvent, type Refund, type RefundEntry } from './records.ts';
import { giveBack, openRefund, settleRefund } from './refund-state-machine.ts';

/** What a refund request comes to. Only `refund` and `lost` are booked. */
export type RefundVerdict =
  | { readonly kind: 'refund'; readonly refund: Refund }
  | { readonly kind: 'lost' | 'key_closed' | 'idempotency_conflict' | 'payment_not_found' | 'currency_mismatch' };

type RefundSettleVerdict =
  { readonly kind: 'settled'; readonly refund: Refund } | { readonly kind: 'not_found' | 'not_open' };

/** Gives money back. Each method reads, decides and books in one go, as the payment desk does. */
export interface RefundDesk {
  take(key: string, request: RefundRequest): RefundVerdict;
  /** The refund of a key, or null; then the key is closed for good. */
  inquire(key: string): Refund | null;
  /** Says what becomes of the latest refund with a reference that waits. */
  settle(reference: string, settlement: Settlement): RefundSettleVerdict;
}

export interface RefundDeskDependencies {
  readonly books: Books;
  /** Told of each event that was booked. */
  readonly onEvent: (event: OutgoingEvent) => void;
}

export function createRefundDesk({ books, onEvent }: RefundDeskDependencies): RefundDesk {
  /** Books a refund and, when it was accepted, takes it out of its payment. */
  const book = (entry: RefundEntry, refund: Refund) => {
    const payment = books.find(entry.paymentKey ?? '');
    const booking = payment?.booking ?? null;
    const isGivenBack = refund.status === 'succeeded' && booking !== null;
    const changed =
      isGivenBack && payment !== undefined ? { ...payment, booking: giveBack(booking, refund, now()) } : null;
    const event = refund.status === 'pending' || isReplyLost(refund, booking) ? null : refundEvent(refund);
    books.recordRefund({ ...entry, refund }, changed, event);
    if (event !== null) onEvent(event);
  };

  const knownBooking = (paymentKey: string): Booking | null => {
    const booking = books.find(paymentKey)?.booking ?? null;
    return booking === null || isConcealed(booking) ? null : booking;
  };

  return {
    take(key, request) {
      const known = books.findRefund(key) ?? blankEntry(key);
      const asked = { ...known, requests: known.requests + 1 };
      const refuse = (kind: Exclude<RefundVerdict['kind'], 'refund' | 'lost'>): RefundVerdict => {
        books.recordRefund(asked, null, null);
        return { kind };
      };
      if (asked.closed) return refuse('key_closed');
      const { reference, paymentKey, amount, currency } = request;
      const paid = knownBooking(asked.paymentKey ?? paymentKey);
      if (asked.refund !== null) {
        if (!isSameRequest(asked, asked.refund, request)) return refuse('idempotency_conflict');
        books.recordRefund(asked, null, null);
        return { kind: 'refund', refund: asked.refund };
      }
      if (paid === null) return refuse('payment_not_found');
      if (paid.payment.currency !== currency) return refuse('currency_mismatch');
      const blank = { id: newId('simre'), reference, status: 'pending', amount, currency, createdAt: now() } as const;
      const refund = openRefund(blank, paid, books.refundsOfPayment(paymentKey));
      book({ ...asked, paymentKey }, refund);
      return isReplyLost(refund, paid) ? { kind: 'lost' } : { kind: 'refund', refund };
    },

    inquire(key) {
      const entry = books.findRefund(key) ?? blankEntry(key);
      if (entry.refund === null) books.recordRefund({ ...entry, closed: true }, null, null);
      return entry.refund;
    },

    settle(reference, settlement) {
      const entries = books.refundsOfReference(reference);
      const open = entries.findLast(isOpenRefund);
      if (open?.refund == null) return { kind: entries.length === 0 ? 'not_found' : 'not_open' };
      const refund = settleRefund(open.refund, settlement);
      book(open, refund);
      return { kind: 'settled', refund };
    },
  };
}

function now(): string {
  return new Date().toISOString();
}

function blankEntry(key: string): RefundEntry {
  return { key, paymentKey: null, requests: 0, closed: false, refund: null };
}

/** The reply to the first request; there is no webhook either, so that only a repeat or an inquiry learns of it. */
function isReplyLost(refund: Refund, booking: Booking | null): boolean {
  return booking?.refundScript === 'lost' && refund.status === 'succeeded';
}

function isSameRequest({ paymentKey }: RefundEntry, refund: Refund, request: RefundRequest): boolean {
  return (
    paymentKey === request.paymentKey &&
    refund.reference === request.reference &&
    refund.amount === request.amount &&
    refund.currency === request.currency
  );
}
