import type { Database } from '../../prisma/connection/client.ts';
import { claimRecoveries, settleHeld } from '../../prisma/queries/webhook-recovery.ts';
import { recoveryInputOf } from '../../workflow-client/workflow-inputs.ts';
import type { WebhookWorkflows } from '../../workflow-client/webhook-workflows.ts';
import { sweepRows } from './sweep.ts';

export interface RecoveryDependencies {
  readonly database: Database;
  readonly webhookWorkflows: Pick<WebhookWorkflows, 'recover'>;
}

const STARTED_AT_ONCE = 10;
/** Held deliveries that one run cancels at most. */
export const SETTLED_BATCH_SIZE = 2_000;

/**
 * Starts the recovery workflows of endpoints that are due: for a probe, or to get the deliveries that were held. If a worker dies,
 * its endpoints are due again after a minute.
 * @throws TemporalUnavailableError at the first endpoint for which Temporal does not answer
 */
export async function recoverEndpoints(
  { database, webhookWorkflows }: RecoveryDependencies,
  signal: AbortSignal,
): Promise<void> {
  const claimed = await database.direct.rows(claimRecoveries());
  await sweepRows(claimed, {
    concurrency: STARTED_AT_ONCE,
    handle: (row) => webhookWorkflows.recover(recoveryInputOf(row)),
    signal,
  });
}

/**
 * Cancels held deliveries whose endpoint is deleted or disabled, and has endpoints looked at whose deliveries nobody would send.
 * @returns how many were canceled
 */
export async function settleHeldDeliveries({ database }: Pick<RecoveryDependencies, 'database'>): Promise<number> {
  const row = await database.direct.row(settleHeld(SETTLED_BATCH_SIZE));
  return row?.canceled ?? 0;
}
