import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import { SECOND_MS } from '../domain/time.ts';

/** Timeout of calls that wait for Temporal only, not for a workflow. */
export const CALL_TIMEOUT_MS = 5 * SECOND_MS;

/** Whether a signal reached its workflow. */
export type SignalResult = 'delivered' | 'finished' | 'not_started';

/** Temporal did not answer; whether it acted is unknown. */
export class TemporalUnavailableError extends Error {
  override readonly name = 'TemporalUnavailableError';

  constructor(cause: unknown) {
    super('Temporal did not answer', { cause });
  }
}

/**
 * Makes a call that waits for Temporal only, within a time.
 * @throws WorkflowNotFoundError and WorkflowExecutionAlreadyStartedError as Temporal answers them
 * @throws TemporalUnavailableError for any other failure
 */
export async function callTemporal<Result>(
  client: Client,
  call: () => Promise<Result>,
  timeoutMs = CALL_TIMEOUT_MS,
): Promise<Result> {
  try {
    return await client.withDeadline(Date.now() + timeoutMs, call);
  } catch (error) {
    if (error instanceof WorkflowNotFoundError || error instanceof WorkflowExecutionAlreadyStartedError) throw error;
    throw new TemporalUnavailableError(error);
  }
}

/** Temporal's messages about an ended workflow; it repeats the second one to an update that came while the workflow ended. */
const ENDED_MESSAGE = /already completed|aborted by closing workflow/;

/** Whether the workflow has ended. Temporal answers "not found" for a workflow that never existed too; only the message differs. */
export function hasEnded(error: WorkflowNotFoundError): boolean {
  return ENDED_MESSAGE.test(error.message);
}
