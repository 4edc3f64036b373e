import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow';

/** What made an activity fail. A local activity's failure arrives as it is or wrapped, by the version of the SDK. */
export function causeOf(error: unknown): unknown {
  return error instanceof ActivityFailure ? error.cause : error;
}

/** Whether an activity failed with that type. */
export function isFailureOf(error: unknown, type: string): boolean {
  const cause = causeOf(error);
  return cause instanceof ApplicationFailure && cause.type === type;
}

/** Whether the failure of an activity says that no further try is of use. */
export function isFinalFailure(error: unknown): boolean {
  const cause = causeOf(error);
  return cause instanceof ApplicationFailure && cause.nonRetryable === true;
}
