import { withJitter } from './backoff.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './time.ts';

/**
 * Pauses after the first, second … failed attempt of a delivery; the attempt after the last pause is the last one. A redelivery
 * has as many attempts of its own.
 */
const RETRY_PAUSES_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

const WEBHOOK_JITTER = 0.1;

/** How long to wait for an endpoint's response. */
export const WEBHOOK_TIMEOUT_MS = 15 * SECOND_MS;

/** Failed attempts without a success between them after which an endpoint counts as failing. */
export const FAILURES_UNTIL_FAILING = 5;

/**
 * Pauses before the first, second … probe of a failing endpoint; all further ones are as long as the last. They are shorter than the
 * pauses of a delivery, because a probe costs the same however many deliveries wait.
 */
export const PROBE_PAUSES_MS: readonly number[] = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  5 * MINUTE_MS,
  10 * MINUTE_MS,
  20 * MINUTE_MS,
  30 * MINUTE_MS,
];

/** An endpoint at which every attempt has failed for this long is disabled. */
export const DISABLE_AFTER_FAILING_MS = 5 * DAY_MS;

/** Failed attempts after which a delivery no longer blocks the payment's later events. */
export const ATTEMPTS_THAT_BLOCK = 3;

/**
 * The pause after an attempt that failed, in milliseconds, or null when it was the last one.
 * @param attemptNumber from 1
 * @param random from 0 to 1
 */
export function webhookRetryPauseMs(attemptNumber: number, random: number): number | null {
  const pauseMs = RETRY_PAUSES_MS[attemptNumber - 1];
  return pauseMs === undefined ? null : withJitter(pauseMs, WEBHOOK_JITTER, random);
}

export const WEBHOOK_ENDPOINT_STATUSES = ['enabled', 'disabled'] as const;

export const WEBHOOK_DISABLED_REASONS = ['by_merchant', 'gone', 'failing'] as const;

export const WEBHOOK_DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'canceled'] as const;

export type WebhookDeliveryStatus = (typeof WEBHOOK_DELIVERY_STATUSES)[number];

/** Why a delivery ended before its attempts were used up. */
export const WEBHOOK_CANCELLATION_REASONS = ['endpoint_deleted', 'endpoint_disabled', 'event_not_kept'] as const;

export type WebhookCancellationReason = (typeof WEBHOOK_CANCELLATION_REASONS)[number];

/** Why an attempt failed. */
export const WEBHOOK_ERRORS = [
  'timeout',
  'connection_refused',
  'connection_lost',
  'host_not_found',
  'address_not_allowed',
  'certificate_not_valid',
  'status_not_2xx',
] as const;

export type WebhookError = (typeof WEBHOOK_ERRORS)[number];

/** The result of one request. */
export interface WebhookReply {
  /** Null when there was no answer. */
  readonly statusCode: number | null;
  /** Null when the event was delivered. */
  readonly error: WebhookError | null;
  /** The beginning of the body; null when there was no answer. */
  readonly responseBody: string | null;
}

/** A short description of a reply: `status 500`, `timeout`. */
export function describeReply({ statusCode, error }: Pick<WebhookReply, 'statusCode' | 'error'>): string {
  return statusCode === null ? (error ?? 'no answer').replaceAll('_', ' ') : `status ${statusCode}`;
}
