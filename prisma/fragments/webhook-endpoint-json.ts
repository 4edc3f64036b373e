import type { EventType } from '../../domain/events.ts';
import type { Environment } from '../../domain/payment.ts';
import type { WEBHOOK_DISABLED_REASONS, WEBHOOK_ENDPOINT_STATUSES } from '../../domain/webhook.ts';
import { Prisma, type WebhookEndpoint } from '../generated/client.ts';
import { isoText } from '../connection/statement.ts';
import { type JsonRow, jsonRowOf, type Narrowed } from './json-row.ts';

/** A webhook endpoint as JSON, without its secrets. */
export type WebhookEndpointRow = Narrowed<
  Omit<JsonRow<WebhookEndpoint>, Secret>,
  {
    readonly environment: Environment;
    readonly enabled_events: ('*' | EventType)[];
    readonly status: (typeof WEBHOOK_ENDPOINT_STATUSES)[number];
    readonly disabled_reason: (typeof WEBHOOK_DISABLED_REASONS)[number] | null;
  }
>;

type Secret = 'secret_key_id' | 'secret_ciphertext';

/** A row of webhook_endpoint as JSON, without what must not leave the database. @param row its name in the statement, ours */
export function webhookEndpointJson(row: string): Prisma.Sql {
  return Prisma.sql`to_jsonb(${Prisma.raw(row)}) - ARRAY['secret_key_id', 'secret_ciphertext']`;
}

/**
 * A row of webhook_endpoint as `presentWebhookEndpoint` turns it into a resource, for audit events that are written in the
 * statement of their change. @param row the row in the statement, ours
 */
export function webhookEndpointResource(row: string): Prisma.Sql {
  const column = (name: string) => Prisma.raw(`(${row}).${name}`);
  const time = (name: string) => isoText(`(${row}).${name}`);
  const isPreviousSecretValid = Prisma.sql`${column('previous_secret_expires_at')} > now()`;
  return Prisma.sql`jsonb_build_object('id', ${column('id')}, 'object', 'webhook_endpoint',
    'merchantId', ${column('merchant_account_id')}, 'environment', ${column('environment')}, 'url', ${column('url')},
    'description', ${column('description')}, 'enabledEvents', ${column('enabled_events')},
    'status', ${column('status')}, 'disabledReason', ${column('disabled_reason')}, 'disabledAt', ${time('disabled_at')},
    'failingSince', CASE WHEN ${column('next_probe_at')} IS NOT NULL THEN ${time('failing_since')} END,
    'nextProbeAt', ${time('next_probe_at')}, 'pendingDeliveries', NULL, 'oldestPendingAt', NULL, 'recentDeliveries', NULL,
    'lastSuccessAt', ${time('last_success_at')}, 'lastFailureAt', ${time('last_failure_at')},
    'lastFailure', ${column('last_failure')},
    'previousSecretExpiresAt', CASE WHEN ${isPreviousSecretValid} THEN ${time('previous_secret_expires_at')} END,
    'createdBy', CASE
      WHEN ${column('created_by_key_id')} IS NOT NULL THEN jsonb_build_object('type', 'api_key', 'id', ${column('created_by_key_id')})
      WHEN ${column('created_by_id')} IS NOT NULL THEN jsonb_build_object('type', 'person', 'id', ${column('created_by_id')}) END,
    'createdAt', ${time('created_at')}, 'updatedAt', ${time('updated_at')})`;
}

/** The row as JSON, of one that Prisma Client has read. */
export function webhookEndpointRowOf(endpoint: WebhookEndpoint): WebhookEndpointRow {
  const { secretKeyId: _keyId, secretCiphertext: _ciphertext, ...row } = endpoint;
  // The texts were checked before they were written.
  return jsonRowOf(row) as WebhookEndpointRow;
}
