import type { Keyring, Sealed } from './keyring.ts';

/** Encrypts the secret salt of an API key on signature version 2 for the key's row. */
export function sealKeySalt(keyring: Keyring, apiKeyId: string, secretSalt: string): Sealed {
  return keyring.seal(Buffer.from(secretSalt), associatedDataOf(apiKeyId));
}

/** @throws SealBrokenError when it was sealed for another API key, was tampered with, or its key is gone */
export function openKeySalt(
  keyring: Keyring,
  apiKeyId: string,
  sealed: { readonly keyId: string; readonly ciphertext: Uint8Array },
): string {
  return keyring.open(sealed, associatedDataOf(apiKeyId)).toString('utf8');
}

function associatedDataOf(apiKeyId: string): string {
  return JSON.stringify(['api_key', apiKeyId, 'secret_salt']);
}
