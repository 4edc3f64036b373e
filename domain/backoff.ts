export interface BackoffLimits {
  readonly shortestMs: number;
  readonly longestMs: number;
}

/** The pause after the n-th failure in a row (n from 1): twice as long each time, between the limits. */
export function backoffMs(failures: number, { shortestMs, longestMs }: BackoffLimits): number {
  return Math.min(longestMs, shortestMs * 2 ** (failures - 1));
}

/**
 * A pause that is shortened or extended at random by up to a share of it, so that work that failed at the same time is not
 * retried at the same time.
 * @param random from 0 to 1
 */
export function withJitter(pauseMs: number, share: number, random: number): number {
  return Math.round(pauseMs * (1 + share * (2 * random - 1)));
}

/** Whether the n-th failure in a row is logged: the 1st, 2nd, 4th, 8th … */
export function isLoggedFailure(failures: number): boolean {
  return Number.isInteger(Math.log2(failures));
}
