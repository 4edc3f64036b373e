import { ActivityCancellationType, type ActivityOptions, type LocalActivityOptions } from '@temporalio/workflow';
import { INQUIRY_BACKOFF, TRY_BACKOFF } from '../../domain/retry-plan.ts';

/** Reads run beside the workflow task: if it is made again they are made again, and nothing has happened. */
export const READ_OPTIONS = {
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '100 milliseconds', backoffCoefficient: 2, maximumInterval: '10 seconds' },
} satisfies LocalActivityOptions;

/** What is written is repeated until the database answers. */
export const RECORD_OPTIONS = {
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '100 milliseconds', backoffCoefficient: 2, maximumInterval: '10 seconds' },
} satisfies ActivityOptions;

/**
 * A worker that dies is noticed by its missing heartbeat, long before the call itself would time out. Whoever cancels a
 * call waits until it has ended: nothing else is asked of the provider meanwhile.
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

/** Asked for as long as it takes: an unknown outcome is never given up. A question that is canceled need not be waited for. */
export const INQUIRY_OPTIONS = {
  ...PROVIDER_CALL,
  cancellationType: ActivityCancellationType.TRY_CANCEL,
  retry: {
    initialInterval: INQUIRY_BACKOFF.initialIntervalMs,
    backoffCoefficient: INQUIRY_BACKOFF.coefficient,
    maximumInterval: INQUIRY_BACKOFF.maximumIntervalMs,
  },
} satisfies ActivityOptions;

/** A failed attempt is a result; what is retried here are attempts that could not be made, for as long as it takes. */
export const WEBHOOK_OPTIONS = {
  startToCloseTimeout: '60 seconds',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
} satisfies ActivityOptions;
