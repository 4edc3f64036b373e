import type { Advised } from '../../domain/decline-advice.ts';
import type {
  CaptureOutcome,
  CardDeclineReason,
  Declined,
  Failed,
  InquiryOutcome,
  NotCharged,
  RefundInquiryOutcome,
} from '../../domain/provider-outcome.ts';
import { isId } from '../../domain/ids.ts';
import { redactProviderResponse } from '../../domain/redaction.ts';
import type { ListedPayment } from '../../domain/reconciliation.ts';
import { ISSUER_DECLINE, merchantAdviceOf, overruledBy } from '../network-advice.ts';
import { type DisputeReport, DISPUTE_STATUSES } from '../../domain/dispute.ts';
import { reportedMeaning, UNKNOWN_VALUE } from '../reported-values.ts';
import type { SimulatorDispute, SimulatorListedPayment, SimulatorPayment, SimulatorRefund } from './messages.ts';

/** A decline of the simulator: its code, the reason that the customer is told, and what it tells the merchant to do. */
interface Decline extends Advised {
  readonly code: Declined['code'];
  readonly reason?: CardDeclineReason;
}

export const DECLINES: ReadonlyMap<string, Decline> = new Map<string, Decline>([
  ['card_declined', { code: 'CARD_DECLINED', ...ISSUER_DECLINE }],
  ['do_not_honor', { code: 'PAYMENT_DECLINED', ...ISSUER_DECLINE }],
  ['processing_error', { code: 'PAYMENT_DECLINED', advice: 'elsewhere' }],
  ['insufficient_funds', { code: 'INSUFFICIENT_FUNDS', advice: 'later' }],
  ['limit_exceeded', { code: 'LIMIT_EXCEEDED', advice: 'later' }],
  ['unsupported_pair', { code: 'UNSUPPORTED_CURRENCY_PAIR', advice: 'elsewhere' }],
  ['lost_card', { code: 'CARD_DECLINED', advice: 'never' }],
  ['incorrect_cvc', { code: 'CARD_DECLINED', advice: 'correct_data' }],
  ['expired_card', { code: 'CARD_DECLINED', reason: 'expired_card', advice: 'correct_data' }],
  ['authentication_required', { code: 'CARD_DECLINED', reason: 'authentication_failed', advice: 'authenticate' }],
  ['authentication_failed', { code: 'CARD_DECLINED', reason: 'authentication_failed', advice: 'authenticate' }],
]);

const UNKNOWN_DECLINE: Decline = { code: 'PAYMENT_DECLINED' };

const CODE_BY_FAILURE: ReadonlyMap<string, Failed['code']> = new Map([['fraud_suspected', 'FRAUD_DETECTED']]);

/** Translates a payment of the simulator. An unknown decline code becomes `PAYMENT_DECLINED`, without an advice. */
export function outcomeOf(payment: SimulatorPayment): InquiryOutcome {
  const providerPaymentId = payment.id;
  switch (payment.status) {
    case 'authorized':
      return { kind: 'approved', providerPaymentId, ...reportedMoney(payment), captured: false };
    case 'captured':
      return { kind: 'approved', providerPaymentId, ...reportedMoney(payment), captured: true, ...partOf(payment) };
    case 'declined':
      return declineOf(payment);
    case 'failed':
      return failureOf(payment);
    case 'requires_action':
      return { kind: 'requires_action', providerPaymentId, nextAction: payment.action };
    case 'pending':
      return { kind: 'pending', providerPaymentId };
    case 'voided':
      return notChargedOf(payment);
  }
}

function declineOf(payment: Extract<SimulatorPayment, { status: 'declined' }>): Declined {
  const { id: providerPaymentId, declineCode, networkCode, merchantAdviceCode } = payment;
  const { code, reason, ...advised } = DECLINES.get(declineCode) ?? UNKNOWN_DECLINE;
  return {
    kind: 'declined',
    providerPaymentId,
    code,
    ...(reason === undefined ? {} : { details: { reason } }),
    ...overruledBy(advised, [merchantAdviceOf(merchantAdviceCode)]),
    ...(networkCode === undefined ? {} : { networkCode }),
  };
}

/** The amount and currency that the simulator reports, which may differ from the request. */
function reportedMoney({ amount, currency }: SimulatorPayment | SimulatorRefund) {
  return { amountMinor: amount, currency };
}

