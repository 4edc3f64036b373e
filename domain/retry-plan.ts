import { DAY_MS, MINUTE_MS, SECOND_MS } from './time.ts';

/** Transient failures at one provider: tried again after 1 s, 2 s, 4 s with the same key. */
export const TRY_BACKOFF = { initialIntervalMs: SECOND_MS, coefficient: 2, maximumTries: 4 } as const;

/** An open outcome is asked about again and again, ever more slowly, until it is known. */
export const INQUIRY_BACKOFF = {
  initialIntervalMs: 2 * SECOND_MS,
  coefficient: 2,
  maximumIntervalMs: 5 * MINUTE_MS,
} as const;

/** How long the provider's own event is waited for before the first inquiry. */
export const FIRST_INQUIRY_AFTER_MS = 10 * SECOND_MS;

/** So long a capture is left to itself; if its provider has not answered by then, a cancel may void the hold instead. */
export const CAPTURE_UNDISTURBED_MS = MINUTE_MS;

/** Stay in `processing` after which an intent counts as stuck. */
export const STUCK_AFTER_MS = 90 * SECOND_MS;

/** How long a provider holds an authorisation that nobody captures. */
export const AUTHORIZATION_VALID_MS = 7 * DAY_MS;
