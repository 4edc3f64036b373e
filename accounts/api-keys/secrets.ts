import { randomBytes } from 'node:crypto';
import type { Environment } from '../../domain/payment.ts';
import { sealKeySalt } from '../../vault/key-salt.ts';
import type { Keyring } from '../../vault/keyring.ts';
import { hashSecret, KEY_PREFIXES } from '../../vault/key-secret.ts';

/** What a client of the API needs; shown once. */
export interface ApiKeySecrets {
  /** `svc_test_…` or `svc_live_…` */
  readonly apiKey: string;
  readonly secretSalt: string;
}

const SECRET_BYTES = 32;
/** Enough to recognise a key by, far too little to guess the rest from. */
const VISIBLE_SECRET_CHARACTERS = 4;

/** A new key and salt of 256 random bits each. */
export function newKeySecrets(environment: Environment): ApiKeySecrets {
  return {
    apiKey: `${KEY_PREFIXES[environment]}${randomBytes(SECRET_BYTES).toString('base64url')}`,
    secretSalt: randomBytes(SECRET_BYTES).toString('base64url'),
  };
}

/** The key that secrets belong to. */
export interface SecretsOwner {
  readonly id: string;
  readonly environment: Environment;
  readonly signatureVersion: number;
}

/**
 * What is stored of a key and its salt: hashes, and for signature version 2, which does not send the salt, the encrypted salt.
 * @param keyring null where there are no vault keys, which is enough for version 1
 */
export function storedFormOf(secrets: ApiKeySecrets, owner: SecretsOwner, keyring: Keyring | null) {
  const { apiKey } = secrets;
  return {
    prefix: apiKey.slice(0, KEY_PREFIXES[owner.environment].length + VISIBLE_SECRET_CHARACTERS),
    keyHash: hashSecret(apiKey),
    signatureVersion: owner.signatureVersion,
    ...storedSaltOf(secrets, owner, keyring),
  };
}

function storedSaltOf({ secretSalt }: ApiKeySecrets, owner: SecretsOwner, keyring: Keyring | null) {
  if (owner.signatureVersion === 1) return { saltHash: hashSecret(secretSalt), saltKeyId: null, saltCiphertext: null };
  if (keyring === null) throw new TypeError('signature version 2 needs the keys of the vault');
  const { id: apiKeyId, environment } = owner;
  const { keyId: saltKeyId, ciphertext: saltCiphertext } = sealKeySalt(keyring, { apiKeyId, environment }, secretSalt);
  return { saltHash: '', saltKeyId, saltCiphertext };
}
