import type { Environment } from '../domain/payment.ts';
import type { Sealed, SealedInput } from './envelope.ts';
import type { Keyring, SealContext } from './keyring.ts';

/** The API key that a salt belongs to. */
export interface SaltOwner {
  readonly apiKeyId: string;
  readonly environment: Environment;
}

/** Encrypts the secret salt of an API key on signature version 2 for the key's row. */
export function sealKeySalt(keyring: Keyring, owner: SaltOwner, secretSalt: string): Sealed {
  return keyring.seal(Buffer.from(secretSalt), keySaltContext(owner));
}

/** @throws SealBrokenError when it was sealed for another API key, was tampered with, or its key is gone */
export function openKeySalt(keyring: Keyring, owner: SaltOwner, sealed: SealedInput): string {
  return keyring.open(sealed, keySaltContext(owner)).toString('utf8');
}

/** Ties the ciphertext to the API key. */
export function keySaltContext({ apiKeyId, environment }: SaltOwner): SealContext {
  const associatedData = JSON.stringify(['api_key', apiKeyId, 'secret_salt']);
  return { purpose: 'keySalt', environment, associatedData };
}
