import type { JsonObject } from './json.ts';
import { SECOND_MS } from './time.ts';

/**
 * What a decline tells the merchant to do. `never`: do not send this card again. `later`: the same card may be approved later.
 * `elsewhere`: the same card may be approved at another provider. `authenticate`: the customer has to be authenticated.
 * `correct_data`: the customer has to correct what was entered.
 */
export const DECLINE_ADVICE = ['never', 'later', 'elsewhere', 'authenticate', 'correct_data'] as const;
export type DeclineAdvice = (typeof DECLINE_ADVICE)[number];

/** What an adapter knows of a decline besides its code. All of it is absent where a code is in no table of the adapter. */
export interface Advised {
  readonly advice?: DeclineAdvice;
  /** The card network's own code of the decline, such as `05`; absent where the provider does not pass it on. */
  readonly networkCode?: string;
  /** After how many seconds the network allows the card again; absent where it does not say. */
  readonly retryAfterSeconds?: number;
  /**
   * Whether an issuer declined in general, without a technical reason: it is asked again through another provider only where the
   * merchant account allows that.
   */
  readonly isIssuerDecline?: true;
}

/** What of it belongs to an attempt. */
export type AttemptAdvice = Pick<Advised, 'advice' | 'networkCode'>;

/** The part of an attempt that its decline says. */
export function attemptAdviceOf({ advice, networkCode }: Advised): AttemptAdvice {
  return { ...(advice === undefined ? {} : { advice }), ...(networkCode === undefined ? {} : { networkCode }) };
}

/** The same as the details of an error. @param now ISO 8601 UTC */
export function adviceDetailsOf(advised: Advised, now: string): JsonObject {
  const { retryAfterSeconds } = advised;
  const retryAfter =
    retryAfterSeconds === undefined
      ? {}
      : { retryAfter: new Date(Date.parse(now) + retryAfterSeconds * SECOND_MS).toISOString() };
  return { ...attemptAdviceOf(advised), ...retryAfter };
}
