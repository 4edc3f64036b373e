import { webhookEndpointJson } from '../../../presenters/webhook-endpoint.ts';
import type { Database } from '../../../prisma/client.ts';
import { ApiError } from '../../middleware/errors.ts';
import type { Owner } from '../lists/conditions.ts';
import { isOwnEndpoint, readEndpointRow } from './stored-endpoint.ts';

/**
 * Writes an event that goes to one endpoint only, on the same way as all others.
 * @param eventId made for the run: a repeat writes no second one
 * @returns when it was written, ISO 8601 UTC
 * @throws ApiError `RESOURCE_NOT_FOUND`, or `STATE_CONFLICT` for an endpoint that is disabled
 */
export async function writeTestEvent(database: Database, owner: Owner, id: string, eventId: string): Promise<string> {
  const { status } = await readEndpointRow(database, owner, id);
  if (status === 'disabled') {
    throw new ApiError('STATE_CONFLICT', { message: 'The webhook endpoint is disabled.', details: { status } });
  }
  await database.direct.execute`
    INSERT INTO event (id, merchant_account_id, environment, type, resource_id, version, snapshot, created_at)
    SELECT ${eventId}, r.merchant_account_id, r.environment, 'webhook_endpoint.test', r.id, r.version,
      jsonb_build_object('webhookEndpoint', ${webhookEndpointJson('r')}), now()
    FROM webhook_endpoint r WHERE ${isOwnEndpoint(owner, id)}
    ON CONFLICT (id) DO NOTHING`;
  const { createdAt } = await database.event.findUniqueOrThrow({ where: { id: eventId }, select: { createdAt: true } });
  return createdAt.toISOString();
}
