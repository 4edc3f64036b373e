import type { Database } from '../../../prisma/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { SECOND_MS } from '../../../domain/time.ts';
import { ApiError } from '../../middleware/errors.ts';
import type { Principal } from '../../middleware/request-context.ts';
import type { RotateApiKey } from '../../schemas/api-key.ts';
import { insertWithinLimit } from '../writes.ts';
import {
  type ApiKeySecrets,
  type IssuedKey,
  liveKeys,
  lockAccount,
  MAXIMUM_LIVE_KEYS,
  newKeySecrets,
  storedFormOf,
  TOO_MANY_KEYS,
} from './issue.ts';
import { readKey, requireLive, requireOwnScopes, type StoredKey } from './stored-key.ts';

/**
 * Replaces a key by a new one with the same settings; the old one expires after the overlap, or at its own expiry if that is sooner.
 * @param newId the id of the new key; a repeat with it gives the same key new secrets
 * @throws ApiError `RESOURCE_NOT_FOUND`, `INSUFFICIENT_PERMISSIONS`, or `STATE_CONFLICT` for a key that has ended or was
 * rotated before, and where the account has enough keys
 */
export async function rotateKey(
  database: Database,
  principal: Principal,
  { id, newId, fields }: { readonly id: string; readonly newId: string; readonly fields: RotateApiKey },
): Promise<IssuedKey> {
  const old = await readKey(database, principal, id);
  requireOwnScopes(principal, old.scopes);
  const secrets = newKeySecrets(principal.environment);
  if (old.replacedById === newId) return await reissue(database, principal, newId, secrets);
  requireLive(old);
  if (old.replacedById !== null) {
    throw new ApiError('STATE_CONFLICT', {
      message: 'The API key was rotated before.',
      details: { replacedBy: old.replacedById },
    });
  }
  const replaced = await insertWithinLimit(database, {
    lock: lockAccount(principal),
    insert: replacement(principal, { old, newId, secrets, overlapSeconds: fields.overlapSeconds }),
  });
  if (replaced === 0) await explainRefusal(database, principal, old);
  return { row: await readKey(database, principal, newId), secrets };
}

interface Replacement {
  readonly old: StoredKey;
  readonly newId: string;
  readonly secrets: ApiKeySecrets;
  readonly overlapSeconds: number;
}

/** Without an overlap the old key makes room for the new one. */
function replacement(principal: Principal, { old, newId, secrets, overlapSeconds }: Replacement): Prisma.Sql {
  const until = new Date(Date.now() + overlapSeconds * SECOND_MS).toISOString();
  const allowedBesides = MAXIMUM_LIVE_KEYS - (overlapSeconds === 0 ? 0 : 1);
  const { prefix, keyHash, saltHash } = storedFormOf(secrets, principal.environment);
  return Prisma.sql`
    WITH old AS (
      UPDATE api_key SET replaced_by_id = ${newId}, expires_at = LEAST(expires_at, ${until}::timestamptz),
        version = version + 1, updated_at = now()
      WHERE id = ${old.id} AND version = ${old.version}::int AND revoked_at IS NULL
        AND ${liveKeys(principal, old.id)} < ${allowedBesides}::int
      RETURNING *
    )
    INSERT INTO api_key (id, merchant_id, merchant_account_id, environment, name, prefix, key_hash, salt_hash, scopes,
      ip_restricted, ip_allowlist, expires_at)
    SELECT ${newId}, merchant_id, merchant_account_id, environment, name, ${prefix}, ${keyHash}, ${saltHash}, scopes,
      ip_restricted, ip_allowlist, ${old.expiresAt?.toISOString() ?? null}::timestamptz
    FROM old`;
}

async function reissue(
  database: Database,
  principal: Principal,
  newId: string,
  secrets: ApiKeySecrets,
): Promise<IssuedKey> {
  const { merchantAccountId, environment } = principal;
  const data = storedFormOf(secrets, environment);
  await database.apiKey.updateMany({ where: { id: newId, merchantAccountId, environment }, data });
  return { row: await readKey(database, principal, newId), secrets };
}

async function explainRefusal(database: Database, principal: Principal, old: StoredKey): Promise<never> {
  const { version } = await readKey(database, principal, old.id);
  const message = version === old.version ? TOO_MANY_KEYS : 'Another request changed the API key at the same time.';
  throw new ApiError('STATE_CONFLICT', { message });
}
