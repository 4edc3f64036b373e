import type { WorkflowNotFoundError } from '@temporalio/client';
import { SECOND_MS } from '../../domain/time.ts';

/** How long a call may take that waits for nothing but Temporal. */
export const CALL_TIMEOUT_MS = 5 * SECOND_MS;

/** What became of something that was sent to a workflow. */
export type Delivery = 'delivered' | 'finished' | 'not_started';

/** Temporal did not answer; whether it acted is unknown. */
export class TemporalUnavailableError extends Error {
  override readonly name = 'TemporalUnavailableError';

  constructor(cause: unknown) {
    super('Temporal did not answer', { cause });
  }
}

/** The second is said, again and again, to an update that came while the workflow was ending. */
const ENDED_WORDS = /already completed|aborted by closing workflow/;

/** The server answers "not found" for both; only its words tell an ended workflow from one that never was. */
export function hasEnded(error: WorkflowNotFoundError): boolean {
  return ENDED_WORDS.test(error.message);
}
