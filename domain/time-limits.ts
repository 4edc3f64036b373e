import { DAY_MS, MINUTE_MS, SECOND_MS } from './time.ts';

/** Transient failures at one provider: tried again after 1 s, 2 s, 4 s with the same key. */
export const TRY_BACKOFF = { initialIntervalMs: SECOND_MS, coefficient: 2, maximumTries: 4 } as const;

/**
 * A call to authorize or capture that takes longer counts as a failure of the provider's health, whatever comes of it: customers do
 * not wait for a provider that is slow, even if it answers in the end.
 */
export const SLOW_CALL_AFTER_MS = 5 * SECOND_MS;

/** Inquiries about an open outcome: repeated with growing pauses until there is a final one. */
export const INQUIRY_BACKOFF = {
  initialIntervalMs: 2 * SECOND_MS,
  coefficient: 2,
  maximumIntervalMs: 5 * MINUTE_MS,
} as const;

/** How long to wait for the provider's webhook before the first inquiry. */
export const FIRST_INQUIRY_AFTER_MS = 10 * SECOND_MS;

/** How long a cancel may not interrupt a capture; if the provider has not answered by then, a cancel may void the hold. */
export const CAPTURE_UNDISTURBED_MS = MINUTE_MS;

/** How long an attempt may take before its workflow reads the payment, so that support staff find it by its state. */
export const SHOWN_AFTER_MS = 5 * SECOND_MS;

/** Time in `processing` after which an intent counts as stuck. */
export const STUCK_AFTER_MS = 90 * SECOND_MS;

/** How long something may wait for a provider's answer before it gets an advisory, and support staff may end it by hand. */
export const WAITING_AFTER_MS = 3 * MINUTE_MS;

/** The same for a refund that the provider has accepted: banks take days. */
export const ACCEPTED_REFUND_WAITING_AFTER_MS = 5 * DAY_MS;

/** How long a hold is valid after its attempt began, where its provider does not say so: the shortest that card schemes give. */
export const AUTHORIZATION_VALID_MS = 7 * DAY_MS;
