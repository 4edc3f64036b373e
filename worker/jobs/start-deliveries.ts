import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import type { Database } from '../../prisma/client.ts';
import { TemporalUnavailableError } from '../../workflows/client/temporal-errors.ts';
import type { WebhookWorkflows } from '../../workflows/client/webhook-workflows.ts';
import type { WebhookDeliveryInput } from '../../workflows/messages.ts';
import { sweepRows } from './sweep.ts';

export interface DeliveryStarterDependencies {
  readonly database: Database;
  readonly webhookWorkflows: Pick<WebhookWorkflows, 'start'>;
}

/** Deliveries that one worker claims at a time. */
export const STARTER_BATCH_SIZE = 100;
const CONCURRENCY = 10;

/** A worker that claims a delivery and does not start it within this time loses the claim. */
const CLAIM_SECONDS = 10;

const environmentSchema = z.enum(ENVIRONMENTS);

interface Row extends Omit<WebhookDeliveryInput, 'environment'> {
  readonly environment: string;
}

/**
 * Starts the workflows of deliveries that are not blocked. Concurrent workers claim different deliveries. Where a slow worker
 * loses its claim, a second start has no effect: the workflow runs already, or finds its attempts made.
 * @returns how many were claimed
 * @throws TemporalUnavailableError at the first row for which Temporal does not answer
 */
export async function startDeliveries(
  { database, webhookWorkflows }: DeliveryStarterDependencies,
  signal: AbortSignal,
): Promise<number> {
  const claimed = await claim(database);
  await sweepRows(claimed, {
    concurrency: CONCURRENCY,
    handle: async (row) => {
      await webhookWorkflows.start({ ...row, environment: environmentSchema.parse(row.environment) });
      await database.direct
        .execute`UPDATE webhook_delivery SET workflow_started_at = now() WHERE id = ${row.deliveryId}`;
    },
    endsSweep: (error) => error instanceof TemporalUnavailableError,
    signal,
  });
  return claimed.length;
}

function claim(database: Database): Promise<Row[]> {
  return database.direct.query<Row[]>`
    UPDATE webhook_delivery d SET claimed_at = now()
    FROM (
      SELECT id FROM webhook_delivery
      WHERE workflow_started_at IS NULL AND blocked_by IS NULL AND status = 'pending'
        AND (claimed_at IS NULL OR claimed_at < now() - make_interval(secs => ${CLAIM_SECONDS}))
      ORDER BY position
      LIMIT ${STARTER_BATCH_SIZE}
      FOR UPDATE SKIP LOCKED
    ) AS next
    WHERE d.id = next.id
    RETURNING d.id AS "deliveryId", d.event_id AS "eventId", d.event_type AS "eventType",
      d.webhook_endpoint_id AS "webhookEndpointId", d.merchant_account_id AS "merchantAccountId", d.environment,
      d.payment_intent_id AS "paymentIntentId", d.attempt_count AS "attemptsMade"`;
}
