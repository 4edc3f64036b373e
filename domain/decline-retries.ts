import type { Advised } from './decline-advice.ts';
import type { JsonObject } from './json.ts';
import type { Attempt } from './payment.ts';

/** Whether an account's confirms go on to another provider after a decline. */
export interface DeclineRetries {
  readonly enabled: boolean;
  /** How many further providers one confirm may ask after declines. */
  readonly maxRetries: number;
  /** Whether they also go on after a decline for which an issuer gives no reason. */
  readonly issuerDeclines: boolean;
}

export const MAXIMUM_DECLINE_RETRIES = 3;

/** How a confirm goes on after a decline: at another provider, or at the same one with 3-D Secure. */
export type DeclineRetry = 'elsewhere' | 'authenticated';

/** How often a card was declined for one amount in one account within a period, which begins with the first decline. */
interface CountedDeclines {
  readonly count: number;
  /** When the period ends, ISO 8601 UTC; null where nothing was declined in it. */
  readonly until: string | null;
}

/** The periods in which the schemes count. */
const CARD_PERIODS = ['month', 'day'] as const;
export type CardPeriod = (typeof CARD_PERIODS)[number];
export type CardDeclines = Readonly<Record<CardPeriod, CountedDeclines>>;

/** What is known of a card from its declines in an account. */
export interface CountedCard extends CardDeclines {
  /** Whether a decline of the last 30 days had the advice `never`, whatever the amount. */
  readonly isDeclinedForGood: boolean;
}

/**
 * How often a card may be sent for one amount, by the strictest of the schemes' published limits: Visa charges a fee beyond 15 times
 * in 30 days, Mastercard beyond 7 in a day in some countries.
 */
export const CARD_TRIES: Readonly<Record<CardPeriod, number>> = { day: 7, month: 15 };

/** A limit of the schemes that a card has reached: it may not be sent again before the period ends. */
export interface ReachedLimit extends CountedDeclines {
  readonly period: CardPeriod;
}

/**
 * The limit that a card has reached, that of the longer period first; null where it may be sent again.
 * @param further declines that are not counted yet
 */
export function reachedLimitOf(declines: CardDeclines, further = 0): ReachedLimit | null {
  const period = CARD_PERIODS.find((each) => declines[each].count + further >= CARD_TRIES[each]);
  if (period === undefined) return null;
  const { count, until } = declines[period];
  return { period, count: count + further, until };
}

const PERIOD_WORDS: Readonly<Record<CardPeriod, string>> = { day: '24 hours', month: '30 days' };

/** Why the card is not sent again, completing "The card". */
export function describeLimit({ period, count }: Pick<ReachedLimit, 'period' | 'count'>): string {
  return `was declined ${count} times for this amount within ${PERIOD_WORDS[period]}, and the card schemes allow no more`;
}

/** The limit as the details of an error or of a timeline entry. */
export function limitDetailsOf({ until }: Pick<ReachedLimit, 'until'>): JsonObject {
  return { reason: 'scheme_retry_limit', ...(until === null ? {} : { retryAfter: until }) };
}

/** What may follow declines of a confirm's card. */
export interface CardRetries {
  /** Retries at other providers; null where the account has none. */
  readonly elsewhere: Pick<DeclineRetries, 'maxRetries' | 'issuerDeclines'> | null;
  /** As counted when the plan was made. */
  readonly declines: CardDeclines;
}

/** @param declines null where the card is not counted: then nothing is retried */
export function cardRetriesOf(
  { enabled, maxRetries, issuerDeclines }: DeclineRetries,
  declines: CardDeclines | null,
): CardRetries | null {
  if (declines === null) return null;
  const { day, month } = declines;
  return { elsewhere: enabled && maxRetries > 0 ? { maxRetries, issuerDeclines } : null, declines: { day, month } };
}

/** The retries after a decline of one attempt, as its activity gets them. */
export interface AllowedRetries {
  /** Which declines may be followed by an attempt at another provider; null for none. */
  readonly elsewhere: Pick<DeclineRetries, 'issuerDeclines'> | null;
  /** Whether an issuer's demand for authentication may be followed by one more attempt. */
  readonly authenticated: boolean;
}

/**
 * How the payment may be tried again after a decline; null where it may not.
 * @param canAuthenticate whether the provider can be asked to authenticate the customer
 */
export function retryAfterDecline(
  declined: Advised,
  { elsewhere, authenticated }: AllowedRetries,
  canAuthenticate: boolean,
): DeclineRetry | null {
  if (elsewhere !== null && maySucceedElsewhere(declined, elsewhere)) return 'elsewhere';
  return authenticated && canAuthenticate && declined.advice === 'authenticate' ? 'authenticated' : null;
}

/** Whether another provider may be asked after such a decline. */
function maySucceedElsewhere(
  { advice, isIssuerDecline }: Advised,
  { issuerDeclines }: Pick<DeclineRetries, 'issuerDeclines'>,
): boolean {
  return advice === 'elsewhere' && (isIssuerDecline !== true || issuerDeclines);
}

/**
 * Whether an attempt has to ask for 3-D Secure: it follows one of the same confirm at the same provider, which the card's issuer
 * declined for want of authentication.
 * @param attempts those of the payment, as they are recorded
 */
export function mustAuthenticate(
  attempts: readonly Attempt[],
  { number, provider, operationId }: Pick<Attempt, 'number' | 'provider' | 'operationId'>,
): boolean {
  const before = attempts.find((each) => each.number === number - 1);
  if (before === undefined || operationId === null) return false;
  return before.advice === 'authenticate' && before.provider === provider && before.operationId === operationId;
}

/** How the confirm of an attempt has come to it: null where it is no retry after a decline. @param attempts those of the payment */
export function retryThatMade(attempts: readonly Attempt[], attempt: Attempt): DeclineRetry | null {
  if (mustAuthenticate(attempts, attempt)) return 'authenticated';
  const { number, operationId } = attempt;
  const isRetry = attempts.some(
    (each) => each.number < number && each.outcome === 'declined' && each.operationId === operationId,
  );
  return isRetry ? 'elsewhere' : null;
}
