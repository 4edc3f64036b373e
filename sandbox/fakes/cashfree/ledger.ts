import { randomUUID } from 'node:crypto';
import type {
  AuthorizeOrderRequest,
  CreateOrderRequest,
  DisputesEntity,
  InstrumentEntity,
  OrderCreateRefundRequest,
  OrderEntity,
  PaymentEntity,
  PayOrderEntity,
  PayOrderRequest,
  RefundEntity,
} from 'cashfree-pg';
import { CashfreeDisputes } from './disputes.ts';
import { refusal } from './refusal.ts';
import { CashfreeSettlements } from './settlements.ts';

/** How Cashfree treats an order, by its id, where it does not simply wait for the customer. */
export interface OrderTreatment {
  /** One rupee more than the order's amount is paid. */
  readonly paysMore?: boolean;
  /** The payment is reported in US dollars. */
  readonly paysDollars?: boolean;
  readonly refunds?: 'refused' | 'waiting';
  /**
   * A termination of an order with an open payment is only requested. It ends once the order has been read again, or, where
   * it is `late`, with the customer's decision.
   */
  readonly termination?: 'requested' | 'late';
  /** What a payment is before the customer acts; `NOT_ATTEMPTED` by default. */
  readonly waitsAs?: 'NOT_ATTEMPTED' | 'PENDING';
}

interface Order {
  readonly request: CreateOrderRequest & { readonly order_id: string };
  readonly cfOrderId: string;
  readonly sessionId: string;
  readonly createdAt: string;
  status: 'ACTIVE' | 'PAID' | 'EXPIRED' | 'TERMINATED' | 'TERMINATION_REQUESTED';
  payments: PaymentEntity[];
  readonly refunds: Map<string, RefundEntity>;
  /** The number of the card that is kept once it has paid; null for none. */
  numberToKeep: string | null;
  /** The kept card with which it is paid; null for another method. */
  instrumentId: string | null;
}

/** A card that is kept for a customer. */
type Instrument = InstrumentEntity & { readonly instrument_id: string; readonly customer_id: string };

/** What an order has led to. */
interface OrderEntry {
  readonly orderId: string;
  readonly status: Order['status'];
  readonly payments: readonly PaymentEntity[];
  readonly refunds: readonly RefundEntity[];
}

/** The entity that changed, for webhooks. */
export type LedgerEvent =
  | { readonly kind: 'payment'; readonly order: OrderEntity; readonly payment: PaymentEntity }
  | { readonly kind: 'refund'; readonly refund: RefundEntity }
  | { readonly kind: 'dispute'; readonly type: string; readonly dispute: DisputesEntity };

const DOLLAR = 'USD';

/** The orders, payments and refunds of one account. Amounts are kept as Cashfree has them: numbers of rupees. */
export class CashfreeLedger {
  readonly #orders = new Map<string, Order>();
  readonly #instruments = new Map<string, Instrument>();
  readonly #treatments = new Map<string, OrderTreatment>();
  readonly disputes: CashfreeDisputes;
  readonly #isPreauthorized: boolean;
  readonly #notify: (event: LedgerEvent) => void;
  #lastId = 2_149_460_581;

  readonly #usualTreatment: (orderId: string) => OrderTreatment;

  constructor(
    isPreauthorized: boolean,
    notify: (event: LedgerEvent) => void,
    usualTreatment: (orderId: string) => OrderTreatment = () => ({}),
  ) {
    this.#isPreauthorized = isPreauthorized;
    this.#notify = notify;
    this.disputes = new CashfreeDisputes((type, dispute) => notify({ kind: 'dispute', type, dispute }));
    this.#usualTreatment = usualTreatment;
  }

  treat(orderId: string, treatment: OrderTreatment): void {
    this.#treatments.set(orderId, treatment);
  }

  create(request: CreateOrderRequest): OrderEntity {
    const orderId = request.order_id ?? `order_${randomUUID()}`;
    if (this.#orders.has(orderId)) {
      throw refusal(409, 'order_already_exists', 'order with same id is already present');
    }
    const order: Order = {
      request: { ...request, order_id: orderId },
      cfOrderId: this.#newId(),
      sessionId: `session_${randomUUID()}`,
      createdAt: timeNow(),
      status: 'ACTIVE',
      payments: [],
      refunds: new Map(),
      numberToKeep: null,
      instrumentId: null,
    };
    this.#orders.set(orderId, order);
    return entityOf(order);
  }

