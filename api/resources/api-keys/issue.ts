import type { Database } from '../../../prisma/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { ApiError } from '../../middleware/errors.ts';
import { insertAndRead, insertWithinLimit } from '../writes.ts';
import type { Principal } from '../../middleware/request-context.ts';
import type { CreateApiKey, RotateApiKey } from '../../schemas/api-key.ts';
import { SECOND_MS } from '../../../domain/time.ts';
import { findKey, readKey, requireLive, requireOwnScopes, type StoredKey } from './stored-key.ts';
import { randomBytes } from 'node:crypto';
import type { Environment } from '../../../domain/payment.ts';
import { hashSecret, KEY_PREFIXES } from '../../middleware/authentication/credentials.ts';

/** Keys of one account that can be used at the same time. */
export const MAXIMUM_LIVE_KEYS = 100;

export interface IssuedKey {
  readonly row: StoredKey;
  readonly secrets: ApiKeySecrets;
}

/** Whose key it is to be. */
export type KeyOwner = Pick<Principal, 'merchantId' | 'merchantAccountId' | 'environment'>;

/**
 * Inserts a key. An interrupted run of the same request returned no secrets, so the key that it inserted gets new ones.
 * @throws ApiError `STATE_CONFLICT` where the account has enough keys
 */
export async function issueKey(
  database: Database,
  principal: KeyOwner,
  { id, fields }: { readonly id: string; readonly fields: CreateApiKey },
): Promise<IssuedKey> {
  const { merchantId, merchantAccountId, environment } = principal;
  const secrets = newKeySecrets(environment);
  const { prefix, keyHash, saltHash } = storedFormOf(secrets, environment);
  const insert = Prisma.sql`
    INSERT INTO api_key (id, merchant_id, merchant_account_id, environment, name, prefix, key_hash, salt_hash, scopes,
      ip_restricted, ip_allowlist, expires_at)
    SELECT ${id}, ${merchantId}, ${merchantAccountId}, ${environment}, ${fields.name}, ${prefix}, ${keyHash},
      ${saltHash}, ${[...new Set(fields.scopes)]}::text[], ${fields.ipRestricted}::boolean,
      ${fields.ipAllowlist}::text[], ${fields.expiresAt?.toISOString() ?? null}::timestamptz
    WHERE ${liveKeys(principal, id)} < ${MAXIMUM_LIVE_KEYS}::int
    ON CONFLICT (id) DO UPDATE SET prefix = excluded.prefix, key_hash = excluded.key_hash, salt_hash = excluded.salt_hash`;
  const insertion = { lock: lockAccount(principal), insert, refusal: TOO_MANY_KEYS };
  return { row: await insertAndRead(database, insertion, () => findKey(database, principal, id)), secrets };
}

/**
 * Replaces a key by a new one with the same settings; the old one expires after the overlap, or sooner if it was to.
 * @param newId the id of the new key; a repeat with it gives the same key new secrets
 * @throws ApiError `RESOURCE_NOT_FOUND`, `INSUFFICIENT_PERMISSIONS`, or `STATE_CONFLICT` for a key that is over or was
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

const TOO_MANY_KEYS = `A merchant account has at most ${MAXIMUM_LIVE_KEYS} live API keys.`;

function lockAccount({ merchantAccountId }: KeyOwner): Prisma.Sql {
  return Prisma.sql`SELECT FROM merchant_account WHERE id = ${merchantAccountId} FOR NO KEY UPDATE`;
}

/** How many other keys of the account can be used. */
function liveKeys({ merchantAccountId }: KeyOwner, exceptId: string): Prisma.Sql {
  return Prisma.sql`(
    SELECT count(*) FROM api_key
    WHERE merchant_account_id = ${merchantAccountId} AND id <> ${exceptId} AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > now()))`;
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

/** What a client of the API needs; shown once. */
export interface ApiKeySecrets {
  /** `svc_test_…` or `svc_live_…` */
  readonly apiKey: string;
  readonly secretSalt: string;
}

const SECRET_BYTES = 32;
/** Enough to recognise a key by, far too little to guess the rest from. */
const VISIBLE_SECRET_CHARACTERS = 4;

/** A new key and salt of 256 random bits each. */
export function newKeySecrets(environment: Environment): ApiKeySecrets {
  return {
    apiKey: `${KEY_PREFIXES[environment]}${randomBytes(SECRET_BYTES).toString('base64url')}`,
    secretSalt: randomBytes(SECRET_BYTES).toString('base64url'),
  };
}

/** What is stored of a key and its salt. */
export function storedFormOf({ apiKey, secretSalt }: ApiKeySecrets, environment: Environment) {
  return {
    prefix: apiKey.slice(0, KEY_PREFIXES[environment].length + VISIBLE_SECRET_CHARACTERS),
    keyHash: hashSecret(apiKey),
    saltHash: hashSecret(secretSalt),
  };
}
