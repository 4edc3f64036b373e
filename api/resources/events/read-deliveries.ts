import type { Database } from '../../../prisma/connection/client.ts';
import type { WebhookAttempt, WebhookDelivery } from '../../../prisma/generated/client.ts';
import type { AccountScope } from '../../../prisma/fragments/conditions.ts';
import { endpointDeliveries } from '../../../prisma/queries/webhook-delivery.ts';
import { returning, text } from '../../../prisma/connection/statement.ts';
import { countedPage, NEWEST_FIRST, type PageRequest, PLACE, readPage, smallPage } from '../../../accounts/lists.ts';
import { ownedBy } from '../../../accounts/row-scope.ts';
import {
  type ListEndpointDeliveries,
  type WebhookDeliveryResource,
  webhookDeliveryResource,
} from '../../../contract/schemas/webhook-delivery.ts';

type StoredDelivery = WebhookDelivery & { readonly attempts: readonly WebhookAttempt[] };

const { status: statuses, reason: reasons, attempts: attemptsShape } = webhookDeliveryResource.shape;
const errors = attemptsShape.element.shape.error;
const WITH_ATTEMPTS = { attempts: { orderBy: { number: 'asc' as const } } };

/** One page of the deliveries of an account's event, newest first; there are few, some for each endpoint of the account. */
export async function listDeliveries(database: Database, scope: AccountScope, eventId: string, page: PageRequest) {
  const where = { eventId, ...ownedBy(scope) };
  const { after, window } = await smallPage(page, (id) =>
    database.webhookDelivery.findFirst({ where: { ...where, id }, select: PLACE }),
  );
  return countedPage(
    database.webhookDelivery.findMany({ where: { AND: [where, after] }, include: WITH_ATTEMPTS, ...window }),
    database.webhookDelivery.count({ where }),
  );
}

/** One page of the deliveries to an endpoint of the account that have a status, newest first. */
export async function listEndpointDeliveries(
  database: Database,
  scope: AccountScope,
  webhookEndpointId: string,
  { status, ...page }: ListEndpointDeliveries,
) {
  const { rows, ...more } = await readPage(
    database,
    endpointDeliveries(scope, webhookEndpointId, status),
    DELIVERY_ID,
    page,
  );
  const ids = rows.map(({ id }) => id);
  return { ...more, rows: await readDeliveries(database, scope, ids) };
}

const DELIVERY_ID = returning({ id: text })`r.id`;

/** Deliveries of an account by their ids, newest first. */
export async function readDeliveries(
  database: Database,
  scope: AccountScope,
  ids: readonly string[],
): Promise<WebhookDeliveryResource[]> {
  const rows = await database.webhookDelivery.findMany({
    where: { id: { in: [...ids] }, ...ownedBy(scope) },
    include: WITH_ATTEMPTS,
    orderBy: NEWEST_FIRST,
  });
  return rows.map(presentDelivery);
}

export function presentDelivery(row: StoredDelivery): WebhookDeliveryResource {
  return {
    id: row.id,
    object: 'webhook_delivery',
    eventId: row.eventId,
    webhookEndpointId: row.webhookEndpointId,
    status: statuses.parse(row.status),
    reason: reasons.parse(row.reason ?? (row.blockedBy === null ? null : 'earlier_event_pending')),
    attempts: row.attempts.map(({ number, startedAt, durationMs, statusCode, error, responseBody }) => ({
      number,
      startedAt: startedAt.toISOString(),
      durationMs,
      statusCode,
      error: errors.parse(error),
      responseBody,
    })),
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}
