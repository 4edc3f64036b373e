import { webhookEndpointJson, type WebhookEndpointRow } from '../../../presenters/webhook-endpoint.ts';
import type { Database } from '../../../prisma/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { readOrThrow } from '../writes.ts';
import { NEWEST_FIRST, ofAccount, type AccountScope, type PageRequest, readPage, type ReadPage } from '../lists.ts';
import { storableId } from '../row-scope.ts';

export interface StoredEndpoint {
  readonly endpoint: WebhookEndpointRow;
}

/** The condition that an endpoint has the id and belongs to the account. */
export function isOwnEndpoint({ merchantAccountId, environment }: AccountScope, id: string): Prisma.Sql {
  return Prisma.sql`id = ${storableId('webhookEndpoint', id)} AND merchant_account_id = ${merchantAccountId}
    AND environment = ${environment}`;
}

/** One of the account's endpoints, or null. */
export async function findEndpoint(
  database: Database,
  owner: AccountScope,
  id: string,
): Promise<WebhookEndpointRow | null> {
  const [row] = await database.direct.query<StoredEndpoint[]>`
    SELECT ${webhookEndpointJson('r')} AS endpoint FROM webhook_endpoint r WHERE ${isOwnEndpoint(owner, id)}`;
  return row?.endpoint ?? null;
}

/** @throws ApiError `RESOURCE_NOT_FOUND` */
export function readEndpointRow(database: Database, owner: AccountScope, id: string): Promise<WebhookEndpointRow> {
  return readOrThrow(() => findEndpoint(database, owner, id), 'RESOURCE_NOT_FOUND');
}

/** One page of the account's endpoints, newest first. */
export function listEndpoints(
  database: Database,
  owner: AccountScope,
  page: PageRequest,
): Promise<ReadPage<StoredEndpoint>> {
  const listed = { table: 'webhook_endpoint', conditions: [ofAccount(owner)], order: NEWEST_FIRST };
  return readPage(database, listed, Prisma.sql`${webhookEndpointJson('r')} AS endpoint`, page);
}
