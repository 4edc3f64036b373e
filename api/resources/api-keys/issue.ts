import type { Database } from '../../../prisma/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { insertAndRead } from '../writes.ts';
import type { Principal } from '../../middleware/request-context.ts';
import type { CreateApiKey } from '../../schemas/api-key.ts';
import { findKey, type StoredKey } from './stored-key.ts';
import { randomBytes } from 'node:crypto';
import type { Environment } from '../../../domain/payment.ts';
import { hashSecret, KEY_PREFIXES } from '../../middleware/authentication/credentials.ts';

/** The most live keys that one account may have. */
export const MAXIMUM_LIVE_KEYS = 100;

export interface IssuedKey {
  readonly row: StoredKey;
  readonly secrets: ApiKeySecrets;
}

/** The merchant and account that a key belongs to. */
export type KeyOwner = Pick<Principal, 'merchantId' | 'merchantAccountId' | 'environment'>;

/**
 * Inserts a key. An interrupted execution of the same request returned no secrets, so the key that it inserted gets new ones.
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

/** The message when the account has `MAXIMUM_LIVE_KEYS`. */
export const TOO_MANY_KEYS = `A merchant account has at most ${MAXIMUM_LIVE_KEYS} live API keys.`;

/** Locks the account, so that concurrent insertions of keys respect the limit. */
export function lockAccount({ merchantAccountId }: KeyOwner): Prisma.Sql {
  return Prisma.sql`SELECT FROM merchant_account WHERE id = ${merchantAccountId} FOR NO KEY UPDATE`;
}

/** How many other keys of the account can be used. */
export function liveKeys({ merchantAccountId }: KeyOwner, exceptId: string): Prisma.Sql {
  return Prisma.sql`(
    SELECT count(*) FROM api_key
    WHERE merchant_account_id = ${merchantAccountId} AND id <> ${exceptId} AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > now()))`;
}

/** The secrets of a key, which are returned once and never stored. */
export interface ApiKeySecrets {
  /** `svc_test_…` or `svc_live_…` */
  readonly apiKey: string;
  readonly secretSalt: string;
}

const SECRET_BYTES = 32;
/** The characters of a secret that are stored in the clear, so that people recognise the key. */
const VISIBLE_SECRET_CHARACTERS = 4;

/** A new key and salt of 256 random bits each. */
export function newKeySecrets(environment: Environment): ApiKeySecrets {
  return {
    apiKey: `${KEY_PREFIXES[environment]}${randomBytes(SECRET_BYTES).toString('base64url')}`,
    secretSalt: randomBytes(SECRET_BYTES).toString('base64url'),
  };
}

/** The columns that are stored of a key and its salt. */
export function storedFormOf({ apiKey, secretSalt }: ApiKeySecrets, environment: Environment) {
  return {
    prefix: apiKey.slice(0, KEY_PREFIXES[environment].length + VISIBLE_SECRET_CHARACTERS),
    keyHash: hashSecret(apiKey),
    saltHash: hashSecret(secretSalt),
  };
}
