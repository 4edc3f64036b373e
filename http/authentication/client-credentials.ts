import { createHash, timingSafeEqual } from 'node:crypto';
import { clientSecretExpiryMs } from '../../domain/client-secret.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { selectClientCredentials } from '../../prisma/queries/credentials.ts';
import type { Keyring } from '../../vault/keyring.ts';
import { clientSecretsOf, splitClientSecret } from '../../vault/client-secret.ts';
import type { Credentials } from './credentials.ts';
import { hashSecret } from '../../vault/key-secret.ts';

const BEARER = /^[Bb][Ee][Aa][Rr][Ee][Rr] +((pi_[0-9a-f]{32})_secret_[0-9A-Za-z]{24})$/;

/** The ephemeral key that a checkout page made of its client secret, with the intent it is for. */
export interface ClientKey {
  readonly key: string;
  readonly paymentIntentId: string;
}

/** The ephemeral key in an Authorization header, or undefined when there is none of that form. */
export function clientKeyOf(authorization: string | undefined): ClientKey | undefined {
  const [, key, paymentIntentId] = BEARER.exec(authorization ?? '') ?? [];
  return key === undefined || paymentIntentId === undefined ? undefined : { key, paymentIntentId };
}

/**
 * What a client secret gives access to: its intent and nothing else. After the intent's end it only reads, and only for a
 * day. Nothing is cached, so a suspension takes effect at once.
 * @param accountHeader the X-Merchant-ID header; it may only name the intent's own account
 * @returns undefined when no intent has a client secret with that key
 */
export async function findClientCredentials(
  { database, keyring }: { readonly database: Pick<Database, 'direct'>; readonly keyring: Keyring },
  { key, paymentIntentId }: ClientKey,
  accountHeader: string | undefined,
): Promise<Credentials | undefined> {
  const clientSecret = clientSecretsOf(keyring, paymentIntentId).find((secret) =>
    isSame(splitClientSecret(secret).key, key),
  );
  if (clientSecret === undefined) return undefined;
  const row = await database.direct.row(selectClientCredentials(hashSecret(clientSecret)));
  if (row === undefined) return undefined;
  const { status, statusSince, merchantAccountId, ...rest } = row;
  const expiresAtMs = clientSecretExpiryMs(status, statusSince);
  return {
    ...rest,
    // Limits and logs identify a page by its intent, as they identify a merchant by its key.
    apiKeyId: paymentIntentId,
    isReadOnly: expiresAtMs !== null,
    merchantAccountId: accountHeader === undefined || accountHeader === merchantAccountId ? merchantAccountId : null,
    saltHash: hashSecret(splitClientSecret(clientSecret).salt),
    signatureVersion: 1,
    saltKeyId: null,
    saltCiphertext: null,
    scopes: [],
    ipRestricted: false,
    ipAllowlist: [],
    accountBound: true,
    expiresAtMs,
    isRevoked: false,
    requiresIdempotencyKeys: false,
    // The intent's account is the only one, and its status is checked like that of any account.
    isOwnAccountActive: true,
  };
}

/** Takes the same time wherever the texts differ. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
