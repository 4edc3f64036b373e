import type { AuditAction } from '../../domain/audit.ts';
import type { EventType } from '../../domain/events.ts';
import type { Environment } from '../../domain/payment.ts';
import type { Database } from '../../prisma/connection/client.ts';
import type { Prisma, WebhookEndpoint } from '../../prisma/generated/client.ts';
import { lockMerchantAccount } from '../../prisma/queries/lock.ts';
import { webhookEndpointRowOf } from '../../prisma/fragments/webhook-endpoint-json.ts';
import type { Keyring } from '../../vault/keyring.ts';
import { newWebhookSecret, type SecretOwner, sealWebhookSecret } from '../../vault/webhook-secret.ts';
import { checkTarget } from '../../webhooks/target.ts';
import type { TargetPolicy } from '../../webhooks/target-policy.ts';
import { ApiError } from '../../domain/api-error.ts';
import {
  type CreateWebhookEndpoint,
  type UpdateWebhookEndpoint,
  webhookEndpointResource,
} from '../../contract/schemas/webhook-endpoint.ts';
import type { AccountScope } from '../../prisma/fragments/conditions.ts';
import type { Author } from '../audit.ts';
import { creatorOf } from '../created-by.ts';
import { ownedBy } from '../row-scope.ts';
import { deleteRow, insertWithinLimit, updateOptimistically } from '../writes.ts';
import { requireEventScopes } from './event-scopes.ts';
import { describeEndpoint, findEndpoint, ownEndpoint, readEndpoint } from './stored-endpoint.ts';
import type { Principal } from '../../domain/principal.ts';

/** The dependencies of the operations on webhook endpoints. */
export interface WebhookEndpointDependencies {
  readonly database: Database;
  readonly keyring: Keyring;
  /** Where webhooks may go. */
  readonly webhookTargets: Readonly<Record<Environment, TargetPolicy>>;
}

const { enabledEvents: eventTypes } = webhookEndpointResource.shape;

export type OwnerAndAuthor = AccountScope & Author;

/** Endpoints of one account. */
export const MAXIMUM_ENDPOINTS = 20;

export interface EndpointWithSecret {
  readonly endpoint: WebhookEndpoint;
  /** `whsec_…` */
  readonly secret: string;
}

/**
 * Inserts an endpoint. An interrupted execution of the request returned no secret, so the endpoint gets a new one.
 * @throws ApiError `VALIDATION_ERROR` for an address that is no target, `STATE_CONFLICT` where there are enough endpoints
 */
export async function insertEndpoint(
  { database, keyring, webhookTargets }: WebhookEndpointDependencies,
  scope: OwnerAndAuthor,
  { id, fields }: { readonly id: string; readonly fields: CreateWebhookEndpoint },
): Promise<EndpointWithSecret> {
  const { merchantAccountId, environment } = scope;
  await requireTarget(fields.url, webhookTargets[environment]);
  const { url, description, enabledEvents } = fields;
  const { secret, sealed } = newSecret(keyring, { webhookEndpointId: id, merchantAccountId, environment });
  const creator = await creatorOf(database, scope);
  const endpoint = await insertWithinLimit(database, {
    lock: lockMerchantAccount(merchantAccountId),
    insert: ({ webhookEndpoint }) =>
      webhookEndpoint.upsert({
        where: { id },
        create: { id, ...ownedBy(scope), url, description, enabledEvents, ...sealed, ...creator },
        update: sealed,
      }),
    count: ({ webhookEndpoint }) => webhookEndpoint.count({ where: { merchantAccountId } }),
    maximum: MAXIMUM_ENDPOINTS,
    refusal: `A merchant account has at most ${MAXIMUM_ENDPOINTS} webhook endpoints.`,
    audit: { author: scope, action: 'webhook_endpoint.created', describe: describeEndpoint },
  });
  return { endpoint, secret };
}

/** A new secret, and the columns that store it. */
export function newSecret(keyring: Keyring, owner: SecretOwner) {
  const secret = newWebhookSecret();
  const { keyId, ciphertext } = sealWebhookSecret(keyring, owner, secret);
  return { secret, sealed: { secretKeyId: keyId, secretCiphertext: ciphertext } };
}

/**
 * Updates the named fields. Enabling an endpoint resets the time since which it has been failing.
 * @throws ApiError `RESOURCE_NOT_FOUND`, `STATE_CONFLICT`, `INSUFFICIENT_PERMISSIONS` for who may not read what it receives, or `VALIDATION_ERROR` for an address that is no target
 */
export async function updateEndpoint(
  { database, webhookTargets }: WebhookEndpointDependencies,
  scope: Principal,
  { id, fields }: { readonly id: string; readonly fields: UpdateWebhookEndpoint },
): Promise<WebhookEndpoint> {
  const { url, description, enabledEvents, active } = fields;
  if (url !== undefined) await requireTarget(url, webhookTargets[scope.environment]);
  const isPointed = url !== undefined || enabledEvents !== undefined || active === true;
  return await updateEndpointRow(database, scope, { id, action: 'webhook_endpoint.updated' }, (row) => {
    if (isPointed) requireEventScopes(scope, enabledEvents ?? eventTypes.parse(row.enabledEvents));
    return {
      ...(url === undefined ? {} : { url, ...probeNow(row) }),
      ...(description === undefined ? {} : { description }),
      ...(enabledEvents === undefined ? {} : { enabledEvents }),
      ...(active === undefined ? {} : statusChange(row, active)),
    };
  });
}

