import type { Logger } from 'pino';
import type { Database } from '../../prisma/client.ts';
import { TemporalUnavailableError } from '../../workflows/client/temporal-errors.ts';
import type { WorkflowStates } from '../../workflows/client/workflow-states.ts';
import { sweepRows } from './sweep.ts';

export interface DeliverySweeperDependencies {
  readonly database: Database;
  readonly states: Pick<WorkflowStates, 'stateOf'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Deliveries that one sweep checks at most: a slow endpoint may have many overdue deliveries whose workflows run. */
export const DELIVERY_SWEEP_SIZE = 20;
const CONCURRENCY = 5;

/** How long an attempt must be overdue before its delivery is checked, and the pause until the next check. */
const OVERDUE_SECONDS = 30;

interface Row {
  readonly id: string;
  readonly attemptCount: number;
}

/**
 * Finds deliveries whose next attempt is overdue because their workflow was terminated or lost, and has the starter start
 * another run. While all attempts are made in time, this does not call Temporal.
 * @throws TemporalUnavailableError at the first row for which Temporal does not answer
 */
export async function sweepDeliveries(dependencies: DeliverySweeperDependencies, signal: AbortSignal): Promise<void> {
  await sweepRows(await claimOverdue(dependencies.database), {
    concurrency: CONCURRENCY,
    handle: (row) => restartEnded(dependencies, row),
    endsSweep: (error) => error instanceof TemporalUnavailableError,
    signal,
  });
}

/** The condition must match the partial index. Concurrent workers claim different rows. */
function claimOverdue(database: Database): Promise<Row[]> {
  return database.direct.query<Row[]>`
    UPDATE webhook_delivery d SET claimed_at = now()
    FROM (
      SELECT id FROM webhook_delivery
      WHERE status = 'pending' AND workflow_started_at IS NOT NULL
        AND GREATEST(claimed_at, COALESCE(next_attempt_at, workflow_started_at))
          < now() - make_interval(secs => ${OVERDUE_SECONDS})
      ORDER BY GREATEST(claimed_at, COALESCE(next_attempt_at, workflow_started_at))
      LIMIT ${DELIVERY_SWEEP_SIZE}
      FOR UPDATE SKIP LOCKED
    ) AS next
    WHERE d.id = next.id
    RETURNING d.id, d.attempt_count AS "attemptCount"`;
}

/** Changes nothing where the delivery has ended, or made an attempt, since it was read. */
async function restartEnded(
  { database, states, logger }: DeliverySweeperDependencies,
  { id, attemptCount }: Row,
): Promise<void> {
  const state = await states.stateOf(id);
  if (state.kind === 'running') return;
  const endedAs = state.kind === 'completed' ? 'completed' : state.as;
  const released = await database.direct.execute`
    UPDATE webhook_delivery SET workflow_started_at = NULL, claimed_at = NULL
    WHERE id = ${id} AND status = 'pending' AND attempt_count = ${attemptCount}::int`;
  if (released > 0) logger.warn({ deliveryId: id, endedAs }, 'took over a webhook without a workflow');
}
