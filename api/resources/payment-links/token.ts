import type { Keyring } from '../../../vault/keyring.ts';
import { hashSecret } from '../../../vault/key-secret.ts';

/** 192 bits: 32 characters of base64url. */
const TOKEN_BYTES = 24;

/** The form of a token. */
export const TOKEN = /^[\w-]{32}$/;

/** Where the pages of links are, below the API's public address. */
export const PAGES_PATH = '/pay';

/**
 * The tokens that a link may have, that of the newest root key first. Derived rather than drawn: merchants see the address of a
 * link again whenever they read it, and yet the database has only a hash, with which nobody can pay or read anything.
 */
export function linkTokensOf(keyring: Keyring, paymentLinkId: string): readonly [string, ...string[]] {
  const [first = '', ...others] = keyring
    .deriveSecrets(`payment_link:${paymentLinkId}`, TOKEN_BYTES)
    .map((bytes) => bytes.toString('base64url'));
  return [first, ...others];
}

/** What the database has of a token. */
export function hashLinkToken(token: string): string {
  return hashSecret(token);
}
