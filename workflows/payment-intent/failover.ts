import { describeEnd, endAttempt, providerHealthOf, type AttemptEnd } from '../../domain/payment-resolution.ts';
import type { PaymentStep } from '../../domain/payment-step.ts';
import { now } from '../shared/clock.ts';
import type { PaymentContext } from './context.ts';

/** The part of an intention that explains why the attempt is made. */
export type AttemptReason = Pick<PaymentStep, 'attempts' | 'timeline' | 'providerHealth'>;

/**
 * Whether the payment goes on to the next route. Only after an outage, once the provider has confirmed that nothing was
 * charged, and as long as the budget allows another attempt.
 */
export function mayFailOver(
  { input, requests }: PaymentContext,
  { attempt, outcome, unknown, calledOff }: AttemptEnd,
): boolean {
  return (
    outcome.kind === 'not_charged' &&
    unknown?.kind === 'outage' &&
    calledOff === null &&
    requests.cancellation === null &&
    attempt.number < input.attemptBudget
  );
}

/** Records the end of the previous attempt as the reason for the next one. */
export function failoverReason(previous: AttemptEnd): AttemptReason {
  return {
    attempts: [endAttempt(previous, now())],
    providerHealth: providerHealthOf(previous),
    timeline: [
      { kind: 'attempt', summary: describeEnd(previous) },
      {
        kind: 'decision',
        summary: `${previous.attempt.provider} charged nothing and never will: on to the next route`,
      },
    ],
  };
}
