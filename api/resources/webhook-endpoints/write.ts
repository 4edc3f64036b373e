import type { Database } from '../../../prisma/client.ts';
import type { Keyring } from '../../../vault/keyring.ts';
import type { Environment } from '../../../domain/payment.ts';
import type { TargetPolicy } from '../../../webhooks/target-policy.ts';
import { webhookEndpointJson, type WebhookEndpointRow } from '../../../presenters/webhook-endpoint.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { newWebhookSecret, sealWebhookSecret } from '../../../vault/webhook-secret.ts';
import { insertAndRead, updateOptimistically } from '../writes.ts';
import { ApiError } from '../../middleware/errors.ts';
import type { AccountScope } from '../lists.ts';
import type { Principal } from '../../middleware/request-context.ts';
import type { CreateWebhookEndpoint, UpdateWebhookEndpoint } from '../../schemas/webhook-endpoint.ts';
import { findEndpoint, isOwnEndpoint, readEndpointRow, type StoredEndpoint } from './stored-endpoint.ts';
import { checkTarget } from '../../../webhooks/target.ts';

/** The dependencies of the operations on webhook endpoints. */
export interface WebhookEndpointDependencies {
  readonly database: Database;
  readonly keyring: Keyring;
  /** Where webhooks may go. */
  readonly webhookTargets: Readonly<Record<Environment, TargetPolicy>>;
}

/** Endpoints of one account. */
export const MAXIMUM_ENDPOINTS = 20;

export interface EndpointWithSecret {
  readonly endpoint: WebhookEndpointRow;
  /** `whsec_…` */
  readonly secret: string;
}

/**
 * Inserts an endpoint. An interrupted execution of the request returned no secret, so the endpoint gets a new one.
 * @throws ApiError `VALIDATION_ERROR` for an address that is no target, `STATE_CONFLICT` where there are enough endpoints
 */
export async function insertEndpoint(
  { database, keyring, webhookTargets }: WebhookEndpointDependencies,
  { merchantAccountId, environment }: Principal,
  { id, fields }: { readonly id: string; readonly fields: CreateWebhookEndpoint },
): Promise<EndpointWithSecret> {
  const owner = { merchantAccountId, environment };
  await requireTarget(fields.url, webhookTargets[environment]);
  const secret = newWebhookSecret();
  const sealed = sealWebhookSecret(keyring, { webhookEndpointId: id, merchantAccountId }, secret);
  const insertion = {
    lock: Prisma.sql`SELECT FROM merchant_account WHERE id = ${merchantAccountId} FOR NO KEY UPDATE`,
    insert: Prisma.sql`
      INSERT INTO webhook_endpoint (id, merchant_account_id, environment, url, description, enabled_events,
        secret_key_id, secret_ciphertext)
      SELECT ${id}, ${merchantAccountId}, ${environment}, ${fields.url}, ${fields.description},
        ${fields.enabledEvents}::text[], ${sealed.keyId}, ${sealed.ciphertext}::bytea
      WHERE (SELECT count(*) FROM webhook_endpoint WHERE merchant_account_id = ${merchantAccountId} AND id <> ${id})
        < ${MAXIMUM_ENDPOINTS}::int
      ON CONFLICT (id) DO UPDATE SET secret_key_id = excluded.secret_key_id,
        secret_ciphertext = excluded.secret_ciphertext`,
    refusal: `A merchant account has at most ${MAXIMUM_ENDPOINTS} webhook endpoints.`,
  };
  return { endpoint: await insertAndRead(database, insertion, () => findEndpoint(database, owner, id)), secret };
}

/**
 * Updates the named fields. Enabling an endpoint resets the time since which it has been failing.
 * @throws ApiError `RESOURCE_NOT_FOUND`, `STATE_CONFLICT`, or `VALIDATION_ERROR` for an address that is no target
 */
export async function updateEndpoint(
  { database, webhookTargets }: WebhookEndpointDependencies,
  owner: AccountScope,
  { id, fields }: { readonly id: string; readonly fields: UpdateWebhookEndpoint },
): Promise<WebhookEndpointRow> {
  if (fields.url !== undefined) await requireTarget(fields.url, webhookTargets[owner.environment]);
  return updateEndpointRow(database, owner, id, (row) => [
    ...(fields.url === undefined ? [] : [Prisma.sql`url = ${fields.url}`]),
    ...(fields.description === undefined ? [] : [Prisma.sql`description = ${fields.description}`]),
    ...(fields.enabledEvents === undefined ? [] : [Prisma.sql`enabled_events = ${fields.enabledEvents}::text[]`]),
    ...(fields.active === undefined ? [] : statusChange(row, fields.active)),
  ]);
}

