import { randomUUID } from 'node:crypto';
import type {
  FetchSettlementsRequest,
  PaymentEntity,
  RefundEntity,
  SettlementEntity,
  SettlementReconEntity,
  SettlementReconEntityDataInner,
} from 'cashfree-pg';

/** Two per cent, and the tax of 18 per cent on it. */
const CHARGE_SHARE = 0.02;
const TAX_SHARE = 0.18;

/** What an order has led to. */
interface SettledOrder {
  readonly orderId: string;
  readonly payments: readonly PaymentEntity[];
  readonly refunds: readonly RefundEntity[];
}

interface Settlement {
  readonly id: string;
  readonly utr: string;
  readonly at: string;
  readonly events: readonly SettlementReconEntityDataInner[];
}

/** What an account was paid. */
export class CashfreeSettlements {
  readonly #settlements: Settlement[] = [];
  readonly #settled = new Set<string>();

  /** Pays what was captured and not settled, less what was refunded. @returns the id of the settlement */
  settle(orders: readonly SettledOrder[]): string {
    const at = new Date().toISOString();
    const id = String(6_121_238 + this.#settlements.length);
    const events = orders.flatMap((order) => [
      ...order.payments
        .filter((payment) => payment.is_captured === true)
        .map((payment) => paymentEvent(order, payment)),
      ...order.refunds
        .filter((refund) => refund.refund_status === 'SUCCESS')
        .map((refund) => refundEvent(order, refund)),
    ]);
    const fresh = events.filter(({ event_details: event }) => !this.#settled.has(event?.event_id ?? ''));
    for (const { event_details: event } of fresh) this.#settled.add(event?.event_id ?? '');
    this.#settlements.push({ id, utr: `PGI${randomUUID().slice(0, 8)}`, at, events: fresh });
    return id;
  }

  list({ pagination: { limit, cursor = '0' }, filters }: FetchSettlementsRequest) {
    const from = filters.start_date ?? '';
    const listed = this.#settlements.filter(({ at }) => at >= from).map(entityOf);
    return page(listed, Number(cursor), limit);
  }

  events({ pagination: { limit, cursor = '0' }, filters }: FetchSettlementsRequest): SettlementReconEntity {
    const named = this.#settlements.filter(({ id }) => filters.cf_settlement_ids?.includes(id) === true);
    const listed = named.flatMap(({ id, utr, at, events }) => {
      const details = { cf_settlement_id: id, utr, settlement_date: at };
      return events.map((event) => ({ ...event, settlement_details: details }));
    });
    return page(listed, Number(cursor), limit);
  }
}

function page<Item>(items: readonly Item[], from: number, limit: number) {
  const cursor = from + limit < items.length ? { cursor: String(from + limit) } : {};
  return { ...cursor, limit, data: items.slice(from, from + limit) };
}

function entityOf({ id, utr, at, events }: Settlement): SettlementEntity {
  const paid = events.reduce((sum, { event_details: event }) => {
    const amount = event?.event_settlement_amount ?? 0;
    return sum + (event?.sale_type === 'DEBIT' ? -amount : amount);
  }, 0);
  return {
    cf_settlement_id: id,
    entity: 'settlement',
    settlement_amount: toRupees(paid),
    settlement_currency: 'INR',
    transfer_time: at,
    transfer_utr: utr,
  };
}

/** As in Cashfree's samples, each event has all that is known of the customer. */
const CUSTOMER = { customer_phone: '8281554863', customer_email: 'customer@example.com', customer_name: 'A Customer' };

function paymentEvent({ orderId }: SettledOrder, payment: PaymentEntity): SettlementReconEntityDataInner {
  const amount = payment.authorization?.captured_amount ?? payment.payment_amount ?? 0;
  const charge = toRupees(amount * CHARGE_SHARE);
  const tax = toRupees(charge * TAX_SHARE);
  return {
    event_details: {
      entity: 'recon',
      event_id: payment.cf_payment_id ?? '',
      event_type: 'PAYMENT',
      event_amount: amount,
      event_settlement_amount: toRupees(amount - charge - tax),
      event_service_charge: charge,
      event_service_tax: tax,
      event_currency: payment.payment_currency ?? 'INR',
      event_status: 'SUCCESS',
      event_time: payment.payment_completion_time ?? new Date().toISOString(),
      sale_type: 'CREDIT',
    },
    order_details: { order_id: orderId },
    customer_details: CUSTOMER,
    payment_details: { cf_payment_id: payment.cf_payment_id ?? '' },
  };
}

function refundEvent({ orderId }: SettledOrder, refund: RefundEntity): SettlementReconEntityDataInner {
  const amount = refund.refund_amount ?? 0;
  return {
    event_details: {
      entity: 'recon',
      event_id: refund.cf_refund_id ?? '',
      event_type: 'REFUND',
      event_amount: amount,
      event_settlement_amount: amount,
      event_service_charge: 0,
      event_service_tax: 0,
      event_currency: refund.refund_currency ?? 'INR',
      event_status: 'SUCCESS',
      event_time: refund.created_at ?? new Date().toISOString(),
      sale_type: 'DEBIT',
    },
    order_details: { order_id: orderId },
    customer_details: CUSTOMER,
    payment_details: { cf_payment_id: refund.cf_payment_id ?? '' },
    refund_details: { refund_id: refund.refund_id ?? '' },
  };
}

function toRupees(amount: number): number {
  return Math.round(amount * 100) / 100;
}
