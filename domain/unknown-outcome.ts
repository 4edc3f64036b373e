import type { JsonObject } from './json.ts';
import type { OutageCode } from './provider-outcome.ts';

/** Why the outcome of a call was unknown, so that an inquiry was needed. */
export type UnknownOutcome =
  | { readonly kind: 'outage'; readonly code: OutageCode }
  /** The provider refused who called it, and no earlier call of the attempt had been made. */
  | { readonly kind: 'credentials_refused' }
  | { readonly kind: 'unrecognised' | 'amount_differs'; readonly providerResponse: JsonObject }
  /** The call could not be made: the payment method is gone, or a bug. */
  | { readonly kind: 'not_sent' }
  /** The workflow run that made the call ended before the answer came. */
  | { readonly kind: 'restarted' };

/** What a provider reported whose amount is not the requested one, as the timeline says it. */
export const ANOTHER_AMOUNT = 'another amount or currency than was asked for';

/** The text that follows the word `after` in the timeline. */
export const UNKNOWN_OUTCOME_DESCRIPTIONS: Readonly<Record<UnknownOutcome['kind'], string>> = {
  outage: 'giving no answer',
  credentials_refused: 'refusing the credentials',
  unrecognised: 'an answer of unknown shape',
  amount_differs: `reporting ${ANOTHER_AMOUNT}`,
  not_sent: 'a call that could not be made',
  restarted: 'the end of the workflow that had asked',
};
