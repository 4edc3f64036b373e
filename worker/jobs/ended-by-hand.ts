import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import type { Database } from '../../prisma/connection/client.ts';
import type { WorkflowStates } from '../../workflow-client/workflow-states.ts';
import { makeRowsDue } from './make-rows-due.ts';

export interface EndedByHandDependencies {
  readonly database: Database;
  readonly states: Pick<WorkflowStates, 'endedByHand'>;
}

/** More at once are found by the sweepers, at the next check of each row. */
const ENDED_BY_HAND_PAGE_SIZE = 200;
/** A leader looks back as far as that at its first look, and as far as Temporal's list lags behind at each other one. */
const FIRST_LOOK_BACK_MS = 10 * MINUTE_MS;
const LIST_LAGS_MS = 30 * SECOND_MS;

/**
 * Creates the job that has the sweepers check what somebody has terminated: a payment under way goes on at once, and for one that
 * has ended, whose workflow was reset and then terminated, another run ends as its row says. Nobody else would look at that one
 * again.
 * @param now milliseconds since the epoch
 */
export function createEndedByHandJob(
  { database, states }: EndedByHandDependencies,
  now: () => number = Date.now,
): () => Promise<'done'> {
  let fromMs = now() - FIRST_LOOK_BACK_MS;
  return async () => {
    const nextFromMs = now() - LIST_LAGS_MS;
    await makeRowsDue(database, await states.endedByHand(new Date(fromMs), ENDED_BY_HAND_PAGE_SIZE));
    fromMs = nextFromMs;
    return 'done';
  };
}