  get(orderId: string): OrderEntity {
    const order = this.#require(orderId);
    const shown = entityOf(order);
    if (order.status === 'TERMINATION_REQUESTED' && this.#treatmentOf(order).termination !== 'late') this.#end(order);
    return shown;
  }

  terminate(orderId: string): OrderEntity {
    const order = this.#require(orderId);
    if (order.status === 'PAID') throw refusal(400, 'order_already_paid', 'order is already paid');
    if (order.status !== 'ACTIVE') return entityOf(order);
    const isRequested = this.#treatmentOf(order).termination !== undefined && order.payments.some(isOpen);
    if (isRequested) order.status = 'TERMINATION_REQUESTED';
    else this.#end(order);
    return entityOf(order);
  }

  expire(orderId: string): void {
    this.#require(orderId).status = 'EXPIRED';
  }

  payments(orderId: string): readonly PaymentEntity[] {
    return this.#require(orderId).payments;
  }

  pay({
    payment_session_id: sessionId,
    payment_method: method,
    save_instrument: isKept = false,
  }: PayOrderRequest): PayOrderEntity {
    const order = [...this.#orders.values()].find((each) => each.sessionId === sessionId);
    if (order === undefined) {
      throw refusal(400, 'payment_session_id_invalid', 'payment_session_id is not present or is invalid');
    }
    if (order.status !== 'ACTIVE') throw refusal(400, 'order_inactive', 'order is not active');
    const { paysMore = false, paysDollars = false, waitsAs = 'NOT_ATTEMPTED' } = this.#treatmentOf(order);
    const { order_amount: amount, order_currency: currency, order_id: orderId } = order.request;
    const isCard = 'card' in method;
    const { card_number: number = null, instrument_id: instrumentId = null } = isCard ? method.card : {};
    const { customer_id: payer } = order.request.customer_details;
    if (instrumentId !== null && this.#instruments.get(instrumentId)?.customer_id !== payer)
      throw refusal(400, 'instrument_id_invalid', 'instrument_id is not present or is invalid');
    order.numberToKeep = isKept ? number : null;
    order.instrumentId = instrumentId;
    const paymentId = this.#newId();
    const payment = {
      cf_payment_id: paymentId,
      order_id: orderId,
      entity: 'payment',
      is_captured: false,
      order_amount: amount,
      order_currency: currency,
      payment_group: isCard ? 'credit_card' : 'upi',
      payment_amount: paysMore ? amount + 1 : amount,
      payment_currency: paysDollars ? DOLLAR : currency,
      payment_time: timeNow(),
      payment_status: waitsAs,
      payment_method: isCard ? { card: { channel: 'link' } } : { upi: { channel: 'link' } },
    } satisfies PaymentEntity;
    order.payments.push(payment);
    return isCard
      ? {
          payment_amount: amount,
          cf_payment_id: paymentId,
          payment_method: 'card',
          channel: 'link',
          action: 'link',
          data: { url: `https://sandbox.cashfree.com/pg/view/gateway/${paymentId}` },
        }
      : {
          payment_amount: amount,
          cf_payment_id: paymentId,
          payment_method: 'upi',
          channel: 'link',
          action: 'custom',
          data: { payload: linksOf(paymentId, amount) },
        };
  }

  authorize(orderId: string, { action, amount }: AuthorizeOrderRequest): PaymentEntity {
    const order = this.#require(orderId);
    const payment = order.payments.find((each) => each.payment_status === 'SUCCESS');
    if (payment === undefined) throw refusal(400, 'order_id_voided', 'there is no authorized payment');
    if (payment.is_captured === true) throw refusal(400, 'request_failed', 'the payment is captured already');
    if (action === 'VOID') {
      const voided = { action, status: 'SUCCESS', action_time: timeNow() } as const;
      return this.#change(order, { ...payment, payment_status: 'VOID', authorization: voided });
    }
    if (amount === undefined || amount <= 0 || amount > (payment.payment_amount ?? 0)) {
      throw refusal(400, 'request_failed', 'the amount is more than was authorized');
    }
    const captured = { action: 'CAPTURE', status: 'SUCCESS', captured_amount: amount } as const;
    return this.#change(order, { ...payment, is_captured: true, authorization: captured });
  }

  refund(orderId: string, request: OrderCreateRefundRequest): RefundEntity {
    const order = this.#require(orderId);
    const { refund_id: refundId, refund_amount: amount } = request;
    if (order.refunds.has(refundId)) throw refusal(409, 'refund_already_exists', 'refund with same id is present');
    const payment = order.payments.find((each) => each.is_captured === true);
    if (payment === undefined) throw refusal(400, 'order_id_not_paid', 'the order is not paid');
    if (toPaise(amount) > this.keptMinor(orderId) - pendingMinor(order)) {
      throw refusal(400, 'refund_amount_invalid', 'refund amount is more than what is left');
    }
    const { refunds = null } = this.#treatmentOf(order);
    const refund = {
      cf_payment_id: payment.cf_payment_id ?? '',
      cf_refund_id: this.#newId(),
      order_id: orderId,
      refund_id: refundId,
      entity: 'refund',
      refund_amount: amount,
      refund_currency: payment.payment_currency ?? '',
      refund_note: request.refund_note ?? '',
      refund_status: refunds === null ? 'SUCCESS' : refunds === 'refused' ? 'CANCELLED' : 'PENDING',
      refund_type: 'MERCHANT_INITIATED',
      status_description: refunds === 'refused' ? 'The bank has refused the refund' : 'In Progress',
      created_at: timeNow(),
    } satisfies RefundEntity;
    order.refunds.set(refundId, refund);
    if (refund.refund_status !== 'PENDING') this.#notify({ kind: 'refund', refund });
    return refund;
  }

  getRefund(orderId: string, refundId: string): RefundEntity {
    const refund = this.#require(orderId).refunds.get(refundId);
    if (refund === undefined) throw refusal(404, 'refund_get_not_found', 'refund is not found');
    return refund;
  }

  refunds(orderId: string): readonly RefundEntity[] {
    return [...this.#require(orderId).refunds.values()];
  }

  settleRefund(refundId: string, status: 'SUCCESS' | 'CANCELLED'): void {
    const order = [...this.#orders.values()].find(({ refunds }) => refunds.has(refundId));
    const pending = order?.refunds.get(refundId);
    if (order === undefined || pending === undefined) throw new Error(`there is no refund ${refundId}`);
    const refund = { ...pending, refund_status: status };
    order.refunds.set(refundId, refund);
    this.#notify({ kind: 'refund', refund });
  }

  /** The customer of the open payment of an order decides, or leaves. */
  decide(
    orderId: string,
    status: 'SUCCESS' | 'FAILED' | 'USER_DROPPED',
    failure = { error_code: 'TRANSACTION_DECLINED', error_reason: 'bank_rejected', error_source: 'bank' },
  ): void {
    const order = this.#require(orderId);
    const payment = order.payments.find(isOpen);
    if (payment === undefined) throw new Error(`${orderId} has no open payment`);
    const isHeld = this.#isPreauthorized && payment.payment_group !== 'upi';
    if (status === 'SUCCESS') order.status = 'PAID';
    const decided = this.#change(order, {
      ...payment,
      payment_status: status,
      is_captured: status === 'SUCCESS' && !isHeld,
      payment_completion_time: timeNow(),
      ...(status === 'FAILED' ? { error_details: { ...failure, error_description: 'The bank has declined' } } : {}),
    });
    if (status === 'SUCCESS' && order.numberToKeep !== null) this.#keep(order, order.numberToKeep, decided);
    if (order.status === 'TERMINATION_REQUESTED') this.#end(order);
    this.#notify({ kind: 'payment', order: entityOf(order), payment: decided });
  }

  /** The cards that are kept for a customer. */
  instruments(customerId: string): readonly Instrument[] {
    return [...this.#instruments.values()].filter((each) => each.customer_id === customerId);
  }

  removeInstrument(customerId: string, instrumentId: string): Instrument {
    const found = this.instruments(customerId).find((each) => each.instrument_id === instrumentId);
    if (found === undefined) throw refusal(404, 'instrument_not_found', 'instrument is not found');
    this.#instruments.delete(instrumentId);
    return found;
  }

  /** The kept card with which an order is paid; null for another method. */
  instrumentOf(orderId: string): string | null {
    return this.#orders.get(orderId)?.instrumentId ?? null;
  }

  #keep({ request }: Order, number: string, { cf_payment_id: paymentId = '' }: PaymentEntity): void {
    const instrumentId = randomUUID();
    this.#instruments.set(instrumentId, {
      customer_id: request.customer_details.customer_id,
      afa_reference: paymentId,
      instrument_id: instrumentId,
      instrument_type: 'card',
      instrument_uid: randomUUID(),
      instrument_display: `xxxxxxxxxxxx${number.slice(-4)}`,
      instrument_status: 'ACTIVE',
      created_at: timeNow(),
    });
  }

  /** The customer pays a paid order once more, and Cashfree returns that payment by itself. */
  payTwice(orderId: string): void {
    const order = this.#require(orderId);
    const paid = order.payments.find((payment) => payment.is_captured === true);
    if (paid === undefined) throw new Error(`${orderId} is not paid`);
    const [paymentId, refundId] = [this.#newId(), this.#newId()];
    order.payments.push({ ...paid, cf_payment_id: paymentId });
    order.refunds.set(refundId, {
      cf_payment_id: paymentId,
      cf_refund_id: refundId,
      order_id: orderId,
      entity: 'refund',
      refund_amount: paid.payment_amount ?? 0,
      refund_currency: paid.payment_currency ?? '',
      refund_status: 'SUCCESS',
      refund_type: 'PAYMENT_AUTO_REFUND',
      created_at: timeNow(),
    } satisfies RefundEntity);
  }

  /** What the account was paid of its payments. */
  readonly settlements = new CashfreeSettlements();

  /** Pays the account what is not settled yet. @returns the id of the settlement */
  settle(): string {
    return this.settlements.settle(this.orders());
  }

  /** The payments and refunds of all orders, oldest first. */
  orders(): readonly OrderEntry[] {
    return [...this.#orders.values()].map(({ request, status, payments, refunds }) => ({
      orderId: request.order_id,
      status,
      payments,
      refunds: [...refunds.values()],
    }));
  }

