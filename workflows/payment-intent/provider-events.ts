import { log } from '@temporalio/workflow';
import {
  agreesWithRequest,
  type FinalOutcome,
  type InquiryOutcome,
  type ProviderEvent,
} from '../../domain/provider-outcome.ts';
import type { Attempt } from '../../domain/payment.ts';
import { records } from './activity-proxies.ts';
import type { PaymentContext } from './context.ts';

/**
 * Keeps what a provider reported by itself. A charge for an attempt that has ended without one is noted as a stray charge.
 * A report of another amount than was asked for is dropped: the provider is asked instead.
 */
export async function noteProviderEvent(context: PaymentContext, event: ProviderEvent): Promise<void> {
  const { requests, recorder, input } = context;
  const { attemptId, outcome } = event;
  const attempt = recorder.payment.attempts.find(({ id }) => id === attemptId);
  if (attempt !== undefined && (attempt.provider !== event.provider || !isAsAsked(context, attempt, outcome))) return;
  requests.keepProviderEvent(event);
  const isStray = outcome.kind === 'approved' && attempt !== undefined && hasEndedUncharged(attempt);
  if (isStray) await records.noteStrayCharge({ attemptId, paymentIntentId: input.paymentIntentId });
}

/** The end of an attempt as its provider has reported it by itself; null while it has not, or reports another amount. */
export function reportedOutcome(context: PaymentContext, attempt: Attempt): FinalOutcome | null {
  const outcome = context.requests.finalOutcomeOf(attempt);
  if (outcome === null || isAsAsked(context, attempt, outcome)) return outcome;
  context.requests.forgetFinalOutcome(attempt);
  return null;
}

function isAsAsked({ recorder }: PaymentContext, attempt: Attempt, outcome: InquiryOutcome): boolean {
  if (outcome.kind !== 'approved') return true;
  const { amountMinor, currency } = attempt;
  const { captureMethod } = recorder.payment.terms;
  if (agreesWithRequest(outcome, { amountMinor, currency, captureMethod })) return true;
  log.error('a provider reports another amount than was asked for', { attemptId: attempt.id, alert: 'AMOUNT_DIFFERS' });
  return false;
}

function hasEndedUncharged({ outcome }: Attempt): boolean {
  return outcome !== null && outcome !== 'approved';
}
