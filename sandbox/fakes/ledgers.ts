import { paymentIntentIdOfAttempt } from '../../domain/ids.ts';
import type { LedgerCharge, FakeLedger, LedgerEntry, LedgerRefund, RefundStatus, LedgerStatus } from './fake-ledger.ts';
import type { FakeAdyen } from './adyen/fake-adyen.ts';
import type { FakePayment } from './adyen/payment.ts';
import { attemptIdIn } from './adyen/store.ts';
import type { FakeCashfree } from './cashfree/fake-cashfree.ts';
import { toPaise } from './cashfree/ledger.ts';
import type { FakeStripe } from './stripe/fake-stripe.ts';
import type { Intent } from './stripe/objects.ts';

/** One payment at a vendor. */
interface LedgerPayment {
  readonly attemptId: string;
  /** Null where no payment was begun. */
  readonly status: LedgerStatus | null;
  readonly charges: readonly LedgerCharge[];
  readonly refunds: readonly LedgerRefund[];
}

export function ledgerOfStripe({ payments }: FakeStripe): FakeLedger {
  const paymentOf = (intent: Intent): LedgerPayment => ({
    attemptId: intent.metadata.attempt_id ?? intent.id,
    status: STATUS_AT_STRIPE[intent.status] ?? 'ended',
    charges: stripeCharges(intent),
    refunds: payments
      .refunds()
      .filter(({ payment_intent: of }) => of === intent.id)
      .map(({ id, metadata, status, amount }) =>
        refundOf(metadata?.refund_id ?? id, status === 'succeeded' || status === 'pending' ? status : 'failed', amount),
      ),
  });
  return {
    entries: () => entriesOf(payments.intents().map(paymentOf)),
    settlePayment(attemptId, isApproved) {
      const open = payments
        .intents()
        .filter(({ metadata, status }) => metadata.attempt_id === attemptId && status === 'requires_action');
      for (const { id } of open) payments.completeAuthentication(id, isApproved);
      return open.length > 0;
    },
    settleRefund(refundId, isApproved) {
      const waiting = payments
        .refunds()
        .filter(({ metadata, status }) => metadata?.refund_id === refundId && status === 'pending');
      for (const { id } of waiting) payments.settleRefund(id, isApproved ? 'succeeded' : 'failed');
      return waiting.length > 0;
    },
  };
}

const STATUS_AT_STRIPE: Readonly<Record<string, LedgerStatus>> = {
  requires_confirmation: 'open',
  requires_action: 'open',
  requires_capture: 'authorized',
  succeeded: 'captured',
};

function stripeCharges({ status, latest_charge: charge, amount_received: received }: Intent): readonly LedgerCharge[] {
  if (charge === null) return [];
  const authorization: LedgerCharge = { type: 'authorization', amount: charge.amount };
  if (status === 'canceled') return [authorization, { type: 'void', amount: charge.amount }];
  return received === 0 ? [authorization] : [authorization, { type: 'capture', amount: received }];
}

export function ledgerOfAdyen({ store, decidePayment, settleRefund }: FakeAdyen): FakeLedger {
  const paymentOf = (payment: FakePayment): LedgerPayment => ({
    attemptId: attemptIdIn(payment.reference),
    status: STATUS_AT_ADYEN[payment.status],
    charges: adyenCharges(payment),
    refunds: store.refunds
      .filter((refund) => refund.payment === payment)
      .map(({ reference, status, amount }) => refundOf(reference, REFUND_STATUS_AT_ADYEN[status], amount.value)),
  });
  return {
    entries: () => entriesOf([...store.payments.values()].map(paymentOf)),
    settlePayment(attemptId, isApproved) {
      const isOpen = store.paymentsOf(attemptId).some(({ status }) => status === 'open');
      decidePayment(attemptId, isApproved);
      return isOpen;
    },
    settleRefund(refundId, isApproved) {
      const isWaiting = store.waitingRefunds.has(refundId);
      if (isWaiting) settleRefund(refundId, isApproved);
      return isWaiting;
    },
  };
}

const STATUS_AT_ADYEN: Readonly<Record<FakePayment['status'], LedgerStatus>> = {
  open: 'pending',
  held: 'authorized',
  captured: 'captured',
  refused: 'ended',
  canceled: 'ended',
};

const REFUND_STATUS_AT_ADYEN = { waiting: 'pending', refunded: 'succeeded', refused: 'failed' } as const;

function adyenCharges({ status, amount, capturedValue, charges }: FakePayment): readonly LedgerCharge[] {
  if (status === 'open' || status === 'refused') return [];
  const authorization: LedgerCharge = { type: 'authorization', amount: amount.value };
  if (status === 'canceled') return [authorization, { type: 'void', amount: amount.value }];
  return [
    authorization,
    ...Array.from({ length: charges }, () => ({ type: 'capture', amount: capturedValue }) as const),
  ];
}

