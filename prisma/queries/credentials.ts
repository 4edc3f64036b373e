import { ENVIRONMENTS, type Environment } from '../../domain/payment.ts';
import { PAYMENT_STATUSES } from '../../domain/payment-state.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { countInWindow } from '../fragments/count-in-window.ts';
import { type ApiKey, Prisma } from '../generated/client.ts';
import {
  bigint,
  boolean,
  integer,
  json,
  nullable,
  oneOf,
  returning,
  type Statement,
  text,
  texts,
  timestamp,
} from '../connection/statement.ts';

/** An API key with the account that a request acts for. */
export interface KeyCredentials {
  readonly apiKeyId: string;
  readonly merchantId: string;
  readonly environment: Environment;
  /** SHA-256 of the secret salt, hex; empty for signature version 2, so that no salt of a request matches. */
  readonly saltHash: string;
  /** The only version of the signature that the key takes. */
  readonly signatureVersion: number;
  /** The encrypted salt of version 2, in base64, with the id of its vault key; both are null for version 1. */
  readonly saltKeyId: string | null;
  readonly saltCiphertext: string | null;
  readonly scopes: readonly string[];
  readonly ipRestricted: boolean;
  readonly ipAllowlist: readonly string[];
  readonly expiresAtMs: number | null;
  /** Whether the key may act for its own account only. */
  readonly accountBound: boolean;
  readonly isRevoked: boolean;
  /** Whether the key's own account is active; the key of a suspended account acts for no other account either. */
  readonly isOwnAccountActive: boolean;
  /** Null when the named account is not one this key may act for. */
  readonly merchantAccountId: string | null;
  readonly merchantAccountStatus: string | null;
  readonly attemptBudget: number | null;
  /** Whether refunds and captures of the account need an idempotency key. */
  readonly requiresIdempotencyKeys: boolean | null;
}

/** The sender that a request names. */
export interface KeyReference {
  /** SHA-256 of the API key, hex. */
  readonly keyHash: string;
  /** Null stands for the key's own account. */
  readonly merchantAccountId: string | null;
}

/** One JSON value, which is read much faster than the key's arrays. */
const CREDENTIALS = json<KeyCredentials>('json');

/** A key and the account that the request acts for. */
export function selectCredentials(reference: KeyReference): Statement<{ credentials: KeyCredentials }> {
  return returning({ credentials: CREDENTIALS })`
    SELECT to_json(caller) AS credentials FROM (${callerOf(reference)}) AS caller`;
}

/** A key whose requests were counted in its window; points and end of the window are null where they were not. */
export interface CountedKey {
  readonly credentials: KeyCredentials;
  readonly points: number | null;
  /** When the window ends, in ms since the epoch. */
  readonly expire: bigint | null;
}

/**
 * Reads a key and counts its requests where nothing but the limit or the merchant's status can still reject them, in
 * the row that `RateLimiterPostgres` uses.
 * @param saltHash SHA-256, hex, of the salt that the requests are signed with
 */
export function countRequests(
  { saltHash, ...reference }: KeyReference & { readonly saltHash: string },
  { requests, nowMs }: { readonly requests: number; readonly nowMs: number },
): Statement<CountedKey> {
  const now = Prisma.sql`${nowMs}::bigint`;
  return returning({ credentials: CREDENTIALS, points: nullable(integer), expire: nullable(bigint) })`
    WITH caller AS MATERIALIZED (${callerOf(reference)}), counted AS (
      INSERT INTO rate_limit AS r (key, points, expire)
      SELECT environment || ':' || "apiKeyId", ${requests}::int, ${now} + ${MINUTE_MS}::bigint FROM caller
      WHERE "saltHash" = ${saltHash} AND NOT "isRevoked" AND NOT "ipRestricted"
        AND ("expiresAtMs" IS NULL OR "expiresAtMs" > ${now})
      ${countInWindow(now)}
      RETURNING points, expire
    )
    SELECT to_json(caller) AS credentials, counted.points, counted.expire FROM caller LEFT JOIN counted ON true`;
}