  countCharges(orderId: string): number {
    const payments = this.#orders.get(orderId)?.payments ?? [];
    return payments.filter((payment) => payment.payment_status === 'SUCCESS' && payment.is_captured === true).length;
  }

  /** The captured less the refunded amount, in paise. */
  keptMinor(orderId: string): number {
    const order = this.#orders.get(orderId);
    const charged = order?.payments.find((each) => each.payment_status === 'SUCCESS' && each.is_captured === true);
    if (order === undefined || charged === undefined) return 0;
    const captured = charged.authorization?.captured_amount ?? charged.payment_amount ?? 0;
    return toPaise(captured) - sumMinor(order, 'SUCCESS');
  }

  #end(order: Order): void {
    order.status = 'TERMINATED';
    order.payments = order.payments.map((each) => (isOpen(each) ? { ...each, payment_status: 'CANCELLED' } : each));
  }

  #change(order: Order, payment: PaymentEntity): PaymentEntity {
    order.payments = order.payments.map((each) => (each.cf_payment_id === payment.cf_payment_id ? payment : each));
    return payment;
  }

  #require(orderId: string): Order {
    const order = this.#orders.get(orderId);
    if (order === undefined) throw refusal(404, 'order_not_found', 'order is not found');
    return order;
  }

  #treatmentOf({ request }: Order): OrderTreatment {
    return this.#treatments.get(request.order_id) ?? this.#usualTreatment(request.order_id);
  }

  #newId(): string {
    this.#lastId += 1;
    return String(this.#lastId);
  }
}

