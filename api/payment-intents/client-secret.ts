import type { Keyring } from '../../vault/keyring.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 48;
/** So many bits more than 48 characters hold that every character is as likely as the others. */
const SOURCE_BYTES = 64;

/**
 * The client secrets an intent may have, that of the newest key first. Derived rather than drawn, so that a creation
 * which was cut short answers with the same secret when it is repeated, though only its hash is kept.
 */
export function clientSecretsOf(keyring: Keyring, paymentIntentId: string): readonly string[] {
  return keyring
    .deriveSecrets(`client_secret:${paymentIntentId}`, SOURCE_BYTES)
    .map((bytes) => `${paymentIntentId}_secret_${base62(bytes)}`);
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
