import type { DeclineRetry } from '../../domain/decline-retries.ts';
import type { JsonObject } from '../../domain/json.ts';
import { describeEnd, endAttempt, providerHealthOf, type AttemptEnd } from '../../domain/payment-resolution.ts';
import { usedAttempts } from '../../domain/payment.ts';
import type { PaymentStep, TimelineEntry } from '../../domain/payment-step.ts';
import { now } from '../shared/clock.ts';
import type { PaymentContext } from './context.ts';

/** The part of an intention that explains why the attempt is made. */
export type AttemptReason = Pick<PaymentStep, 'attempts' | 'timeline' | 'providerHealth'>;

/**
 * Whether the payment goes on to the next route, as long as the budget allows another attempt: after an outage, once the provider
 * has confirmed that nothing was charged, after a provider has refused the credentials, after one has refused the currency, and after
 * a decline that another provider may decide on, or that asks for authentication. Not once the confirm is answered: the customer was
 * asked to act, and may have left.
 */
export function mayFailOver({ input, requests, recorder }: PaymentContext, end: AttemptEnd): boolean {
  const { attempt, calledOff } = end;
  const isAnswered = requests.confirm?.operationId !== attempt.operationId;
  const isLeft = usedAttempts(recorder.payment.attempts, attempt) < input.attemptBudget;
  const mayGoOn = calledOff === null && requests.cancellation === null && isLeft;
  return mayGoOn && !isAnswered && isOfProvider(end);
}

/** Whether another provider may take the payment as it is. */
function isOfProvider({ outcome, unknown, retry }: AttemptEnd): boolean {
  if (outcome.kind === 'declined') {
    if (retry !== undefined) return true;
    return outcome.code === 'UNSUPPORTED_CURRENCY_PAIR' && outcome.advice !== 'never';
  }
  const isUnavailable = unknown?.kind === 'outage' || unknown?.kind === 'credentials_refused';
  return outcome.kind === 'not_charged' && isUnavailable;
}

/**
 * Records the ends of the attempts before as the reason for the next one; null where there are none.
 * @param unrecorded oldest first: more than one where an attempt could not be opened
 * @param details the route decision
 */
export function failoverReason(unrecorded: readonly AttemptEnd[], details: JsonObject): AttemptReason | null {
  const [first, ...others] = unrecorded;
  if (first === undefined) return null;
  const last = others.at(-1) ?? first;
  const health = unrecorded.flatMap(providerHealthOf).map((each) => [each.provider, each] as const);
  return {
    attempts: unrecorded.map((end) => endAttempt(end, now())),
    // A statement writes the health of a provider once.
    providerHealth: [...new Map(health).values()],
    timeline: [
      attemptEntry(first),
      ...others.map(attemptEntry),
      {
        kind: 'decision',
        summary: `${last.attempt.provider} ${describeNext(last)}`,
        details,
      },
    ],
  };
}

function attemptEntry(end: AttemptEnd): TimelineEntry {
  return { kind: 'attempt', summary: describeEnd(end) };
}

const NEXT_AFTER_DECLINE: Readonly<Record<DeclineRetry, string>> = {
  elsewhere: 'declined the payment, which another provider may approve: on to another provider',
  authenticated: 'declined the payment for want of authentication: once more, with 3-D Secure',
};

function describeNext({ retry }: AttemptEnd): string {
  return retry === undefined ? 'charged nothing and never will: on to the next route' : NEXT_AFTER_DECLINE[retry];
}
