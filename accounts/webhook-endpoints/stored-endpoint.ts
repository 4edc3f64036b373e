import type { Database } from '../../prisma/connection/client.ts';
import type { WebhookEndpoint } from '../../prisma/generated/client.ts';
import { countedPage, type CountedPage, type PageRequest, PLACE, smallPage } from '../lists.ts';
import type { AccountScope } from '../../prisma/fragments/conditions.ts';
import { presentWebhookEndpoint } from '../../contract/presenters/webhook-endpoint.ts';
import { webhookEndpointRowOf } from '../../prisma/fragments/webhook-endpoint-json.ts';
import { selectDeliveryCounts } from '../../prisma/queries/webhook-recovery.ts';
import type { WebhookEndpointResource } from '../../contract/schemas/webhook-endpoint.ts';
import type { AuditedResource } from '../audit.ts';
import { ownedBy, requireId } from '../row-scope.ts';
import { readOrThrow } from '../writes.ts';

/** One of the account's endpoints, and nobody else's. */
export function ownEndpoint(scope: AccountScope, id: string) {
  return { id: requireId('webhookEndpoint', id), ...ownedBy(scope) };
}

/** The endpoint as the audit log shows it. */
export function describeEndpoint(row: WebhookEndpoint): AuditedResource {
  const state = presentWebhookEndpoint(webhookEndpointRowOf(row), null);
  return { id: row.id, merchantAccountId: row.merchantAccountId, state };
}

/** Endpoints as clients see them, with the numbers of their deliveries. */
export async function presentEndpoints(
  { direct }: Pick<Database, 'direct'>,
  rows: readonly WebhookEndpoint[],
): Promise<readonly WebhookEndpointResource[]> {
  const counts = await direct.rows(selectDeliveryCounts(rows.map(({ id }) => id)));
  const byEndpoint = new Map(counts.map((each) => [each.webhookEndpointId, each]));
  return rows.map((row) => presentWebhookEndpoint(webhookEndpointRowOf(row), byEndpoint.get(row.id) ?? null));
}

/** One of the account's endpoints, or null. */
export function findEndpoint(database: Database, scope: AccountScope, id: string): Promise<WebhookEndpoint | null> {
  return database.webhookEndpoint.findFirst({ where: ownEndpoint(scope, id) });
}

/** @throws ApiError `RESOURCE_NOT_FOUND` */
export function readEndpoint(database: Database, scope: AccountScope, id: string): Promise<WebhookEndpoint> {
  return readOrThrow(() => findEndpoint(database, scope, id), 'RESOURCE_NOT_FOUND');
}

/** One page of the account's endpoints, newest first, and how many there are in all. */
export async function listEndpoints(
  database: Database,
  scope: AccountScope,
  page: PageRequest,
): Promise<CountedPage<WebhookEndpoint>> {
  const where = ownedBy(scope);
  const { after, window } = await smallPage(page, (id) =>
    database.webhookEndpoint.findFirst({ where: { ...where, id }, select: PLACE }),
  );
  return countedPage(
    database.webhookEndpoint.findMany({ where: { AND: [where, after] }, ...window }),
    database.webhookEndpoint.count({ where }),
  );
}