function statusChange({ status }: WebhookEndpointRow, active: boolean): readonly Prisma.Sql[] {
  if ((status === 'enabled') === active) return [];
  return active
    ? [Prisma.sql`status = 'enabled', disabled_reason = NULL, disabled_at = NULL, failing_since = NULL`]
    : [Prisma.sql`status = 'disabled', disabled_reason = 'by_merchant', disabled_at = now()`];
}

/**
 * Rotates an endpoint's secret. The previous secret stays valid for the overlap; one from an earlier rotation ends now.
 * @param rotationId identifies the execution: a repeat of an interrupted one replaces the new secret, which nobody has seen
 * @throws ApiError `RESOURCE_NOT_FOUND`, `STATE_CONFLICT`
 */
export async function rotateSecret(
  { database, keyring }: WebhookEndpointDependencies,
  owner: AccountScope,
  {
    id,
    rotationId,
    overlapSeconds,
  }: { readonly id: string; readonly rotationId: string; readonly overlapSeconds: number },
): Promise<EndpointWithSecret> {
  const secret = newWebhookSecret();
  const sealed = sealWebhookSecret(keyring, { webhookEndpointId: id, ...owner }, secret);
  const renewed = Prisma.sql`secret_key_id = ${sealed.keyId}, secret_ciphertext = ${sealed.ciphertext}::bytea`;
  const endpoint = await updateEndpointRow(database, owner, id, (row) =>
    row.rotation_id === rotationId ? [renewed] : [renewed, storePreviousSecret(rotationId, overlapSeconds)],
  );
  return { endpoint, secret };
}

function storePreviousSecret(rotationId: string, overlapSeconds: number): Prisma.Sql {
  const rotation = Prisma.sql`rotation_id = ${rotationId}`;
  if (overlapSeconds === 0) {
    return Prisma.sql`${rotation}, previous_secret_key_id = NULL, previous_secret_ciphertext = NULL,
      previous_secret_expires_at = NULL`;
  }
  return Prisma.sql`${rotation}, previous_secret_key_id = secret_key_id, previous_secret_ciphertext = secret_ciphertext,
    previous_secret_expires_at = now() + make_interval(secs => ${overlapSeconds}::int)`;
}

function updateEndpointRow(
  database: Database,
  owner: AccountScope,
  id: string,
  changesOf: (row: WebhookEndpointRow) => readonly Prisma.Sql[],
): Promise<WebhookEndpointRow> {
  return updateOptimistically({
    read: () => findEndpoint(database, owner, id),
    write: async (row) => {
      const changes = [...changesOf(row), Prisma.sql`version = version + 1, updated_at = now()`];
      const [changed] = await database.direct.query<StoredEndpoint[]>`
        UPDATE webhook_endpoint r SET ${Prisma.join(changes)}
        WHERE ${isOwnEndpoint(owner, id)} AND version = ${row.version}::int
        RETURNING ${webhookEndpointJson('r')} AS endpoint`;
      return changed?.endpoint;
    },
    notFound: 'RESOURCE_NOT_FOUND',
  });
}

/** Deletes an endpoint; its pending deliveries are canceled at their next attempt. @throws ApiError `RESOURCE_NOT_FOUND` */
export async function deleteEndpoint(database: Database, owner: AccountScope, id: string): Promise<void> {
  const deleted = await database.direct.execute`DELETE FROM webhook_endpoint WHERE ${isOwnEndpoint(owner, id)}`;
  if (deleted === 0) throw new ApiError('RESOURCE_NOT_FOUND');
}

/**
 * Writes a test event, which is delivered to this endpoint only, like all other events.
 * @param eventId the same for a repeat, which then writes no second event
 * @returns when it was written, ISO 8601 UTC
 * @throws ApiError `RESOURCE_NOT_FOUND`, or `STATE_CONFLICT` for an endpoint that is disabled
 */
export async function writeTestEvent(
  database: Database,
  owner: AccountScope,
  id: string,
  eventId: string,
): Promise<string> {
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

const MESSAGES = {
  https_required: 'In production, webhooks are sent over HTTPS only.',
  credentials_in_url: 'The address must not contain a user name or password.',
  address_not_allowed: 'The host stands for an address that webhooks are not sent to.',
  host_not_found: 'The host cannot be found.',
} as const;

/** @throws ApiError `VALIDATION_ERROR` when webhooks cannot or must not be sent to the address */
async function requireTarget(url: string, policy: TargetPolicy): Promise<void> {
  const problem = await checkTarget(new URL(url), policy);
  if (problem === null) return;
  const field = { field: 'url', code: 'invalid', message: MESSAGES[problem] };
  throw new ApiError('VALIDATION_ERROR', { details: { fields: [field], reason: problem } });
}
