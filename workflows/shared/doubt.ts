import { ActivityFailure, ApplicationFailure, TemporalFailure, TimeoutFailure } from '@temporalio/workflow';
import { ERROR_CATALOGUE } from '../../domain/error-catalogue.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { OutageCode } from '../../domain/provider-outcome.ts';
import { TRY_BACKOFF } from '../../domain/retry-plan.ts';
import { causeOf } from './activity-failure.ts';

/** Why a provider has to be asked what became of a call: no answer came, or none that is known. */
export type Doubt =
  | { readonly kind: 'outage'; readonly code: OutageCode }
  | { readonly kind: 'unrecognised'; readonly providerResponse: JsonObject }
  | { readonly kind: 'unreadable' }
  /** The workflow that had asked ended before there was an answer. */
  | { readonly kind: 'restarted' };

/** Each doubt in words for people: `after …`. */
export const DOUBT_WORDS: Readonly<Record<Doubt['kind'], string>> = {
  outage: 'giving no answer',
  unrecognised: 'an answer of unknown shape',
  unreadable: 'a call that could not be made',
  restarted: 'the end of the workflow that had asked',
};

/** The failure of an activity's last try, as a doubt about the outcome. Throws what is no activity's failure. */
export function doubtOf(error: unknown): Doubt {
  if (!(error instanceof TemporalFailure)) throw error;
  const cause = causeOf(error);
  if (cause instanceof TimeoutFailure) return { kind: 'outage', code: 'TSP_TIMEOUT' };
  if (cause instanceof ApplicationFailure && isOutageCode(cause.type)) return { kind: 'outage', code: cause.type };
  return { kind: 'unreadable' };
}

/** How often the provider was called before the activity failed for good. */
export function triesOf(error: unknown): number {
  const usedUp = error instanceof ActivityFailure && error.retryState === 'MAXIMUM_ATTEMPTS_REACHED';
  return usedUp ? TRY_BACKOFF.maximumTries : 1;
}

function isOutageCode(type: string | undefined | null): type is OutageCode {
  return type !== null && type !== undefined && type in ERROR_CATALOGUE && type.startsWith('TSP_');
}
