import type { Database } from '../../prisma/connection/client.ts';
import type { AuditedResource } from '../audit.ts';
import { presentKey } from '../../contract/presenters/api-key.ts';
import { readOrThrow } from '../writes.ts';
import { ApiError } from '../../domain/api-error.ts';
import { type PageRequest, readPage, type ReadPage } from '../lists.ts';
import type { AccountScope } from '../../prisma/fragments/conditions.ts';
import { STORED_API_KEY, type StoredApiKey } from '../../prisma/queries/credentials.ts';
import { accountRows } from '../../prisma/queries/list.ts';
import { ownedBy, requireId } from '../row-scope.ts';
import type { Principal } from '../../domain/principal.ts';

/** A key's row without its secrets. */
export type StoredKey = StoredApiKey;

/** Only authentication reads them. */
export const NO_SECRETS = { keyHash: true, saltHash: true, saltKeyId: true, saltCiphertext: true } as const;

/** The key as the audit log shows it. */
export function describeKey(row: StoredKey): AuditedResource {
  const { lastUsedAt: _at, lastUsedFrom: _from, ...state } = presentKey(row);
  return { id: row.id, merchantAccountId: row.merchantAccountId, state };
}

/** @throws ApiError `STATE_CONFLICT` for a key that is revoked or has expired */
export function requireLive(row: StoredKey): void {
  const { status } = presentKey(row);
  if (status === 'active') return;
  throw new ApiError('STATE_CONFLICT', {
    message: `Expected an active API key; this one is ${status}. Create another one with POST /api/v1/api-keys.`,
    details: { status },
  });
}

/** One of the account's keys, or null. */
export function findKey(
  { apiKey }: Pick<Database, 'apiKey'>,
  scope: AccountScope,
  id: string,
): Promise<StoredKey | null> {
  return apiKey.findFirst({ where: { id: requireId('apiKey', id), ...ownedBy(scope) }, omit: NO_SECRETS });
}

/** @throws ApiError `RESOURCE_NOT_FOUND` */
export function readKey(database: Database, scope: AccountScope, id: string): Promise<StoredKey> {
  return readOrThrow(() => findKey(database, scope, id), 'RESOURCE_NOT_FOUND');
}

/** One page of the account's keys, newest first, and how many there are in all. */
export function listKeys(database: Database, scope: AccountScope, page: PageRequest): Promise<ReadPage<StoredKey>> {
  return readPage(database, accountRows('api_key', scope, {}, {}), STORED_API_KEY, page);
}

/**
 * A key makes, changes, rotates and revokes only keys whose scopes it has itself.
 * @throws ApiError `INSUFFICIENT_PERMISSIONS`
 */
export function requireOwnScopes({ scopes: own }: Principal, scopes: readonly string[]): void {
  const missing = scopes.filter((scope) => !own.includes(scope));
  if (missing.length === 0) return;
  throw new ApiError('INSUFFICIENT_PERMISSIONS', {
    message: 'An API key cannot create, change, rotate or revoke a key with scopes that it does not have itself.',
    details: { scopes: missing },
  });
}