function notChargedOf({ id, amountVoided, currency }: Extract<SimulatorPayment, { status: 'voided' }>): NotCharged {
  if (amountVoided === 0) return { kind: 'not_charged' };
  return { kind: 'not_charged', voided: { providerPaymentId: id, amountMinor: amountVoided, currency } };
}

/** The captured amount, where it is not the whole amount. */
function partOf({ amount, amountCaptured }: SimulatorPayment): { capturedMinor?: number } {
  return amountCaptured === amount ? {} : { capturedMinor: amountCaptured };
}

/** Translates the answer to a capture: captured, or nothing held any more; null for any other status. */
export function captureOutcomeOf(payment: SimulatorPayment): CaptureOutcome | null {
  if (payment.status === 'voided') return { kind: 'not_held' };
  if (payment.status !== 'captured') return null;
  const { id: providerPaymentId, amountCaptured: capturedMinor, currency } = payment;
  return { kind: 'captured', providerPaymentId, capturedMinor, currency };
}

/** Translates a refund of the simulator. */
export function refundOutcomeOf(refund: SimulatorRefund): Exclude<RefundInquiryOutcome, { kind: 'not_refunded' }> {
  const providerRefundId = refund.id;
  switch (refund.status) {
    case 'succeeded':
      return { kind: 'refunded', providerRefundId, ...reportedMoney(refund) };
    case 'pending':
      return { kind: 'pending', providerRefundId, ...reportedMoney(refund) };
    case 'failed': {
      const providerResponse = redactProviderResponse({ status: 'failed', failureReason: refund.failureReason });
      return { kind: 'refused', providerRefundId, details: { providerResponse } };
    }
  }
}

const LISTED_STATUSES: Readonly<Record<SimulatorListedPayment['status'], ListedPayment['status']>> = {
  authorized: 'held',
  captured: 'captured',
  declined: 'declined',
  failed: 'failed',
  requires_action: 'open',
  pending: 'open',
  voided: 'voided',
  unknown: 'open',
};

/** Translates a payment in the simulator's list. */
export function listedPaymentOf(payment: SimulatorListedPayment): ListedPayment {
  const { id, reference, amount, currency, amountCaptured, refunds, createdAt, updatedAt } = payment;
  return {
    attemptId: isId('attempt', reference) ? reference : null,
    providerPaymentId: id,
    status: LISTED_STATUSES[payment.status],
    amountMinor: amount,
    currency,
    capturedMinor: amountCaptured,
    refunds: refunds.map((refund) => ({
      refundId: isId('refund', refund.reference) || isId('strayCharge', refund.reference) ? refund.reference : null,
      providerRefundId: refund.id,
      amountMinor: refund.amount,
      currency: refund.currency,
      status: refund.status,
    })),
    createdAt,
    updatedAt,
  };
}

function failureOf(payment: Extract<SimulatorPayment, { status: 'failed' }>): Failed {
  const { id: providerPaymentId, failureReason, deposit } = payment;
  if (deposit !== undefined) {
    return { kind: 'failed', providerPaymentId, code: 'CRYPTO_DEPOSIT_FAILED', details: deposit };
  }
  const code = CODE_BY_FAILURE.get(failureReason) ?? 'TSP_PAYMENT_FAILED';
  if (code !== 'TSP_PAYMENT_FAILED') return { kind: 'failed', providerPaymentId, code, advice: 'never' };
  const providerResponse = redactProviderResponse({ status: 'failed', failureReason });
  return { kind: 'failed', providerPaymentId, code, details: { providerResponse } };
}

/** What an event says of a dispute. */
export function disputeReportOf(dispute: SimulatorDispute): DisputeReport {
  const { id: providerReference, step, stage, status: said, reason, amount: amountMinor } = dispute;
  const { currency, funds, respondBy, updatedAt: occurredAt } = dispute;
  const status = reportedMeaning('simulator dispute status', said, (text) =>
    DISPUTE_STATUSES.find((each) => each === text),
  );
  return {
    providerReference,
    providerEvent: `dispute.${step}`,
    stage: stage === UNKNOWN_VALUE ? null : stage,
    status: status.meaning,
    unknownStatus: status.unknown,
    reason: reason === UNKNOWN_VALUE ? 'general' : reason,
    networkReasonCode: null,
    amountMinor,
    currency,
    respondBy,
    isDefendable: true,
    funds,
    occurredAt,
  };
}
