import type { Declined, Failed, InquiryOutcome } from '../../domain/provider-outcome.ts';
import { redactProviderResponse } from '../../domain/redaction.ts';
import type { SimulatorPayment } from './messages.ts';

const CODE_BY_DECLINE: ReadonlyMap<string, Declined['code']> = new Map([
  ['card_declined', 'CARD_DECLINED'],
  ['insufficient_funds', 'INSUFFICIENT_FUNDS'],
  ['do_not_honor', 'PAYMENT_DECLINED'],
  ['limit_exceeded', 'LIMIT_EXCEEDED'],
]);

const CODE_BY_FAILURE: ReadonlyMap<string, Failed['code']> = new Map([['fraud_suspected', 'FRAUD_DETECTED']]);

/** What a payment at the simulator means to us. Declines with a code that is new to us are plain declines. */
export function outcomeOf(payment: SimulatorPayment): InquiryOutcome {
  const providerPaymentId = payment.id;
  switch (payment.status) {
    case 'authorized':
      return { kind: 'approved', providerPaymentId, captured: false };
    case 'captured':
      return { kind: 'approved', providerPaymentId, captured: true };
    case 'declined':
      return {
        kind: 'declined',
        providerPaymentId,
        code: CODE_BY_DECLINE.get(payment.declineCode) ?? 'PAYMENT_DECLINED',
      };
    case 'failed':
      return failureOf(providerPaymentId, payment.failureReason);
    case 'requires_action':
      return { kind: 'requires_action', providerPaymentId, nextAction: payment.action };
    case 'pending':
      return { kind: 'pending', providerPaymentId };
    case 'voided':
      return { kind: 'not_charged' };
  }
}

function failureOf(providerPaymentId: string, failureReason: string): Failed {
  const code = CODE_BY_FAILURE.get(failureReason) ?? 'TSP_PAYMENT_FAILED';
  if (code !== 'TSP_PAYMENT_FAILED') return { kind: 'failed', providerPaymentId, code };
  const providerResponse = redactProviderResponse({ status: 'failed', failureReason });
  return { kind: 'failed', providerPaymentId, code, details: { providerResponse } };
}
