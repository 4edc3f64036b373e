import type { WebhookEndpointResource } from '../schemas/webhook-endpoint.ts';
import type { WebhookEndpointRow } from '../../prisma/fragments/webhook-endpoint-json.ts';
import { presentCreator } from './creator.ts';
import { presentTime } from './time.ts';

/** How many deliveries an endpoint has. */
export interface DeliveryCounts {
  readonly pending: number;
  /** Since when the oldest of these waits. */
  readonly oldestAt: Date | null;
  /** Those that began within the last 24 hours. */
  readonly recent: number;
  readonly recentDelivered: number;
}

/** @param counts of its deliveries; null where they were not counted, as in events */
export function presentWebhookEndpoint(
  row: WebhookEndpointRow,
  counts: DeliveryCounts | null,
  now = new Date(),
): WebhookEndpointResource {
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
    failingSince: row.next_probe_at === null ? null : timeOrNull(row.failing_since),
    nextProbeAt: timeOrNull(row.next_probe_at),
    pendingDeliveries: counts?.pending ?? null,
    oldestPendingAt: counts?.oldestAt?.toISOString() ?? null,
    recentDeliveries: counts === null ? null : { total: counts.recent, delivered: counts.recentDelivered },
    lastSuccessAt: timeOrNull(row.last_success_at),
    lastFailureAt: timeOrNull(row.last_failure_at),
    lastFailure: row.last_failure,
    previousSecretExpiresAt:
      previousSecretExpiresAt !== null && Date.parse(previousSecretExpiresAt) > now.getTime()
        ? previousSecretExpiresAt
        : null,
    createdBy: presentCreator({ createdById: row.created_by_id, createdByKeyId: row.created_by_key_id }),
    createdAt: presentTime(row.created_at),
    updatedAt: presentTime(row.updated_at),
  };
}

function timeOrNull(time: string | null): string | null {
  return time === null ? null : presentTime(time);
}
