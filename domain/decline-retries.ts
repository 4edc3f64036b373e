import type { Advised } from './decline-advice.ts';

/** Whether an account's confirms go on to another provider after a decline. */
export interface DeclineRetries {
  readonly enabled: boolean;
  /** How many further providers one confirm may ask after declines. */
  readonly maxRetries: number;
  /** Whether they also go on after a decline for which an issuer gives no reason. */
  readonly issuerDeclines: boolean;
}

export const MAXIMUM_DECLINE_RETRIES = 3;

/** How often a card was declined for one amount in one account, in the present day and 30 days, each from its first decline on. */
export interface CardDeclines {
  readonly day: number;
  readonly month: number;
}

/**
 * How often a declined card may be tried again, by the strictest of the schemes' published limits: Visa charges a fee for the 16th try in
 * 30 days, Mastercard for the 8th in a day in some countries.
 */
export const CARD_REATTEMPTS: CardDeclines = { day: 7, month: 15 };

/** The retries that one confirm has. */
export interface RetryAllowance extends Pick<DeclineRetries, 'issuerDeclines'> {
  readonly retries: number;
}

/** The retries of a confirm; null where it has none. @param declines null where the card is not counted: then nothing is retried */
export function retryAllowanceOf(
  { enabled, maxRetries, issuerDeclines }: DeclineRetries,
  declines: CardDeclines | null,
): RetryAllowance | null {
  if (!enabled || declines === null) return null;
  const left = Math.min(CARD_REATTEMPTS.day - declines.day, CARD_REATTEMPTS.month - declines.month);
  const retries = Math.min(maxRetries, left);
  return retries < 1 ? null : { retries, issuerDeclines };
}

/** Whether another provider may be asked after such a decline. */
export function maySucceedElsewhere(
  { advice, isIssuerDecline }: Advised,
  { issuerDeclines }: Pick<RetryAllowance, 'issuerDeclines'>,
): boolean {
  return advice === 'elsewhere' && (isIssuerDecline !== true || issuerDeclines);
}
