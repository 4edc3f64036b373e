import type { JsonObject } from './json.ts';
import type { OutageCode } from './provider-outcome.ts';

/** Why the outcome of a call was not known, so that the provider had to be asked what became of it. */
export type UnknownOutcome =
  | { readonly kind: 'outage'; readonly code: OutageCode }
  | { readonly kind: 'unrecognised'; readonly providerResponse: JsonObject }
  /** The call could not be made: the payment method is gone, or a bug. */
  | { readonly kind: 'not_sent' }
  /** The workflow that had asked ended before there was an answer. */
  | { readonly kind: 'restarted' };

/** Each in words for people: `after …`. */
export const UNKNOWN_OUTCOME_WORDS: Readonly<Record<UnknownOutcome['kind'], string>> = {
  outage: 'giving no answer',
  unrecognised: 'an answer of unknown shape',
  not_sent: 'a call that could not be made',
  restarted: 'the end of the workflow that had asked',
};
