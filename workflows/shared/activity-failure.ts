import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow';
import { DATABASE_BEHIND_HISTORY, RUN_OUT_OF_DATE } from '../../domain/payment-step.ts';

/** What made an activity fail. */
export function causeOf(error: unknown): unknown {
  return error instanceof ActivityFailure ? error.cause : error;
}

/** Whether an activity failed with that type. */
export function isFailureOf(error: unknown, type: string): boolean {
  const cause = causeOf(error);
  return cause instanceof ApplicationFailure && cause.type === type;
}

/** Whether an activity found the payment's rows to be something else than the workflow knows. */
export function isStepFailure(error: unknown): boolean {
  return isFailureOf(error, RUN_OUT_OF_DATE) || isFailureOf(error, DATABASE_BEHIND_HISTORY);
}
