import { ActivityCancellationType, type ActivityOptions, type LocalActivityOptions } from '@temporalio/workflow';
import { AT_ONCE_TIMEOUT_MS, INQUIRY_BACKOFF, TRY_BACKOFF } from '../../domain/retry-plan.ts';

/** Database work runs beside the workflow task; it is repeated until the database answers. */
export const RECORD_OPTIONS = {
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '100 milliseconds', backoffCoefficient: 2, maximumInterval: '10 seconds' },
} satisfies LocalActivityOptions;

/** A worker that dies is noticed by its missing heartbeat, long before the call itself would time out. */
const PROVIDER_CALL = {
  startToCloseTimeout: '60 seconds',
  heartbeatTimeout: '10 seconds',
  cancellationType: ActivityCancellationType.TRY_CANCEL,
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

/** The first of the tries, beside the workflow task as database work is. */
export const FIRST_TRY_OPTIONS = {
  startToCloseTimeout: AT_ONCE_TIMEOUT_MS,
  retry: { maximumAttempts: 1 },
} satisfies LocalActivityOptions;

/** The tries after the first, which has been waited after already. */
export const FURTHER_TRIES_OPTIONS = {
  ...PROVIDER_CALL,
  retry: {
    initialInterval: TRY_BACKOFF.initialIntervalMs * TRY_BACKOFF.coefficient,
    backoffCoefficient: TRY_BACKOFF.coefficient,
    maximumAttempts: TRY_BACKOFF.maximumTries - 1,
  },
} satisfies ActivityOptions;

/** Asked for as long as it takes: an unknown outcome is never given up. */
export const INQUIRY_OPTIONS = {
  ...PROVIDER_CALL,
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
