import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow';
import { DATABASE_BEHIND_HISTORY, RUN_OUT_OF_DATE } from '../../domain/payment-step.ts';

/** The cause of an activity's failure. */
export function causeOf(error: unknown): unknown {
  return error instanceof ActivityFailure ? error.cause : error;
}

/** Whether an activity failed with that type. */
export function isFailureOf(error: unknown, type: string): boolean {
  const cause = causeOf(error);
  return cause instanceof ApplicationFailure && cause.type === type;
}

/** Whether an activity failed because the run is stale or the database is older than the history. */
export function isStepFailure(error: unknown): boolean {
  return isFailureOf(error, RUN_OUT_OF_DATE) || isFailureOf(error, DATABASE_BEHIND_HISTORY);
}

/** Whether an activity failed without retry: another try would fail in the same way. */
export function isFinalFailure(error: unknown): boolean {
  const cause = causeOf(error);
  return cause instanceof ApplicationFailure && cause.nonRetryable === true;
}
