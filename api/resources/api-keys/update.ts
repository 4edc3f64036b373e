import type { Database } from '../../../prisma/client.ts';
import type { Prisma } from '../../../prisma/generated/client.ts';
import { type OptimisticUpdate, updateOptimistically, nextVersion } from '../writes.ts';
import type { AccountScope } from '../../../prisma/conditions.ts';
import type { Principal } from '../../middleware/request-context.ts';
import { type UpdateApiKey, isRestrictedToNobody } from '../../schemas/api-key.ts';
import { invalidField } from '../../middleware/validation.ts';
import { ownedBy } from '../row-scope.ts';
import { findKey, NO_SECRETS, requireLive, requireOwnScopes, type StoredKey } from './stored-key.ts';

/**
 * Updates the named fields of a live key.
 * @throws ApiError `RESOURCE_NOT_FOUND`, `STATE_CONFLICT`, `INSUFFICIENT_PERMISSIONS`, or `VALIDATION_ERROR` when the key
 * would be restricted to nobody
 */
export function updateKey(
  database: Database,
  principal: Principal,
  { id, fields }: { readonly id: string; readonly fields: UpdateApiKey },
): Promise<StoredKey> {
  return updateKeyRow(database, principal, id, {
    changesOf: (row) => {
      requireLive(row);
      const { name, scopes, expiresAt, ipAllowlist, ipRestricted } = fields;
      requireOwnScopes(principal, isWidened(fields) ? [...row.scopes, ...(scopes ?? [])] : newScopes(row, scopes));
      if (isRestrictedToNobody(restrictionOf(row, fields))) throw invalidField('ipAllowlist', 'too_short');
      return {
        ...(name === undefined ? {} : { name }),
        ...(scopes === undefined ? {} : { scopes: [...new Set(scopes)] }),
        ...(expiresAt === undefined ? {} : { expiresAt }),
        ...(ipAllowlist === undefined ? {} : { ipAllowlist }),
        ...(ipRestricted === undefined ? {} : { ipRestricted }),
      };
    },
  });
}

function newScopes(row: StoredKey, scopes: readonly string[] = []): string[] {
  return scopes.filter((scope) => !row.scopes.includes(scope));
}

/** Whether the key becomes usable for longer or from other addresses, which counts as granting all of its scopes. */
function isWidened({ expiresAt, ipAllowlist, ipRestricted }: UpdateApiKey): boolean {
  return expiresAt !== undefined || ipAllowlist !== undefined || ipRestricted === false;
}

function restrictionOf(row: StoredKey, { ipRestricted, ipAllowlist }: UpdateApiKey) {
  return { ipRestricted: ipRestricted ?? row.ipRestricted, ipAllowlist: ipAllowlist ?? row.ipAllowlist };
}

/** Ends a key for good; one that is revoked already stays as it is. @throws ApiError `RESOURCE_NOT_FOUND`, `STATE_CONFLICT` */
export function revokeKey(database: Database, scope: AccountScope, id: string): Promise<StoredKey> {
  return updateKeyRow(database, scope, id, {
    changesOf: () => ({ revokedAt: new Date() }),
    isDone: ({ revokedAt }) => revokedAt !== null,
  });
}

function updateKeyRow(
  database: Database,
  scope: AccountScope,
  id: string,
  {
    changesOf,
    ...rest
  }: Pick<OptimisticUpdate<StoredKey>, 'isDone'> & {
    readonly changesOf: (row: StoredKey) => Prisma.ApiKeyUncheckedUpdateManyInput;
  },
): Promise<StoredKey> {
  return updateOptimistically({
    ...rest,
    read: () => findKey(database, scope, id),
    write: async (row) => {
      const where = { id: row.id, version: row.version, ...ownedBy(scope) };
      const data = { ...changesOf(row), ...nextVersion() };
      const [changed] = await database.apiKey.updateManyAndReturn({ where, data, omit: NO_SECRETS });
      return changed;
    },
    notFound: 'RESOURCE_NOT_FOUND',
  });
}
