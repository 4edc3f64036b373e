import { SECOND_MS } from '../../domain/time.ts';
import { transactionWithLock } from '../../prisma/connection/client.ts';
import type { Prisma } from '../../prisma/generated/client.ts';
import { lockMerchant } from '../../prisma/queries/lock.ts';
import { ApiError } from '../../domain/api-error.ts';
import type { Principal } from '../../domain/principal.ts';
import type { RotateApiKey } from '../../contract/schemas/api-key.ts';
import { type Audit, recordChange } from '../audit.ts';
import { creatorOf } from '../created-by.ts';
import { ownedBy } from '../row-scope.ts';
import { nextVersion } from '../writes.ts';
import { insertLiveKey, type IssuedKey, type KeyIssuer, requireMayStillIssue } from './issue.ts';
import { requireLaterVersion, requireNoExcess } from './key-limits.ts';
import { newKeySecrets, storedFormOf } from './secrets.ts';
import { describeKey, NO_SECRETS, readKey, requireLive, requireOwnScopes, type StoredKey } from './stored-key.ts';

/**
 * Replaces a key by a new one with the same settings, or on a later signature version; the old one expires after the overlap, or
 * sooner if it was to.
 * @param newId the id of the new key; a repeat with it gives the same key new secrets
 * @throws ApiError `RESOURCE_NOT_FOUND`, `INSUFFICIENT_PERMISSIONS`, `VALIDATION_ERROR` for an earlier signature version,
 * `STATE_CONFLICT` for a key that was revoked, has expired or was rotated before, and if the account has too many keys, or what
 * `requireMayStillIssue` throws
 */
export async function rotateKey(
  { database, keyring }: KeyIssuer,
  principal: Principal,
  { id, newId, fields }: { readonly id: string; readonly newId: string; readonly fields: RotateApiKey },
): Promise<IssuedKey> {
  const old = await readKey(database, principal, id);
  requireOwnScopes(principal, old.scopes);
  const { environment } = principal;
  const signatureVersion = fields.signatureVersion ?? old.signatureVersion;
  requireLaterVersion(signatureVersion, old);
  requireNoExcess({ ...old, signatureVersion }, principal);
  const secrets = newKeySecrets(environment);
  // Who rotates a key learns its new secrets, and so counts as its maker.
  const creator = await creatorOf(database, principal);
  if (old.replacedById === newId) {
    const row = await readKey(database, principal, newId);
    // Somebody may have widened the new key meanwhile.
    requireOwnScopes(principal, row.scopes);
    requireNoExcess(row, principal);
    const owner = { id: newId, environment, signatureVersion: row.signatureVersion };
    const stored = { ...storedFormOf(secrets, owner, keyring), ...creator };
    await transactionWithLock(database, lockMerchant(principal.merchantId), async (transaction) => {
      await requireMayStillIssue(transaction, principal);
      await transaction.apiKey.updateMany({ where: { id: newId, ...ownedBy(principal) }, data: stored });
      await recordChange(transaction, auditOf(principal), { before: row, after: row });
    });
    return { row, secrets };
  }
  requireLive(old);
  if (old.replacedById !== null) {
    throw new ApiError('STATE_CONFLICT', {
      message:
        'Expected a key that was not rotated yet; this one was. Use the key that replaced it, or rotate that one.',
      details: { replacedBy: old.replacedById },
    });
  }
  const stored = storedFormOf(secrets, { id: newId, environment, signatureVersion }, keyring);
  const replacement = { ...settingsOf(old), id: newId, ...creator, ...stored };
  // Without an overlap the old key makes room for the new one.
  const row = await insertLiveKey(database, principal, async (transaction) => {
    const after = await endAfter(transaction, old, { replacedById: newId, overlapSeconds: fields.overlapSeconds });
    await recordChange(transaction, auditOf(principal), { before: old, after });
    return await transaction.apiKey.create({ data: replacement, omit: NO_SECRETS });
  });
  return { row, secrets };
}

function auditOf(author: Principal): Audit<StoredKey> {
  return { author, action: 'api_key.rotated', describe: describeKey };
}

function settingsOf(key: StoredKey) {
  const { merchantId, merchantAccountId, environment, name, scopes, ...rest } = key;
  const { accountBound, ipRestricted, ipAllowlist, expiresAt } = rest;
  const limits = { accountBound, ipRestricted, ipAllowlist, expiresAt };
  return { merchantId, merchantAccountId, environment, name, scopes, ...limits };
}

async function endAfter(
  { apiKey }: Prisma.TransactionClient,
  { id, version, expiresAt, merchantAccountId, environment }: StoredKey,
  { replacedById, overlapSeconds }: { readonly replacedById: string; readonly overlapSeconds: number },
): Promise<StoredKey> {
  const until = new Date(Date.now() + overlapSeconds * SECOND_MS);
  const [ended] = await apiKey.updateManyAndReturn({
    where: { id, merchantAccountId, environment, version, revokedAt: null },
    data: { replacedById, expiresAt: expiresAt !== null && expiresAt < until ? expiresAt : until, ...nextVersion() },
    omit: NO_SECRETS,
  });
  if (ended === undefined) {
    throw new ApiError('STATE_CONFLICT', {
      message:
        'Another request changed the API key at the same time. Read it again, and repeat the rotation if need be.',
    });
  }
  return ended;
}
