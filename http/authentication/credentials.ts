import type { Environment } from '../../domain/payment.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { hashSecret, KEY_PREFIXES } from '../../vault/key-secret.ts';
import { type KeyCredentials, type KeyReference, selectCredentials } from '../../prisma/queries/credentials.ts';

/** An API key's row, or its counterpart for a checkout page, with the account that the request acts for. */
export interface Credentials extends KeyCredentials {
  /** The only intent that a checkout page may use; absent for API keys. */
  readonly paymentIntentId?: string;
  /** Whether that intent has ended, so that the page may only read it. */
  readonly isReadOnly?: boolean;
}

const BEARER = /^Bearer +(svc_(?:live|test)_[A-Za-z0-9_-]{8,128})$/i;
const ACCOUNT_ID = /^mer_[A-Za-z0-9_]{1,64}$/;
/** The id of no account: a malformed header is refused like the account of another merchant. */
const NO_ACCOUNT = '';

/** The API key in an Authorization header, or undefined when it is missing or malformed. */
export function apiKeyOf(authorization: string | undefined): string | undefined {
  return BEARER.exec(authorization ?? '')?.[1];
}

const TOKEN = /^(?:Bearer|Session) +(\S+)$/i;

/**
 * What only the caller of a request knows: its API key and salt (which together are a page's client secret), or its session.
 * @param header the value of a header by its lower-case name
 * @returns undefined where the request has none of them; a text that nobody has checked
 */
export function secretOf(header: (name: string) => string | undefined): string | undefined {
  const token = TOKEN.exec(header('authorization') ?? '')?.[1];
  return token === undefined ? undefined : `${token}${header('x-secret-salt') ?? ''}`;
}

/**
 * The key's row and the account that the request acts for, in one query. Nothing is cached, so that a revocation or a
 * suspension takes effect at once.
 * @param accountHeader the X-Merchant-ID header; without it the key's own account is meant
 * @returns undefined when there is no such key
 */
export async function findCredentials(
  database: Pick<Database, 'direct'>,
  apiKey: string,
  accountHeader: string | undefined,
): Promise<Credentials | undefined> {
  const row = await database.direct.row(selectCredentials(keyReference(apiKey, accountHeader)));
  return row === undefined || !hasPrefixOf(apiKey, row.credentials.environment) ? undefined : row.credentials;
}

/** The values by which the key's row and the account are found. @param accountHeader the X-Merchant-ID header */
export function keyReference(apiKey: string, accountHeader: string | undefined): KeyReference {
  const account = accountHeader === undefined || ACCOUNT_ID.test(accountHeader) ? accountHeader : NO_ACCOUNT;
  return { keyHash: hashSecret(apiKey), merchantAccountId: account ?? null };
}

/** Whether an API key begins as those of the environment do. */
export function hasPrefixOf(apiKey: string, environment: Environment): boolean {
  return apiKey.startsWith(KEY_PREFIXES[environment]);
}
