import type { WebhookEndpointResource } from '../api/schemas/webhook-endpoint.ts';
import type { WebhookEndpointRow } from '../prisma/webhook-endpoint-json.ts';
import { presentTime } from './time.ts';

/** An endpoint as clients see it, from its row or from an event's snapshot. */
export function presentWebhookEndpoint(row: WebhookEndpointRow, now = new Date()): WebhookEndpointResource {
  const previousSecretExpiresAt = timeOrNull(row.previous_secret_expires_at);
  return {
    id: row.id,
    object: 'webhook_endpoint',
    merchantId: row.merchant_account_id,
    environment: row.environment,
    url: row.url,
    description: row.description,
    enabledEvents: row.enabled_events,
    status: row.status,
    disabledReason: row.disabled_reason,
    disabledAt: timeOrNull(row.disabled_at),
    lastSuccessAt: timeOrNull(row.last_success_at),
    lastFailureAt: timeOrNull(row.last_failure_at),
    lastFailure: row.last_failure,
    previousSecretExpiresAt:
      previousSecretExpiresAt !== null && Date.parse(previousSecretExpiresAt) > now.getTime()
        ? previousSecretExpiresAt
        : null,
    createdAt: presentTime(row.created_at),
    updatedAt: presentTime(row.updated_at),
  };
}

function timeOrNull(time: string | null): string | null {
  return time === null ? null : presentTime(time);
}
