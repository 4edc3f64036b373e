import type { Database } from '../../../prisma/connection/client.ts';
import { insertMissed, insertRedeliveries } from '../../../prisma/queries/webhook-delivery.ts';
import type { WebhookWorkflows } from '../../../workflow-client/webhook-workflows.ts';
import { ApiError } from '../../../domain/api-error.ts';
import type { AccountScope } from '../../../prisma/fragments/conditions.ts';
import { ownedBy } from '../../../accounts/row-scope.ts';
import { readEndpoint } from '../../../accounts/webhook-endpoints/stored-endpoint.ts';

export interface RedeliveryDependencies {
  readonly database: Database;
  readonly webhookWorkflows: Pick<WebhookWorkflows, 'attemptNow'>;
}

/**
 * Sends an event once more: a delivery that is still under way makes its next attempt at once, even while its endpoint counts as
 * failing; if there is none, a new one is inserted. The worker starts it, as it starts all deliveries.
 * @param webhookEndpointId the one endpoint to send to; without it, all that want events of this type
 * @returns the ids of the deliveries
 * @throws ApiError `RESOURCE_NOT_FOUND` or `STATE_CONFLICT` for an endpoint that is unknown or disabled
 * @throws TemporalUnavailableError
 */
export async function redeliver(
  { database, webhookWorkflows }: RedeliveryDependencies,
  scope: AccountScope,
  eventId: string,
  webhookEndpointId: string | undefined,
): Promise<readonly string[]> {
  if (webhookEndpointId !== undefined) await requireEnabled(database, scope, webhookEndpointId);
  const redelivery = { eventId, ...ownedBy(scope), webhookEndpointId: webhookEndpointId ?? null };
  // First: a delivery under way may end as soon as it makes its attempt, and another one would be inserted after it.
  const begun = (await database.direct.rows(insertRedeliveries(redelivery))).map(({ id }) => id);
  const pending = (await readPending(database, scope, eventId, webhookEndpointId)).map(({ id }) => id);
  const underWay = pending.filter((each) => !begun.includes(each));
  await requestAttempts(database, scope, underWay);
  for (const id of underWay) {
    const result = await webhookWorkflows.attemptNow(id);
    if (result !== 'delivered') await restartDelivery(database, scope, id);
  }
  return [...new Set([...pending, ...begun])];
}

/** Events that one request redelivers at most. */
export const MOST_REDELIVERED = 1_000;
/** Of the account's newest events, so many are looked at. */
export const MOST_EXAMINED = 10_000;

/**
 * Sends an endpoint the events since a time that it has missed: those that it subscribes to, has not got and does not wait for.
 * @throws ApiError `RESOURCE_NOT_FOUND` or `STATE_CONFLICT` for an endpoint that is unknown or disabled
 */
export async function redeliverMissed(
  database: Database,
  scope: AccountScope,
  { webhookEndpointId, since }: { readonly webhookEndpointId: string; readonly since: Date },
): Promise<{ readonly redelivered: number; readonly isComplete: boolean }> {
  await requireEnabled(database, scope, webhookEndpointId);
  const limits = { limit: MOST_REDELIVERED, examined: MOST_EXAMINED };
  const missed = { ...ownedBy(scope), webhookEndpointId, since, ...limits };
  return (await database.direct.row(insertMissed(missed))) ?? { redelivered: 0, isComplete: false };
}

async function requireEnabled(database: Database, scope: AccountScope, webhookEndpointId: string): Promise<void> {
  const { status } = await readEndpoint(database, scope, webhookEndpointId);
  if (status === 'enabled') return;
  throw new ApiError('STATE_CONFLICT', {
    message:
      'Expected an enabled webhook endpoint; this one is disabled. Enable it first: PATCH it with "active": true.',
    details: { status },
  });
}

function readPending(database: Database, scope: AccountScope, eventId: string, webhookEndpointId: string | undefined) {
  return database.webhookDelivery.findMany({
    where: { eventId, ...ownedBy(scope), status: 'pending', ...(webhookEndpointId && { webhookEndpointId }) },
    select: { id: true },
  });
}

/** Marks deliveries as requested, so that their attempts are made while the endpoint counts as failing. */
async function requestAttempts(database: Database, scope: AccountScope, ids: readonly string[]): Promise<void> {
  await database.webhookDelivery.updateMany({
    where: { id: { in: [...ids] }, ...ownedBy(scope), status: 'pending' },
    data: { isRequested: true },
  });
}

/** Marks a delivery that has no workflow, or whose workflow was terminated, as not started and due, so that a worker starts another run. */
async function restartDelivery(database: Database, scope: AccountScope, id: string): Promise<void> {
  await database.webhookDelivery.updateMany({
    where: { id, ...ownedBy(scope), status: 'pending' },
    data: { workflowStartedAt: null, claimedAt: null, isHeld: false, nextAttemptAt: null },
  });
}
