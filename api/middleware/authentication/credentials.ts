import { hash } from 'node:crypto';
import type { Environment } from '../../../domain/payment.ts';
import type { Database } from '../../../prisma/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';

/** An API key's row, or its counterpart for a checkout page, with the account that the request acts for. */
export interface Credentials {
  readonly apiKeyId: string;
  readonly merchantId: string;
  readonly environment: Environment;
  /** SHA-256 of the secret salt, hex. */
  readonly saltHash: string;
  readonly scopes: readonly string[];
  readonly ipRestricted: boolean;
  readonly ipAllowlist: readonly string[];
  readonly expiresAtMs: number | null;
  readonly isRevoked: boolean;
  /** Null when the named account is not one this key may act for. */
  readonly merchantAccountId: string | null;
  readonly merchantAccountStatus: string | null;
  readonly attemptBudget: number | null;
  /** Set for a checkout page: the only intent that it may use. */
  readonly paymentIntentId?: string;
}

/** What the API keys of each environment begin with. */
export const KEY_PREFIXES: Readonly<Record<Environment, string>> = { production: 'svc_live_', sandbox: 'svc_test_' };
const BEARER = /^Bearer +(svc_(?:live|test)_[A-Za-z0-9_-]{8,128})$/i;
const ACCOUNT_ID = /^mer_[A-Za-z0-9_]{1,64}$/;
/** Names no account, so that a malformed header is refused like a foreign account. */
const NO_ACCOUNT = '';

/** The API key in an Authorization header, or undefined when it is missing or malformed. */
export function apiKeyOf(authorization: string | undefined): string | undefined {
  return BEARER.exec(authorization ?? '')?.[1];
}

/** SHA-256, hex: what is stored of keys, salts and client secrets. */
export function hashSecret(secret: string | Buffer): string {
  return hash('sha256', secret, 'hex');
}

/**
 * The key's row and the account that the request acts for, in one query. Nothing is cached, so that a revocation or a
 * suspension takes effect at once.
 * @param accountHeader the X-Merchant-ID header; without it the key's own account is meant
 * @returns undefined when there is no such key
 */
export async function findCredentials(
  database: Database,
  apiKey: string,
  accountHeader: string | undefined,
): Promise<Credentials | undefined> {
  const [row] = await database.direct.query<{ credentials: Credentials }[]>`
    SELECT to_json(caller) AS credentials FROM (${selectCredentials(apiKey, accountHeader)}) AS caller`;
  return row === undefined || !hasPrefixOf(apiKey, row.credentials.environment) ? undefined : row.credentials;
}

/** The statement that finds them; as JSON its row is one of `Credentials`. */
export function selectCredentials(apiKey: string, accountHeader: string | undefined): Prisma.Sql {
  const account = accountHeader === undefined || ACCOUNT_ID.test(accountHeader) ? accountHeader : NO_ACCOUNT;
  return Prisma.sql`
    SELECT k.id AS "apiKeyId", k.merchant_id AS "merchantId", k.environment, k.salt_hash AS "saltHash",
      k.scopes, k.ip_restricted AS "ipRestricted", k.ip_allowlist AS "ipAllowlist",
      (extract(epoch FROM k.expires_at) * 1000)::bigint AS "expiresAtMs", k.revoked_at IS NOT NULL AS "isRevoked",
      a.id AS "merchantAccountId", a.status AS "merchantAccountStatus", a.attempt_budget AS "attemptBudget"
    FROM api_key k
    LEFT JOIN merchant_account a
      ON a.id = COALESCE(${account ?? null}::text, k.merchant_account_id)
      AND a.merchant_id = k.merchant_id AND a.environment = k.environment
    WHERE k.key_hash = ${hashSecret(apiKey)}`;
}

/** Whether an API key begins as those of the environment do. */
export function hasPrefixOf(apiKey: string, environment: Environment): boolean {
  return apiKey.startsWith(KEY_PREFIXES[environment]);
}
