import type { Logger } from 'pino';
import { SECOND_MS } from '../../domain/time.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { type PinnedRun, TASK_QUEUES, type WorkerVersions } from '../../workflow-client/worker-versions.ts';
import type { WorkflowStates } from '../../workflow-client/workflow-states.ts';
import { makeRowsDue } from './make-rows-due.ts';
import { sweepRows } from './sweep.ts';

export interface AbandonedRunsDependencies {
  readonly database: Database;
  readonly versions: Pick<WorkerVersions, 'versionsWithoutWorker' | 'runsOf'>;
  readonly states: Pick<WorkflowStates, 'terminate'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Runs of each queue that one pass ends at most. */
export const ABANDONED_RUNS_PAGE_SIZE = 200;
const CONCURRENCY = 10;
/** Temporal forgets who polls when it restarts, and a worker polls again after some seconds. */
const ABANDONED_AFTER_MS = 45 * SECOND_MS;
const REASON = 'No worker runs this version of the workflow code any more; another run takes over';

/**
 * Creates the job that terminates runs pinned to a version of the workflow code that has no worker any more, so that new runs
 * take over their payments, refunds, stray charges and webhooks. A version is abandoned when every check for 45 s has found no
 * worker. The job returns `more` where there may be further runs to end at once.
 * @param now milliseconds since the epoch
 */
export function createAbandonedRunsJob(
  dependencies: AbandonedRunsDependencies,
  now: () => number = Date.now,
): (signal: AbortSignal) => Promise<'more' | 'done'> {
  const { versions } = dependencies;
  /** For each queue, the time since which a build id has been found without a worker. */
  let foundSince: readonly Map<string, number>[] = [];
  return async (signal) => {
    const before = foundSince;
    // A check that fails restarts the 45 s.
    foundSince = [];
    const found = await Promise.all(TASK_QUEUES.map((queue) => versions.versionsWithoutWorker(queue)));
    foundSince = found.map((ids, index) => new Map(ids.map((id) => [id, before[index]?.get(id) ?? now()])));
    let next: 'more' | 'done' = 'done';
    for (const [index, queue] of TASK_QUEUES.entries()) {
      const since = [...(foundSince[index] ?? [])];
      const abandoned = since
        .filter(([, sinceMs]) => now() - sinceMs >= ABANDONED_AFTER_MS)
        .map(([buildId]) => buildId);
      if (abandoned.length === 0) continue;
      const runs = await versions.runsOf(queue, abandoned, ABANDONED_RUNS_PAGE_SIZE);
      const ended = await endRuns(dependencies, runs, signal);
      // Where all runs of a page had ended already, Temporal's list is stale: the next pass is soon enough.
      if (runs.length >= ABANDONED_RUNS_PAGE_SIZE && ended > 0) next = 'more';
    }
    return next;
  };
}

/** @returns how many runs this has ended */
async function endRuns(
  { database, states, logger }: AbandonedRunsDependencies,
  runs: readonly PinnedRun[],
  signal: AbortSignal,
): Promise<number> {
  const ended: string[] = [];
  try {
    await sweepRows(runs, {
      concurrency: CONCURRENCY,
      handle: async ({ workflowId, runId }) => {
        if (!(await states.terminate(workflowId, runId, REASON))) return;
        ended.push(workflowId);
        logger.warn({ workflowId, runId }, 'ended a run whose version of the workflow code no worker runs');
      },
      signal,
    });
  } finally {
    await makeRowsDue(database, ended);
  }
  return ended.length;
}
