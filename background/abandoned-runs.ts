import type { Logger } from 'pino';
import { attemptIdOfStrayCharge } from '../domain/ids.ts';
import { SECOND_MS } from '../domain/time.ts';
import type { Database } from '../prisma/client.ts';
import type { WorkerVersions } from '../temporal/worker-versions.ts';
import type { WorkflowStates } from '../temporal/workflow-states.ts';
import { PAYMENTS_TASK_QUEUE, WEBHOOKS_TASK_QUEUE } from '../workflows/messages.ts';

export interface AbandonedRunsDependencies {
  readonly database: Database;
  readonly versions: Pick<WorkerVersions, 'runsWithoutWorker'>;
  readonly states: Pick<WorkflowStates, 'terminate'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Runs of each queue that one round looks at. */
const RUNS_AT_MOST = 200;
/** Temporal forgets who polls when it restarts, and a worker polls again after some seconds. */
const ABANDONED_AFTER_MS = 45 * SECOND_MS;
const REASON = 'No worker runs this version of the workflow code any more; another run takes over';

/**
 * Makes rounds that end the runs whose version of the workflow code no worker runs any more, so that others go on with their
 * payments, refunds, stray charges and webhooks from the rows. A run is ended when it was found so all the time for 45 s.
 * @param now milliseconds since the epoch
 */
export function createAbandonedRunsRound(
  { database, versions, states, logger }: AbandonedRunsDependencies,
  now: () => number = Date.now,
): () => Promise<void> {
  let foundSince = new Map<string, number>();
  return async () => {
    const runs = await Promise.all(
      [PAYMENTS_TASK_QUEUE, WEBHOOKS_TASK_QUEUE].map((queue) => versions.runsWithoutWorker(queue, RUNS_AT_MOST)),
    );
    const found = runs.flat();
    foundSince = new Map(found.map(({ runId }) => [runId, foundSince.get(runId) ?? now()]));
    const abandoned = found.filter(({ runId }) => now() - (foundSince.get(runId) ?? now()) >= ABANDONED_AFTER_MS);
    for (const { workflowId, runId } of abandoned) {
      await states.terminate(workflowId, runId, REASON);
      logger.warn({ workflowId, runId }, 'ended a run whose version of the workflow code no worker runs');
    }
    await makeDue(
      database,
      abandoned.map(({ workflowId }) => workflowId),
    );
  };
}

/** Ids of webhook deliveries are in neither table: those are found by their next attempt, which is overdue. */
async function makeDue(database: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await database.direct.execute`UPDATE payment_intent SET next_due_at = now() WHERE id = ANY(${ids}::text[])`;
  await database.direct.execute`UPDATE refund SET next_due_at = now() WHERE id = ANY(${ids}::text[])`;
  const strayAttempts = ids.flatMap((id) => attemptIdOfStrayCharge(id) ?? []);
  if (strayAttempts.length === 0) return;
  await database.direct.execute`
    UPDATE stray_charge SET next_due_at = now() WHERE attempt_id = ANY(${strayAttempts}::text[])`;
}