function statusChange({ status }: WebhookEndpoint, active: boolean): EndpointChanges {
  if ((status === 'enabled') === active) return {};
  return active
    ? { status: 'enabled', disabledReason: null, disabledAt: null, ...NOT_FAILING }
    : { status: 'disabled', disabledReason: 'by_merchant', disabledAt: new Date(), ...NOT_FAILING };
}

const NOT_FAILING = {
  failingSince: null,
  consecutiveFailures: 0,
  probeCount: 0,
  nextProbeAt: null,
  recoveryDueAt: null,
} as const;

/** A failing endpoint that moves to another address need not wait for its next probe. */
function probeNow({ nextProbeAt }: WebhookEndpoint): EndpointChanges {
  if (nextProbeAt === null) return {};
  const now = new Date();
  return { nextProbeAt: now, recoveryDueAt: now };
}

export type EndpointChanges = Prisma.WebhookEndpointUncheckedUpdateManyInput;

/**
 * Updates the columns of an endpoint over the version that was read.
 * @param alongside writes what changes with the row, in the same transaction
 * @throws ApiError `RESOURCE_NOT_FOUND`, `STATE_CONFLICT`
 */
export function updateEndpointRow(
  database: Database,
  scope: OwnerAndAuthor,
  { id, action }: { readonly id: string; readonly action: AuditAction },
  changesOf: (row: WebhookEndpoint) => EndpointChanges,
  alongside: (before: WebhookEndpoint, transaction: Prisma.TransactionClient) => Promise<void> = () =>
    Promise.resolve(),
): Promise<WebhookEndpoint> {
  return updateOptimistically(database, {
    audit: { author: scope, action, describe: describeEndpoint },
    read: () => findEndpoint(database, scope, id),
    changesOf,
    write: async (row, data, transaction) => {
      const where = { ...ownEndpoint(scope, id), version: row.version };
      const [changed] = await transaction.webhookEndpoint.updateManyAndReturn({ where, data });
      if (changed !== undefined) await alongside(row, transaction);
      return changed;
    },
    notFound: 'RESOURCE_NOT_FOUND',
  });
}

/** Deletes an endpoint. Deliveries that are under way end at their next attempt. @throws ApiError `RESOURCE_NOT_FOUND` */
export async function deleteEndpoint(database: Database, scope: OwnerAndAuthor, id: string): Promise<void> {
  const where = ownEndpoint(scope, id);
  await deleteRow(database, {
    read: ({ webhookEndpoint }) => webhookEndpoint.findFirst({ where }),
    remove: ({ webhookEndpoint }) => webhookEndpoint.deleteMany({ where }),
    audit: { author: scope, action: 'webhook_endpoint.deleted', describe: describeEndpoint },
  });
}

/**
 * Writes a test event, which is delivered to this endpoint only, like all other events.
 * @param eventId the same for a repeat, which then writes no second event
 * @returns when it was written, ISO 8601 UTC
 * @throws ApiError `RESOURCE_NOT_FOUND`, or `STATE_CONFLICT` for an endpoint that is disabled
 */
export async function writeTestEvent(
  database: Database,
  scope: AccountScope,
  id: string,
  eventId: string,
): Promise<string> {
  const endpoint = await readEndpoint(database, scope, id);
  const { status, version } = endpoint;
  if (status === 'disabled') {
    throw new ApiError('STATE_CONFLICT', {
      message:
        'Expected an enabled webhook endpoint; this one is disabled. Enable it first: PATCH it with "active": true.',
      details: { status },
    });
  }
  const type: EventType = 'webhook_endpoint.test';
  const snapshot = { webhookEndpoint: webhookEndpointRowOf(endpoint) };
  await database.event.createMany({
    data: [{ id: eventId, ...ownedBy(scope), type, resourceId: id, version, snapshot, createdAt: new Date() }],
    skipDuplicates: true,
  });
  const { createdAt } = await database.event.findUniqueOrThrow({
    where: { id: eventId, ...ownedBy(scope) },
    select: { createdAt: true },
  });
  return createdAt.toISOString();
}

const MESSAGES = {
  https_required: 'Expected a URL with https, because production webhooks are sent over HTTPS only; got http.',
  credentials_in_url:
    'Expected a URL without user name and password; got one with them. Verify the signature of webhooks instead.',
  address_not_allowed:
    'Expected a host with a public address; got one with a private, loopback or otherwise reserved one. Name a host that the internet reaches.',
  host_not_found: 'Expected a host that DNS knows; got one that cannot be found. Check its spelling.',
} as const;

/** @throws ApiError `VALIDATION_ERROR` when webhooks cannot or must not be sent to the address */
async function requireTarget(url: string, policy: TargetPolicy): Promise<void> {
  const problem = await checkTarget(new URL(url), policy);
  if (problem === null) return;
  const field = { field: 'url', code: 'invalid', message: MESSAGES[problem] };
  throw new ApiError('VALIDATION_ERROR', {
    message: `url: ${field.message}`,
    details: { fields: [field], reason: problem },
  });
}
