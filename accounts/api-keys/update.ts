import type { AuditAction } from '../../domain/audit.ts';
import type { Database } from '../../prisma/connection/client.ts';
import type { Prisma } from '../../prisma/generated/client.ts';
import { lockApiKey } from '../../prisma/queries/lock.ts';
import { type OptimisticUpdate, updateOptimistically } from '../writes.ts';
import type { Principal } from '../../domain/principal.ts';
import type { UpdateApiKey } from '../../contract/schemas/api-key.ts';
import { ownedBy, requireId } from '../row-scope.ts';
import { ApiError } from '../../domain/api-error.ts';
import { namesAddresses, requireLaterVersion, requireLimitsWithin } from './key-limits.ts';
import { describeKey, findKey, NO_SECRETS, requireLive, requireOwnScopes, type StoredKey } from './stored-key.ts';

/**
 * Updates the named fields of a live key.
 * @throws ApiError `RESOURCE_NOT_FOUND`, `STATE_CONFLICT`, `INSUFFICIENT_PERMISSIONS`, or `VALIDATION_ERROR` when the key
 * would be restricted to nobody or exceed the limits of the key that changes it
 */
export function updateKey(
  database: Database,
  principal: Principal,
  { id, fields }: { readonly id: string; readonly fields: UpdateApiKey },
): Promise<StoredKey> {
  return updateKeyRow(database, principal, id, {
    action: 'api_key.updated',
    changesOf: (row) => {
      requireLive(row);
      const { name, scopes, expiresAt, ipAllowlist, accountBound } = fields;
      const ipRestricted = fields.ipRestricted ?? (namesAddresses(ipAllowlist) ? true : undefined);
      requireOwnScopes(principal, [...row.scopes, ...(scopes ?? [])]);
      requireSameVersion(fields.signatureVersion ?? row.signatureVersion, row);
      const changes = {
        ...(scopes === undefined ? {} : { scopes: [...new Set(scopes)] }),
        ...(expiresAt === undefined ? {} : { expiresAt }),
        ...(ipAllowlist === undefined ? {} : { ipAllowlist }),
        ...(ipRestricted === undefined ? {} : { ipRestricted }),
        ...(accountBound === undefined ? {} : { accountBound }),
      };
      // A new name alone gives nobody more rights.
      if (Object.keys(changes).length > 0) requireLimitsWithin({ ...row, ...changes }, principal.keyLimits);
      return { ...changes, ...(name === undefined ? {} : { name }) };
    },
  });
}

/**
 * A key on version 1 has sent its salt with each request, and only the hash is stored. So a change of the version takes a new
 * salt, which a rotation makes.
 * @throws ApiError `STATE_CONFLICT` for a later version, `VALIDATION_ERROR` for an earlier one
 */
function requireSameVersion(signatureVersion: number, row: StoredKey): void {
  requireLaterVersion(signatureVersion, row);
  if (signatureVersion === row.signatureVersion) return;
  throw new ApiError('STATE_CONFLICT', {
    message:
      `The salt of a key on signature version ${row.signatureVersion} cannot be used for version ${signatureVersion}. ` +
      `Rotate the key: POST /api/v1/api-keys/${row.id}/rotate with {"signatureVersion": ${signatureVersion}}.`,
    details: { signatureVersion: row.signatureVersion },
  });
}

/**
 * Ends a key for good; one that is revoked already stays as it is.
 * @throws ApiError `RESOURCE_NOT_FOUND`, `STATE_CONFLICT`, or `INSUFFICIENT_PERMISSIONS` for a key with other scopes
 */
export function revokeKey(database: Database, principal: Principal, id: string): Promise<StoredKey> {
  return updateKeyRow(database, principal, id, {
    action: 'api_key.revoked',
    changesOf: ({ scopes, revokedAt }) => {
      if (revokedAt !== null) return {};
      requireOwnScopes(principal, scopes);
      return { revokedAt: new Date() };
    },
    lock: lockApiKey(requireId('apiKey', id), principal),
  });
}

function updateKeyRow(
  database: Database,
  scope: Principal,
  id: string,
  {
    action,
    ...rest
  }: Pick<OptimisticUpdate<StoredKey, Prisma.ApiKeyUncheckedUpdateManyInput>, 'changesOf' | 'lock'> & {
    readonly action: AuditAction;
  },
): Promise<StoredKey> {
  return updateOptimistically(database, {
    ...rest,
    audit: { author: scope, action, describe: describeKey },
    read: (transaction) => findKey(transaction, scope, id),
    write: async (row, data, { apiKey }) => {
      const where = { id: row.id, version: row.version, ...ownedBy(scope) };
      const [changed] = await apiKey.updateManyAndReturn({ where, data, omit: NO_SECRETS });
      return changed;
    },
    notFound: 'RESOURCE_NOT_FOUND',
  });
}
