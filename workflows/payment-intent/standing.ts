import type { Attempt } from '../../domain/payment.ts';
import type { FinalOutcome, InquiryOutcome } from '../../domain/provider-outcome.ts';
import type { Doubt } from '../shared/doubt.ts';
import type { PaymentContext } from './context.ts';

/** What is known of an attempt. */
export interface Standing<Outcome extends InquiryOutcome = InquiryOutcome> {
  readonly attempt: Attempt;
  readonly outcome: Outcome;
  readonly doubt: Doubt | null;
}

/** The attempt with the provider's id of it, once that is known. */
export function withPaymentId(attempt: Attempt, outcome: InquiryOutcome): Attempt {
  const providerPaymentId = outcome.kind === 'not_charged' ? null : outcome.providerPaymentId;
  return { ...attempt, providerPaymentId: providerPaymentId ?? attempt.providerPaymentId };
}

/** What the provider reported of an attempt by itself; null when it was something else that interrupted. */
export function reported({ requests }: PaymentContext, attempt: Attempt): Standing<FinalOutcome> | null {
  const outcome = requests.finalOutcomeOf(attempt.id);
  return outcome === null ? null : { attempt: withPaymentId(attempt, outcome), outcome, doubt: null };
}
