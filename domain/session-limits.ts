import { MINUTE_MS } from './time.ts';

/** When the sessions of people end, however much they are used. */
export interface SessionLimits {
  /** From the sign-in. */
  readonly maximumMs: number;
  /** From the sign-in of the platform's staff. */
  readonly staffMaximumMs: number;
  /** From the last request of the platform's staff. */
  readonly staffIdleMs: number;
}

/** How often the last use of a session or a key is written at most. */
export const LAST_USE_EVERY_MS = MINUTE_MS;
