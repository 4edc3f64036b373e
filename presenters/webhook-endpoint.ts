import type { WebhookEndpointResource } from '../api/schemas/webhook-endpoint.ts';
import { Prisma } from '../prisma/generated/client.ts';
import { presentTime } from './time.ts';

/** A row of webhook_endpoint as PostgreSQL turns it into JSON, without its secrets. */
export interface WebhookEndpointRow {
  readonly id: string;
  readonly merchant_account_id: string;
  readonly environment: WebhookEndpointResource['environment'];
  readonly url: string;
  readonly description: string | null;
  readonly enabled_events: WebhookEndpointResource['enabledEvents'];
  readonly status: WebhookEndpointResource['status'];
  readonly disabled_reason: WebhookEndpointResource['disabledReason'];
  readonly disabled_at: string | null;
  readonly previous_secret_expires_at: string | null;
  readonly rotation_id: string | null;
  readonly last_success_at: string | null;
  readonly last_failure_at: string | null;
  readonly last_failure: string | null;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A row as JSON without its secrets. @param row the name of the row in the statement, ours */
export function webhookEndpointJson(row: string): Prisma.Sql {
  const secrets = ['secret', 'previous_secret'].flatMap((name) => [`${name}_key_id`, `${name}_ciphertext`]);
  return Prisma.sql`to_jsonb(${Prisma.raw(row)}) - ${secrets}::text[]`;
}

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
