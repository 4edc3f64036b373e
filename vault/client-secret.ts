import type { Keyring } from './keyring.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 48;
/** The length of the salt, which is the end of a client secret; the part before it is the key. */
const SALT_LENGTH = 24;
/** Far more bits than 48 characters hold, so that all characters are about equally likely. */
const SOURCE_BYTES = 64;

/**
 * The client secrets an intent may have, that of the newest key first. Derived rather than drawn, so that a creation
 * which was cut short answers with the same secret when it is repeated, though only its hash is stored.
 */
export function clientSecretsOf(keyring: Keyring, paymentIntentId: string): readonly string[] {
  return keyring
    .deriveSecrets(`client_secret:${paymentIntentId}`, SOURCE_BYTES)
    .map((bytes) => `${paymentIntentId}_secret_${base62(bytes)}`);
}

/** The two parts of a client secret: a page sends them in place of an API key, and as its secret salt. */
export function splitClientSecret(clientSecret: string): { readonly key: string; readonly salt: string } {
  return { key: clientSecret.slice(0, -SALT_LENGTH), salt: clientSecret.slice(-SALT_LENGTH) };
}

function base62(bytes: Buffer): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  const base = BigInt(ALPHABET.length);
  return Array.from({ length: LENGTH }, () => {
    const character = ALPHABET.charAt(Number(rest % base));
    rest /= base;
    return character;
  }).join('');
}