function entityOf({ request, cfOrderId, sessionId, status, createdAt }: Order): OrderEntity {
  const { order_id: orderId, order_amount: amount, order_currency: currency, order_note: note } = request;
  return {
    cf_order_id: cfOrderId,
    order_id: orderId,
    entity: 'order',
    order_currency: currency,
    order_amount: amount,
    order_status: status,
    payment_session_id: sessionId,
    created_at: createdAt,
    customer_details: request.customer_details,
    ...(note === undefined ? {} : { order_note: note }),
    ...(request.order_meta === undefined ? {} : { order_meta: request.order_meta }),
  };
}

function linksOf(paymentId: string, amount: number): Record<string, string> {
  const query = `pa=cf.merchant@cashfreebank&pn=Merchant&tr=${paymentId}&am=${amount.toFixed(2)}&cu=INR&mode=04`;
  return {
    bhim: `bhim://upi/pay?${query}`,
    default: `upi://pay?${query}`,
    gpay: `tez://upi/pay?${query}`,
    paytm: `paytmmp://pay?${query}`,
    phonepe: `phonepe://pay?${query}`,
  };
}

function isOpen({ payment_status: status }: PaymentEntity): boolean {
  return status === 'NOT_ATTEMPTED' || status === 'PENDING';
}

function sumMinor(order: Order, status: RefundEntity['refund_status']): number {
  const refunds = [...order.refunds.values()].filter((refund) => refund.refund_status === status);
  return refunds.reduce((sum, { refund_amount: amount }) => sum + toPaise(amount), 0);
}

function pendingMinor(order: Order): number {
  return sumMinor(order, 'PENDING');
}

export function toPaise(rupees = 0): number {
  return Math.round(rupees * 100);
}

function timeNow(): string {
  return new Date().toISOString();
}
