import type { InquiryOutcome } from '../../domain/provider-outcome.ts';
import type { ListedPayment, ListedRefund } from '../../domain/reconciliation.ts';
import { type CashfreeClient, doneOf } from './client.ts';
import type { CashfreeListedRefund, CashfreeOrder, CashfreePayment } from './messages.ts';
import { CASHFREE_CURRENCY, minorOf } from './money.ts';
import { isOpenOrder, type OpenOrder, orderOutcomeOf } from './outcomes.ts';
import { refundIdOf } from './references.ts';

interface Subject {
  readonly attemptId: string;
  readonly isPreauthorized: boolean;
}

/** The order of an attempt with its payment and refunds, as they are compared; null where there is none. Changes nothing. */
export async function findPayment(
  client: CashfreeClient,
  { attemptId, isPreauthorized }: Subject,
  signal: AbortSignal,
): Promise<ListedPayment | null> {
  const found = await client.getOrder(attemptId, signal);
  if (found.kind === 'refused' && found.meaning === 'not_found') return null;
  const order = doneOf(found);
  const payments = await client.getPayments(attemptId, signal);
  const outcome = orderOutcomeOf(order, payments, isPreauthorized);
  const refunds = statusOf(outcome) === 'captured' ? await client.getRefunds(attemptId, signal) : [];
  const changes = timesOf(order, payments, refunds);
  return {
    attemptId,
    providerPaymentId: paymentIdOf(outcome) ?? order.cf_order_id,
    status: statusOf(outcome),
    ...moneyOf(outcome, order),
    refunds: refunds.map(listedRefundOf),
    createdAt: order.created_at ?? changes[0] ?? NEVER,
    updatedAt: changes.at(-1) ?? NEVER,
  };
}

/** Where Cashfree tells no time at all. */
const NEVER = new Date(0).toISOString();

function statusOf(outcome: InquiryOutcome | OpenOrder): ListedPayment['status'] {
  if (isOpenOrder(outcome)) return 'open';
  switch (outcome.kind) {
    case 'approved':
      return outcome.captured ? 'captured' : 'held';
    case 'declined':
    case 'failed':
      return outcome.kind;
    case 'not_charged':
      return outcome.voided === undefined ? 'failed' : 'voided';
    default:
      return 'open';
  }
}

function paymentIdOf(outcome: InquiryOutcome | OpenOrder): string | null {
  if (isOpenOrder(outcome)) return null;
  if (outcome.kind === 'not_charged') return outcome.voided?.providerPaymentId ?? null;
  return outcome.providerPaymentId;
}

/** What was paid; where nothing was, the amount of the order. */
function moneyOf(
  outcome: InquiryOutcome | OpenOrder,
  { order_amount: amount, order_currency }: CashfreeOrder,
): Pick<ListedPayment, 'amountMinor' | 'currency' | 'capturedMinor'> {
  if (!isOpenOrder(outcome) && outcome.kind === 'approved') {
    const { amountMinor, currency, captured, capturedMinor = amountMinor } = outcome;
    return { amountMinor, currency, capturedMinor: captured ? capturedMinor : 0 };
  }
  const currency = order_currency ?? CASHFREE_CURRENCY;
  return { amountMinor: minorOf(amount ?? 0, currency), currency, capturedMinor: 0 };
}

/** The earliest first. */
function timesOf(
  order: CashfreeOrder,
  payments: readonly CashfreePayment[],
  refunds: readonly CashfreeListedRefund[],
): readonly string[] {
  return [
    order.created_at,
    ...payments.flatMap((payment) => [payment.payment_time, payment.payment_completion_time]),
    ...refunds.flatMap((refund) => [refund.created_at, refund.processed_at]),
  ]
    .filter((time) => typeof time === 'string')
    .sort();
}

const REFUND_STATUSES: Readonly<Record<CashfreeListedRefund['refund_status'], ListedRefund['status']>> = {
  SUCCESS: 'succeeded',
  PENDING: 'pending',
  ONHOLD: 'pending',
  unknown: 'pending',
  CANCELLED: 'failed',
  FAILED: 'failed',
};

function listedRefundOf(refund: CashfreeListedRefund): ListedRefund {
  const { refund_currency: currency, cf_payment_id: providerPaymentId } = refund;
  return {
    refundId: refundIdOf(refund.refund_id ?? '') ?? null,
    providerRefundId: refund.cf_refund_id,
    amountMinor: minorOf(refund.refund_amount, currency),
    currency,
    status: REFUND_STATUSES[refund.refund_status],
    ...(providerPaymentId == null ? {} : { providerPaymentId }),
  };
}