export function ledgerOfCashfree({ ledger }: FakeCashfree): FakeLedger {
  return {
    entries: () =>
      entriesOf(
        ledger.orders().map(({ orderId, status, payments, refunds }) => ({
          attemptId: orderId,
          // Whoever closes an attempt creates its order where there is none, so that a late request cannot create it.
          status: firstOf(payments.map((payment) => statusAtCashfree(payment, status))),
          charges: payments.flatMap(cashfreeCharges),
          refunds: refunds.map(({ refund_id: id = '', refund_status: status, refund_amount: amount }) =>
            refundOf(refundIdOf(id), REFUND_STATUS_AT_CASHFREE[status ?? ''] ?? 'failed', toPaise(amount)),
          ),
        })),
      ),
    settlePayment(attemptId, isApproved) {
      const order = ledger.orders().find(({ orderId }) => orderId === attemptId);
      const isOpen = order?.payments.some(isOpenAtCashfree) ?? false;
      if (isOpen) ledger.decide(attemptId, isApproved ? 'SUCCESS' : 'FAILED');
      return isOpen;
    },
    settleRefund(refundId, isApproved) {
      const waiting = ledger
        .orders()
        .flatMap(({ refunds }) => refunds)
        .find(({ refund_id: id = '', refund_status: status }) => refundIdOf(id) === refundId && status === 'PENDING');
      if (waiting?.refund_id !== undefined)
        ledger.settleRefund(waiting.refund_id, isApproved ? 'SUCCESS' : 'CANCELLED');
      return waiting !== undefined;
    },
  };
}

type CashfreePayment = ReturnType<FakeCashfree['ledger']['orders']>[number]['payments'][number];

const REFUND_STATUS_AT_CASHFREE: Readonly<Record<string, RefundStatus>> = { SUCCESS: 'succeeded', PENDING: 'pending' };

type OrderStatus = ReturnType<FakeCashfree['ledger']['orders']>[number]['status'];

/** An order whose termination is requested is over for the engine, and may wait for its customer for ever. */
function statusAtCashfree(payment: CashfreePayment, orderStatus: OrderStatus): LedgerStatus {
  if (isOpenAtCashfree(payment)) return orderStatus === 'TERMINATION_REQUESTED' ? 'pending' : 'open';
  if (payment.payment_status !== 'SUCCESS') return 'ended';
  return payment.is_captured === true ? 'captured' : 'authorized';
}

function isOpenAtCashfree({ payment_status: status }: CashfreePayment): boolean {
  return status === 'NOT_ATTEMPTED' || status === 'PENDING';
}

function cashfreeCharges(payment: CashfreePayment): readonly LedgerCharge[] {
  const { payment_status: status, is_captured: isCaptured, payment_amount, authorization: action } = payment;
  const amount = toPaise(payment_amount);
  if (status === 'VOID') {
    return [
      { type: 'authorization', amount },
      { type: 'void', amount },
    ];
  }
  if (status !== 'SUCCESS') return [];
  const captured = toPaise(action?.captured_amount ?? payment_amount);
  return [
    { type: 'authorization', amount },
    ...(isCaptured === true ? [{ type: 'capture', amount: captured } as const] : []),
  ];
}

/** The engine's id of a refund: Cashfree takes letters and digits only, at most 40 of them. */
function refundIdOf(cashfreeRefundId: string): string {
  const [, prefix = '', unique = '', place] = /^(re|st)([0-9a-f]{32})(?:n(\d+))?$/.exec(cashfreeRefundId) ?? [];
  return [prefix === 're' ? 're' : 'stray', unique, ...(place === undefined ? [] : [place])].join('_');
}

function refundOf(refundId: string, status: RefundStatus, amount: number): LedgerRefund {
  return { idempotencyKey: refundId, refund: { reference: refundId, status, amount } };
}

/** One entry for each attempt, with all its payments. */
function entriesOf(payments: readonly LedgerPayment[]): readonly LedgerEntry[] {
  const byAttempt = new Map<string, LedgerPayment[]>();
  for (const payment of payments) {
    byAttempt.set(payment.attemptId, [...(byAttempt.get(payment.attemptId) ?? []), payment]);
  }
  return [...byAttempt].map(([attemptId, own]) => ({
    idempotencyKey: attemptId,
    reference: attemptId,
    paymentIntentId: paymentIntentIdOfAttempt(attemptId) ?? null,
    payment: paymentOf(own.flatMap(({ status }) => status ?? [])),
    charges: own.flatMap(({ charges }) => charges),
    refunds: own.flatMap(({ refunds }) => refunds),
  }));
}

function paymentOf(statuses: readonly LedgerStatus[]): LedgerEntry['payment'] {
  const status = firstOf(statuses);
  return status === null ? null : { status };
}

/** The status of several payments; null where there are none. */
function firstOf(statuses: readonly LedgerStatus[]): LedgerStatus | null {
  return STATUSES.find((status) => statuses.includes(status)) ?? null;
}

const STATUSES: readonly LedgerStatus[] = ['authorized', 'pending', 'open', 'captured', 'ended'];
