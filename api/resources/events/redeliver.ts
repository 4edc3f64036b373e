import type { Database } from '../../../prisma/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import type { WebhookWorkflows } from '../../../workflows/client/webhook-workflows.ts';
import { ApiError } from '../../middleware/errors.ts';
import type { AccountScope } from '../lists.ts';
import { readEndpointRow } from '../webhook-endpoints/stored-endpoint.ts';

export interface RedeliveryDependencies {
  readonly database: Database;
  readonly webhookWorkflows: Pick<WebhookWorkflows, 'attemptNow'>;
}

/**
 * Sends an event once more: a delivery that is still under way makes its next attempt at once, where none is, a new
 * one is inserted. The worker starts it, as it starts all deliveries.
 * @param webhookEndpointId the one endpoint to send to; without it, all that want events of this type
 * @returns the ids of the deliveries
 * @throws ApiError `RESOURCE_NOT_FOUND` or `STATE_CONFLICT` for an endpoint that is unknown or disabled
 * @throws TemporalUnavailableError
 */
export async function redeliver(
  { database, webhookWorkflows }: RedeliveryDependencies,
  owner: AccountScope,
  eventId: string,
  webhookEndpointId: string | undefined,
): Promise<readonly string[]> {
  if (webhookEndpointId !== undefined) await requireEnabled(database, owner, webhookEndpointId);
  const underWay = await readPending(database, owner, eventId, webhookEndpointId);
  for (const { id } of underWay) {
    const result = await webhookWorkflows.attemptNow(id);
    if (result !== 'delivered') await restartDelivery(database, id);
  }
  const begun = await insertDeliveries(database, owner, eventId, webhookEndpointId);
  return [...underWay, ...begun].map(({ id }) => id);
}

async function requireEnabled(database: Database, owner: AccountScope, webhookEndpointId: string): Promise<void> {
  const { status } = await readEndpointRow(database, owner, webhookEndpointId);
  if (status === 'enabled') return;
  throw new ApiError('STATE_CONFLICT', { message: 'The webhook endpoint is disabled.', details: { status } });
}

function readPending(database: Database, owner: AccountScope, eventId: string, webhookEndpointId: string | undefined) {
  const { merchantAccountId } = owner;
  return database.webhookDelivery.findMany({
    where: { eventId, merchantAccountId, status: 'pending', ...(webhookEndpointId && { webhookEndpointId }) },
    select: { id: true },
  });
}

/** Marks a delivery whose workflow was terminated as not started, so that a worker starts another run. */
async function restartDelivery(database: Database, id: string): Promise<void> {
  await database.direct.execute`
    UPDATE webhook_delivery SET workflow_started_at = NULL, claimed_at = NULL
    WHERE id = ${id} AND status = 'pending' AND workflow_started_at IS NOT NULL`;
}

function insertDeliveries(
  database: Database,
  { merchantAccountId }: AccountScope,
  eventId: string,
  webhookEndpointId: string | undefined,
): Promise<{ id: string }[]> {
  const isWanted =
    webhookEndpointId === undefined
      ? Prisma.sql`CASE WHEN e.type = 'webhook_endpoint.test' THEN w.id = e.resource_id
          ELSE w.enabled_events && ARRAY['*', e.type] END`
      : Prisma.sql`w.id = ${webhookEndpointId}`;
  return database.direct.query<{ id: string }[]>`
    INSERT INTO webhook_delivery (id, event_id, webhook_endpoint_id, merchant_account_id, environment, event_type,
      payment_intent_id, position, round)
    SELECT 'whd_' || split_part(e.id, '_', 2) || '_' || split_part(w.id, '_', 2)
        || CASE WHEN last.round > 0 THEN '_' || last.round + 1 ELSE '' END,
      e.id, w.id, w.merchant_account_id, w.environment, e.type, e.payment_intent_id, e.position, last.round + 1
    FROM event e
    JOIN webhook_endpoint w ON w.merchant_account_id = e.merchant_account_id AND w.status = 'enabled' AND ${isWanted}
    JOIN LATERAL (
      SELECT COALESCE(max(d.round), 0) AS round, COALESCE(bool_or(d.status = 'pending'), false) AS is_under_way
      FROM webhook_delivery d WHERE d.event_id = e.id AND d.webhook_endpoint_id = w.id
    ) AS last ON NOT last.is_under_way
    WHERE e.id = ${eventId} AND e.merchant_account_id = ${merchantAccountId}
      AND e.position <= (SELECT position FROM webhook_cursor)
    ON CONFLICT DO NOTHING
    RETURNING id`;
}
