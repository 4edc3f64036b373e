import { UPI_LINK, type NextAction } from '../../domain/payment.ts';
import type {
  Approved,
  Declined,
  Failed,
  InquiryOutcome,
  NotCharged,
  Pending,
  RefundInquiryOutcome,
} from '../../domain/provider-outcome.ts';
import { redactProviderResponse } from '../../domain/redaction.ts';
import { UNKNOWN_VALUE } from '../reported-values.ts';
import { failureMeaningOf } from './error-codes.ts';
import type { CashfreeOrder, CashfreePayment, CashfreeRefund, CashfreeSession, FailureDetails } from './messages.ts';
import { minorOf } from './money.ts';

/**
 * What can still happen to an open order. `waiting`: a payment waits for the customer. `unpaid`: no payment can charge any more,
 * but another could be begun.
 */
export type OpenOrder = 'waiting' | 'unpaid';

export function isOpenOrder(outcome: InquiryOutcome | OpenOrder): outcome is OpenOrder {
  return outcome === 'waiting' || outcome === 'unpaid';
}

/** The outcome of an order. A payment that succeeded counts whatever the order's own state, which follows later. */
export function orderOutcomeOf(
  order: CashfreeOrder,
  payments: readonly CashfreePayment[],
  isPreauthorized: boolean,
): InquiryOutcome | OpenOrder {
  const withStatus = (...statuses: readonly CashfreePayment['payment_status'][]) =>
    payments.find(({ payment_status: status }) => statuses.includes(status));
  const charged = withStatus('SUCCESS');
  if (charged !== undefined) return chargeOf(charged, isPreauthorized);
  const voided = withStatus('VOID');
  if (voided !== undefined) return voidedOf(voided);
  const inProgress = withStatus('PENDING', 'FLAGGED', UNKNOWN_VALUE);
  const pending: Pending = { kind: 'pending', providerPaymentId: inProgress?.cf_payment_id ?? order.cf_order_id };
  if (withStatus(UNKNOWN_VALUE) !== undefined) return pending;
  switch (order.order_status) {
    case UNKNOWN_VALUE:
    case 'PAID': // before its payment shows
    case 'TERMINATION_REQUESTED':
      return pending;
    case 'EXPIRED': // no new payment, but one at the bank may still succeed
      return inProgress === undefined ? endOf(payments) : pending;
    case 'TERMINATED':
      return endOf(payments);
    case 'ACTIVE':
      if (withStatus('FLAGGED') !== undefined) return pending;
      return withStatus('PENDING', 'NOT_ATTEMPTED') === undefined ? 'unpaid' : 'waiting';
  }
}

/** The end of an order that can charge no more. */
function endOf(payments: readonly CashfreePayment[]): Declined | Failed | NotCharged {
  const refused = payments.find(({ payment_status: status }) => status === 'FAILED' || status === 'USER_DROPPED');
  return refused === undefined ? { kind: 'not_charged' } : failureOf(refused, refused.error_details);
}

/** A payment that failed, or that the customer gave up. */
function failureOf(
  { cf_payment_id: providerPaymentId }: CashfreePayment,
  details: FailureDetails | null | undefined,
): Declined | Failed {
  const meaning = failureMeaningOf(details?.error_reason ?? null, details?.error_code ?? null);
  if (meaning.kind === 'failed') return { ...meaning, providerPaymentId };
  const { reason, ...declined } = meaning;
  const said = reason === undefined ? {} : { details: { reason } };
  return { ...declined, providerPaymentId, ...said };
}

/** A successful payment: held, captured, or on its way to either. */
export function chargeOf(payment: CashfreePayment, isPreauthorized: boolean): Approved | NotCharged | Pending {
  const { cf_payment_id: providerPaymentId, authorization } = payment;
  const action = authorization?.action ?? null;
  const isOpen = action === UNKNOWN_VALUE || (action !== null && authorization?.status !== 'SUCCESS');
  if (isOpen) return { kind: 'pending', providerPaymentId };
  if (action === 'VOID') return voidedOf(payment);
  const isCaptured = action === 'CAPTURE' ? true : payment.is_captured;
  // Webhooks may leave it out. Where nothing is ever held, every successful payment is captured.
  if (isCaptured == null && isPreauthorized) return { kind: 'pending', providerPaymentId };
  const captured = isCaptured ?? true;
  return { kind: 'approved', providerPaymentId, ...moneyOf(payment), captured, ...partOf(payment) };
}

/**
 * The amount and currency that Cashfree reports, which may differ from the request. Cashfree takes no part of an order, so a payment of
 * less than the order has an offer's discount: the order is paid in full, and the amount counts that the merchant asked for.
 */
function moneyOf({ payment_amount: paid, order_amount: ordered, payment_currency: currency }: CashfreePayment) {
  return { amountMinor: minorOf(Math.max(paid, ordered ?? 0), currency), currency };
}

/** The captured amount, where it is not the whole amount. */
function partOf({ payment_amount, payment_currency: currency, authorization }: CashfreePayment) {
  const captured = authorization?.action === 'CAPTURE' ? authorization.captured_amount : null;
  return captured == null || captured === payment_amount ? {} : { capturedMinor: minorOf(captured, currency) };
}

function voidedOf(payment: CashfreePayment): NotCharged {
  return { kind: 'not_charged', voided: { providerPaymentId: payment.cf_payment_id, ...moneyOf(payment) } };
}

/** What the customer has to do; null where Cashfree names nothing that can be done by link. */
export function nextActionOf({ action, data: { url, payload } }: CashfreeSession): NextAction | null {
  const links = [payload?.default, ...Object.values(payload ?? {})].filter((value) => typeof value === 'string');
  const link = links.find((value) => UPI_LINK.test(value));
  if (link !== undefined) return { type: 'approve_in_app', app: 'upi', link };
  if (action !== 'link' || url == null || !URL.canParse(url)) return null;
  return new URL(url).protocol === 'https:' ? { type: 'redirect', url } : null;
}

/** Translates a refund of Cashfree. */
export function refundOutcomeOf(refund: CashfreeRefund): Exclude<RefundInquiryOutcome, { kind: 'not_refunded' }> {
  const { cf_refund_id: providerRefundId, refund_status: status, refund_currency: currency } = refund;
  switch (status) {
    case 'SUCCESS':
    case 'PENDING':
    case 'ONHOLD':
    case UNKNOWN_VALUE: {
      const kind = status === 'SUCCESS' ? 'refunded' : 'pending';
      return { kind, providerRefundId, amountMinor: minorOf(refund.refund_amount, currency), currency };
    }
    case 'CANCELLED':
    case 'FAILED': {
      const providerResponse = redactProviderResponse({ status, description: refund.status_description ?? null });
      return { kind: 'refused', providerRefundId, details: { providerResponse } };
    }
  }
}
