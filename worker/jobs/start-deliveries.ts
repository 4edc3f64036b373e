import type { Logger } from 'pino';
import { newId } from '../../domain/new-id.ts';
import type { Database } from '../../prisma/connection/client.ts';
import {
  claimOverdue,
  claimUnstarted,
  holdDeliveries,
  markStarted,
  unblockDeliveries,
} from '../../prisma/queries/webhook-delivery.ts';
import type { RowOf } from '../../prisma/connection/statement.ts';
import type { WebhookWorkflows } from '../../workflow-client/webhook-workflows.ts';
import { webhookInputOf } from '../../workflow-client/workflow-inputs.ts';
import type { WorkflowStates } from '../../workflow-client/workflow-states.ts';
import { sweepRows } from './sweep.ts';

export interface DeliveryStarterDependencies {
  readonly database: Database;
  readonly webhookWorkflows: Pick<WebhookWorkflows, 'start'>;
}

/** Deliveries that one worker claims at a time. */
export const STARTER_BATCH_SIZE = 100;
/** A worker that claims a delivery and does not start it within this time loses the claim. */
const CLAIM_SECONDS = 10;
const STARTED_AT_ONCE = 10;

/** Deliveries of failing endpoints that are held at a time. */
const HELD_AT_ONCE = 1_000;

/**
 * Starts the workflows of deliveries that are not blocked and whose endpoint does not fail. Concurrent workers claim different deliveries. Where a slow worker
 * loses its claim, a second start has no effect: the workflow runs already, or finds its attempts made.
 * @returns how many were claimed
 * @throws TemporalUnavailableError at the first row for which Temporal does not answer
 */
export async function startDeliveries(
  { database, webhookWorkflows }: DeliveryStarterDependencies,
  signal: AbortSignal,
): Promise<number> {
  const waiting = await database.direct.row(holdDeliveries(HELD_AT_ONCE));
  const claim = claimUnstarted({
    limit: STARTER_BATCH_SIZE,
    claimSeconds: CLAIM_SECONDS,
    afterEndpoint: waiting?.areVeryMany === true ? anyEndpoint() : '',
  });
  const claimed = await database.direct.rows(claim);
  await sweepRows(claimed, {
    concurrency: STARTED_AT_ONCE,
    handle: async (row) => {
      await webhookWorkflows.start(webhookInputOf(row));
      await database.direct.execute(markStarted(row.deliveryId));
    },
    signal,
  });
  return claimed.length;
}

/** Where very many endpoints have deliveries that wait, a statement looks at some, and every second one begins anywhere. */
function anyEndpoint(): string {
  return Math.random() < 0.5 ? '' : newId('webhookEndpoint');
}

export interface DeliverySweeperDependencies {
  readonly database: Database;
  readonly states: Pick<WorkflowStates, 'stateOf'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Deliveries that one sweep checks at most: a slow endpoint may have many overdue deliveries whose workflows run. */
export const DELIVERY_SWEEP_SIZE = 20;
/** How long an attempt must be overdue before its delivery is checked, and the pause until the next check. */
const OVERDUE_SECONDS = 30;
const CHECKED_AT_ONCE = 5;

/** Blocked deliveries that one sweep checks; the next sweep goes on after them. */
const BLOCKED_SWEEP_SIZE = 1_000;

/**
 * The job that hands deliveries to the starter which would not be started otherwise: those that are no longer blocked, and those
 * whose next attempt is overdue because their workflow was terminated or lost. While all attempts are made in time, it does not call
 * Temporal. It throws TemporalUnavailableError at the first row for which Temporal does not answer.
 */
export function createDeliverySweeper(
  dependencies: DeliverySweeperDependencies,
): (signal: AbortSignal) => Promise<'done'> {
  const { direct } = dependencies.database;
  const unblock = async (isHeld: boolean, after: string): Promise<string> =>
    (await direct.row(unblockDeliveries({ isHeld, after, limit: BLOCKED_SWEEP_SIZE })))?.last ?? '';
  let [after, afterHeld] = ['', ''];
  return async (signal) => {
    after = await unblock(false, after);
    afterHeld = await unblock(true, afterHeld);
    const overdue = await direct.rows(claimOverdue({ limit: DELIVERY_SWEEP_SIZE, claimSeconds: OVERDUE_SECONDS }));
    await sweepRows(overdue, {
      concurrency: CHECKED_AT_ONCE,
      handle: (row) => releaseEnded(dependencies, row),
      signal,
    });
    return 'done';
  };
}

/** Changes nothing where the delivery has ended, or made an attempt, since it was read. */
async function releaseEnded(
  { database, states, logger }: DeliverySweeperDependencies,
  { id, attemptCount }: RowOf<ReturnType<typeof claimOverdue>>,
): Promise<void> {
  const state = await states.stateOf(id);
  if (state.kind === 'running') return;
  const endedAs = state.kind === 'completed' ? 'completed' : state.as;
  const released = await database.webhookDelivery.updateMany({
    where: { id, status: 'pending', attemptCount },
    data: { workflowStartedAt: null, claimedAt: null },
  });
  if (released.count > 0) logger.warn({ deliveryId: id, endedAs }, 'took over a webhook without a workflow');
}
