import type { Database } from '../../../prisma/client.ts';
import { type ApiKey, Prisma } from '../../../prisma/generated/client.ts';
import { readOrThrow } from '../writes.ts';
import { ApiError } from '../../middleware/errors.ts';
import { NEWEST_FIRST, ofAccount, type AccountScope, type PageRequest, readPage, type ReadPage } from '../lists.ts';
import { storableId } from '../row-scope.ts';
import { type ApiKeyResource, apiKeyResource } from '../../schemas/api-key.ts';
import type { Principal } from '../../middleware/request-context.ts';

/** A key's row without the hashes of its secrets. */
export type StoredKey = Omit<ApiKey, 'keyHash' | 'saltHash'>;

const { environment: environments } = apiKeyResource.shape;
/** Only authentication reads the hashes. */
export const NO_SECRETS = { keyHash: true, saltHash: true } as const;

/** The API key as clients see it. */
export function presentKey(row: StoredKey, now = new Date()): ApiKeyResource {
  return {
    id: row.id,
    object: 'api_key',
    merchantId: row.merchantAccountId,
    environment: environments.parse(row.environment),
    name: row.name,
    prefix: row.prefix,
    status: row.revokedAt !== null ? 'revoked' : isExpired(row, now) ? 'expired' : 'active',
    scopes: row.scopes,
    ipRestricted: row.ipRestricted,
    ipAllowlist: row.ipAllowlist,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    replacedBy: row.replacedById,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function isExpired({ expiresAt }: StoredKey, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/** @throws ApiError `STATE_CONFLICT` for a key that is revoked or has expired */
export function requireLive(row: StoredKey): void {
  const { status } = presentKey(row);
  if (status === 'active') return;
  throw new ApiError('STATE_CONFLICT', { message: `The API key is ${status}.`, details: { status } });
}

/** One of the account's keys, or null. */
export function findKey(database: Database, owner: AccountScope, id: string): Promise<StoredKey | null> {
  return database.apiKey.findFirst({ where: { id: storableId('apiKey', id), ...ownedBy(owner) }, omit: NO_SECRETS });
}

/** @throws ApiError `RESOURCE_NOT_FOUND` */
export function readKey(database: Database, owner: AccountScope, id: string): Promise<StoredKey> {
  return readOrThrow(() => findKey(database, owner, id), 'RESOURCE_NOT_FOUND');
}

const KEY_COLUMNS = Prisma.sql`
  r.id, r.merchant_id AS "merchantId", r.merchant_account_id AS "merchantAccountId", r.environment, r.name, r.prefix,
  r.scopes, r.ip_restricted AS "ipRestricted", r.ip_allowlist AS "ipAllowlist", r.expires_at AS "expiresAt",
  r.revoked_at AS "revokedAt", r.replaced_by_id AS "replacedById", r.version, r.created_at AS "createdAt",
  r.updated_at AS "updatedAt"`;

/** One page of the account's keys, newest first, and how many there are in all. */
export function listKeys(database: Database, owner: AccountScope, page: PageRequest): Promise<ReadPage<StoredKey>> {
  const listed = { table: 'api_key', conditions: [ofAccount(owner)], order: NEWEST_FIRST };
  return readPage(database, listed, KEY_COLUMNS, page);
}

export function ownedBy({ merchantAccountId, environment }: AccountScope): AccountScope {
  return { merchantAccountId, environment };
}

/**
 * A key hands out only what it has itself.
 * @throws ApiError `INSUFFICIENT_PERMISSIONS`
 */
export function requireOwnScopes({ scopes: own }: Principal, handedOut: readonly string[]): void {
  const missing = handedOut.filter((scope) => !own.includes(scope));
  if (missing.length === 0) return;
  throw new ApiError('INSUFFICIENT_PERMISSIONS', {
    message: 'An API key cannot hand out scopes that it does not have.',
    details: { scopes: missing },
  });
}
