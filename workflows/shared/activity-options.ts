import { ActivityCancellationType, type ActivityOptions, type LocalActivityOptions } from '@temporalio/workflow';
import { INQUIRY_BACKOFF, TRY_BACKOFF } from '../../domain/time-limits.ts';

/** Writes are retried until the database answers. */
export const DATABASE_OPTIONS = {
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '100 milliseconds', backoffCoefficient: 2, maximumInterval: '10 seconds' },
} satisfies ActivityOptions & LocalActivityOptions;

/**
 * Reads are local activities: if the workflow task is retried they run again, which has no effect. They are tried for 13 s, because
 * local activities run one at a time and keep the workflow task open, which adds to the history all that while. What has to be read
 * is read again after a timer (`readUntilAnswered`). A limit of time alone would not do: the timeout of a local activity is lost
 * where it comes between two tries.
 */
export const READ_OPTIONS = {
  ...DATABASE_OPTIONS,
  retry: { ...DATABASE_OPTIONS.retry, maximumAttempts: 8 },
} satisfies LocalActivityOptions;

/**
 * The heartbeat shows that a worker died long before the call itself would time out. A cancellation waits until the call has
 * ended, so that no other call to the provider is made meanwhile.
 */
const PROVIDER_CALL = {
  startToCloseTimeout: '60 seconds',
  heartbeatTimeout: '10 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
} satisfies ActivityOptions;

/** Tried at once and after 1 s, 2 s, 4 s; then the outcome counts as unknown. */
export const TRY_OPTIONS = {
  ...PROVIDER_CALL,
  retry: {
    initialInterval: TRY_BACKOFF.initialIntervalMs,
    backoffCoefficient: TRY_BACKOFF.coefficient,
    maximumAttempts: TRY_BACKOFF.maximumTries,
  },
} satisfies ActivityOptions;

/** Tried at once, after 1 s, 2 s, 4 s and ever more slowly, for as long as it takes. */
export const CALL_UNTIL_ANSWERED_OPTIONS = {
  ...PROVIDER_CALL,
  retry: {
    initialInterval: TRY_BACKOFF.initialIntervalMs,
    backoffCoefficient: TRY_BACKOFF.coefficient,
    maximumInterval: INQUIRY_BACKOFF.maximumIntervalMs,
  },
} satisfies ActivityOptions;

/** Inquiries are retried without limit: an unknown outcome is never given up. A cancellation does not wait for them. */
export const INQUIRY_OPTIONS = {
  ...PROVIDER_CALL,
  cancellationType: ActivityCancellationType.TRY_CANCEL,
  retry: {
    initialInterval: INQUIRY_BACKOFF.initialIntervalMs,
    backoffCoefficient: INQUIRY_BACKOFF.coefficient,
    maximumInterval: INQUIRY_BACKOFF.maximumIntervalMs,
  },
} satisfies ActivityOptions;

/** An inquiry for somebody who waits for the answer: tried once. */
export const SINGLE_INQUIRY_OPTIONS = { ...INQUIRY_OPTIONS, retry: { maximumAttempts: 1 } } satisfies ActivityOptions;

/** A page of a provider's list is retried until it is read or the run is given up; the next run covers its payments too. */
export const LISTING_OPTIONS = {
  ...INQUIRY_OPTIONS,
  scheduleToCloseTimeout: '1 hour',
} satisfies ActivityOptions;

/** A failed webhook attempt is a result. Only attempts that could not be made are retried, without limit. */
export const WEBHOOK_OPTIONS = {
  startToCloseTimeout: '60 seconds',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
} satisfies ActivityOptions;
