import { ActivityFailure, ApplicationFailure, TemporalFailure, TimeoutFailure } from '@temporalio/workflow';
import { ERROR_CATALOGUE } from '../../domain/error-catalogue.ts';
import type { OutageCode } from '../../domain/provider-outcome.ts';
import { TRY_BACKOFF } from '../../domain/time-limits.ts';
import type { UnknownOutcome } from '../../domain/unknown-outcome.ts';
import { causeOf, isFailureOf } from './activity-failure.ts';

/** Translates the failure of an activity to an unknown outcome. @throws the error itself where it is no Temporal failure */
export function unknownOutcomeOf(error: unknown): UnknownOutcome {
  if (!(error instanceof TemporalFailure)) throw error;
  const cause = causeOf(error);
  if (cause instanceof TimeoutFailure) return { kind: 'outage', code: 'TSP_TIMEOUT' };
  if (cause instanceof ApplicationFailure && isOutageCode(cause.type)) return { kind: 'outage', code: cause.type };
  if (isFailureOf(error, 'AMOUNT_DIFFERS')) {
    return { kind: 'amount_differs', providerResponse: { reason: 'it reports another amount than was requested' } };
  }
  return { kind: 'not_sent' };
}

/** How often the provider was called before the activity failed for good. */
export function triesOf(error: unknown): number {
  const usedUp = error instanceof ActivityFailure && error.retryState === 'MAXIMUM_ATTEMPTS_REACHED';
  return usedUp ? TRY_BACKOFF.maximumTries : 1;
}

function isOutageCode(type: string | undefined | null): type is OutageCode {
  return type !== null && type !== undefined && type in ERROR_CATALOGUE && type.startsWith('TSP_');
}
