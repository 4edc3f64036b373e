import type { Ledger } from './ledger.ts';
import { isConcealed } from './payment-state-machine.ts';
import { newId } from './new-id.ts';
import { refundEvent } from './outgoing-events.ts';
import type { RefundRequest, Settlement } from './protocol.ts';
import { isOpenRefund, type PaymentRecord, type OutgoingEvent, type Refund, type RefundEntry } from './records.ts';
import { applyRefund, openRefund, settleRefund } from './refund-state-machine.ts';

/** What a refund request leads to. Only `refund` and `lost` are written to the ledger as refunds. */
export type RefundResult =
  | { readonly kind: 'refund'; readonly refund: Refund }
  | { readonly kind: 'lost' | 'key_closed' | 'idempotency_conflict' | 'payment_not_found' | 'currency_mismatch' };

type RefundSettlementResult =
  | { readonly kind: 'settled'; readonly refund: Refund }
  | { readonly kind: 'not_found' | 'not_open' };

/** Refunds payments. Each method reads, decides and writes without waiting in between, as the payment service does. */
export interface RefundService {
  create(key: string, request: RefundRequest): RefundResult;
  /** The refund of a key, or null; then the key is closed and can never refund. */
  inquire(key: string): Refund | null;
  /** Settles the latest open refund with a reference. */
  settle(reference: string, settlement: Settlement): RefundSettlementResult;
}

export interface RefundServiceDependencies {
  readonly ledger: Ledger;
  /** Receives each event that was written. */
  readonly onEvent: (event: OutgoingEvent) => void;
}

export function createRefundService({ ledger, onEvent }: RefundServiceDependencies): RefundService {
  /** Writes a refund and, where it succeeded, deducts it from its payment. */
  const save = (entry: RefundEntry, refund: Refund) => {
    const payment = ledger.find(entry.paymentKey ?? '');
    const record = payment?.record ?? null;
    const isRefunded = refund.status === 'succeeded' && record !== null;
    const changed =
      isRefunded && payment !== undefined ? { ...payment, record: applyRefund(record, refund, now()) } : null;
    const event = refund.status === 'pending' || isReplyLost(refund, record) ? null : refundEvent(refund);
    ledger.saveRefund({ ...entry, refund }, changed, event);
    if (event !== null) onEvent(event);
  };

  const findPayment = (paymentKey: string): PaymentRecord | null => {
    const record = ledger.find(paymentKey)?.record ?? null;
    return record === null || isConcealed(record) ? null : record;
  };

  return {
    create(key, request) {
      const known = ledger.findRefund(key) ?? blankEntry(key);
      const counted = { ...known, requests: known.requests + 1 };
      const reject = (kind: Exclude<RefundResult['kind'], 'refund' | 'lost'>): RefundResult => {
        ledger.saveRefund(counted, null, null);
        return { kind };
      };
      if (counted.closed) return reject('key_closed');
      const { reference, merchantReference, paymentKey, amount, currency } = request;
      const paid = findPayment(counted.paymentKey ?? paymentKey);
      if (counted.refund !== null) {
        if (!isSameRequest(counted, counted.refund, request)) return reject('idempotency_conflict');
        ledger.saveRefund(counted, null, null);
        return { kind: 'refund', refund: counted.refund };
      }
      if (paid === null) return reject('payment_not_found');
      if (paid.payment.currency !== currency) return reject('currency_mismatch');
      const money = { amount, currency };
      const blank = {
        id: newId('simre'),
        reference,
        merchantReference,
        status: 'pending',
        ...money,
        createdAt: now(),
      } as const;
      const refund = openRefund(blank, paid, ledger.refundsOfPayment(paymentKey));
      save({ ...counted, paymentKey }, refund);
      return isReplyLost(refund, paid) ? { kind: 'lost' } : { kind: 'refund', refund };
    },

    inquire(key) {
      const entry = ledger.findRefund(key) ?? blankEntry(key);
      if (entry.refund === null) ledger.saveRefund({ ...entry, closed: true }, null, null);
      return entry.refund;
    },

    settle(reference, settlement) {
      const entries = ledger.refundsOfReference(reference);
      const open = entries.findLast(isOpenRefund);
      if (open?.refund == null) return { kind: entries.length === 0 ? 'not_found' : 'not_open' };
      const refund = settleRefund(open.refund, settlement);
      save(open, refund);
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

/** Whether the first request gets neither a reply nor a webhook, so that only a repeat or an inquiry finds the refund. */
function isReplyLost(refund: Refund, record: PaymentRecord | null): boolean {
  return record?.refundScenario === 'lost' && refund.status === 'succeeded';
}

function isSameRequest({ paymentKey }: RefundEntry, refund: Refund, request: RefundRequest): boolean {
  return (
    paymentKey === request.paymentKey &&
    refund.reference === request.reference &&
    refund.amount === request.amount &&
    refund.currency === request.currency
  );
}