/** The intent of a client secret, with its account. @param clientSecretHash SHA-256, hex */
export function selectClientCredentials(clientSecretHash: string) {
  return returning({
    paymentIntentId: text,
    environment: oneOf(ENVIRONMENTS),
    status: oneOf(PAYMENT_STATUSES),
    statusSince: timestamp,
    merchantId: text,
    merchantAccountId: text,
    merchantAccountStatus: text,
    attemptBudget: integer,
  })`
    SELECT i.id AS "paymentIntentId", i.environment, i.status, i.status_since AS "statusSince", a.merchant_id AS "merchantId", a.id AS "merchantAccountId",
      a.status AS "merchantAccountStatus", a.attempt_budget AS "attemptBudget"
    FROM payment_intent i JOIN merchant_account a ON a.id = i.merchant_account_id
    WHERE i.client_secret_hash = ${clientSecretHash}`;
}

function callerOf({ keyHash, merchantAccountId }: KeyReference): Prisma.Sql {
  return Prisma.sql`
    SELECT k.id AS "apiKeyId", k.merchant_id AS "merchantId", k.environment, k.salt_hash AS "saltHash",
      k.signature_version AS "signatureVersion", k.salt_key_id AS "saltKeyId", encode(k.salt_ciphertext, 'base64') AS "saltCiphertext",
      k.scopes, k.ip_restricted AS "ipRestricted", k.ip_allowlist AS "ipAllowlist",
      k.account_bound AS "accountBound", (extract(epoch FROM k.expires_at) * 1000)::bigint AS "expiresAtMs", k.revoked_at IS NOT NULL AS "isRevoked",
      own.status = 'active' AS "isOwnAccountActive",
      a.id AS "merchantAccountId", a.status AS "merchantAccountStatus", a.attempt_budget AS "attemptBudget",
      a.require_idempotency_keys AS "requiresIdempotencyKeys"
    FROM api_key k
    JOIN merchant_account own ON own.id = k.merchant_account_id
    LEFT JOIN merchant_account a
      ON a.id = COALESCE(${merchantAccountId}::text, k.merchant_account_id)
      AND a.merchant_id = k.merchant_id AND a.environment = k.environment
      AND (a.id = k.merchant_account_id OR NOT k.account_bound)
    WHERE k.key_hash = ${keyHash}`;
}

/** Stores the nonce of a request; changes no row where the API key has used it before. */
export function insertNonce(apiKeyId: string, nonce: string): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO request_nonce (api_key_id, nonce) VALUES (${apiKeyId}, ${nonce}) ON CONFLICT DO NOTHING`;
}

/** The columns of a key that hold its secrets, hashed or encrypted. */
type KeySecret = 'keyHash' | 'saltHash' | 'saltKeyId' | 'saltCiphertext';

/** A key without its secrets. */
export type StoredApiKey = Omit<ApiKey, KeySecret>;

/** A key without its secrets, as Prisma Client reads it, from a row that is called `r`. */
export const STORED_API_KEY = returning<StoredApiKey>({
  id: text,
  merchantId: text,
  merchantAccountId: text,
  environment: text,
  name: text,
  prefix: text,
  scopes: texts,
  ipRestricted: boolean,
  ipAllowlist: texts,
  accountBound: boolean,
  signatureVersion: integer,
  expiresAt: nullable(timestamp),
  revokedAt: nullable(timestamp),
  replacedById: nullable(text),
  createdById: nullable(text),
  createdByKeyId: nullable(text),
  lastUsedAt: nullable(timestamp),
  lastUsedFrom: nullable(text),
  version: integer,
  createdAt: timestamp,
  updatedAt: timestamp,
})`
  r.id, r.merchant_id AS "merchantId", r.merchant_account_id AS "merchantAccountId", r.environment, r.name, r.prefix,
  COALESCE(r.scopes, '{}') AS scopes, r.ip_restricted AS "ipRestricted",
  COALESCE(r.ip_allowlist, '{}') AS "ipAllowlist", r.account_bound AS "accountBound",
  r.signature_version AS "signatureVersion", r.expires_at AS "expiresAt",
  r.revoked_at AS "revokedAt", r.replaced_by_id AS "replacedById", r.created_by_id AS "createdById",
  r.created_by_key_id AS "createdByKeyId", r.last_used_at AS "lastUsedAt", r.last_used_from AS "lastUsedFrom", r.version,
  r.created_at AS "createdAt", r.updated_at AS "updatedAt"`;
