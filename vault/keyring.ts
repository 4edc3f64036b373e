import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** An encrypted value: the id of its key, and the initialisation vector, authentication tag and data in one buffer. */
export interface Sealed {
  readonly keyId: string;
  readonly ciphertext: Uint8Array<ArrayBuffer>;
}

/** The keys of this installation. The first one encrypts; the others only decrypt older values. */
export interface Keyring {
  /** Encrypts. The associated data is not stored; `open` needs the same text. */
  seal(plaintext: Uint8Array, associatedData: string): Sealed;
  /** @throws SealBrokenError when the key is missing, or the data or associated data was changed */
  open(sealed: { readonly keyId: string; readonly ciphertext: Uint8Array }, associatedData: string): Buffer;
  /** Keyed digests of the data, hex, one for each key and newest first: they identify equal data without storing it. */
  fingerprints(data: Uint8Array): readonly string[];
  /** Bytes that only the holder of the keys can derive from a label, one for each key and newest first. */
  deriveSecrets(label: string, length: number): readonly Buffer[];
}

/** A sealed value cannot be opened. */
export class SealBrokenError extends Error {
  override readonly name = 'SealBrokenError';
}

/** The text of the keys is not in the form `keyId:base64of32bytes[,older:…]`. */
export class KeyringFormatError extends Error {
  override readonly name = 'KeyringFormatError';
}

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const SECRET_LABEL = 'sealed with a secret of the caller';
const KEY_ID = /^[A-Za-z0-9._-]{1,64}$/;
const BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/;

interface Key {
  readonly id: string;
  readonly encryption: Buffer;
  readonly fingerprint: Buffer;
}

/**
 * Reads keys from `keyId:base64of32bytes`, several separated by commas or line ends, the one that encrypts first.
 * @throws KeyringFormatError that names the entry by its place, never by its content
 */
export function parseKeyring(text: string): Keyring {
  const entries = text
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  const keys = entries.map(parseKey);
  if (new Set(keys.map(({ id }) => id)).size !== keys.length) throw new KeyringFormatError('two keys have the same id');
  return createKeyring(keys);
}

function parseKey(entry: string, index: number): Key {
  const separator = entry.indexOf(':');
  const id = entry.slice(0, Math.max(separator, 0));
  const encoded = entry.slice(separator + 1);
  if (!KEY_ID.test(id) || !BASE64.test(encoded)) {
    throw new KeyringFormatError(`key ${index + 1} is not in the form keyId:base64of${KEY_BYTES}bytes`);
  }
  const encryption = Buffer.from(encoded, 'base64');
  return { id, encryption, fingerprint: derive(encryption, 'fingerprint', KEY_BYTES) };
}

function createKeyring(keys: readonly Key[]): Keyring {
  const [first] = keys;
  if (first === undefined) throw new KeyringFormatError('there is no key');
  const byId = new Map(keys.map((key) => [key.id, key.encryption]));

  return {
    seal: (plaintext, associatedData) => ({
      keyId: first.id,
      ciphertext: encrypt(first.encryption, plaintext, associatedData),
    }),
    open: ({ keyId, ciphertext }, associatedData) => {
      const key = byId.get(keyId);
      if (key === undefined) throw new SealBrokenError('the key it was sealed with is not in the keyring');
      return decrypt(key, ciphertext, associatedData);
    },
    fingerprints: (data) => keys.map(({ fingerprint }) => createHmac('sha256', fingerprint).update(data).digest('hex')),
    deriveSecrets: (label, length) => keys.map(({ encryption }) => derive(encryption, `secret:${label}`, length)),
  };
}

/**
 * Encrypts with a secret of the caller that the engine does not store, so that only the caller can have the value opened.
 * @param secret random bytes, 128 bits or more of them
 */
export function sealWithSecret(secret: Buffer, plaintext: Uint8Array, associatedData: string): Uint8Array<ArrayBuffer> {
  return encrypt(derive(secret, SECRET_LABEL, KEY_BYTES), plaintext, associatedData);
}

/** @throws SealBrokenError for another secret, and when the data or associated data was changed */
export function openWithSecret(secret: Buffer, ciphertext: Uint8Array, associatedData: string): Buffer {
  return decrypt(derive(secret, SECRET_LABEL, KEY_BYTES), ciphertext, associatedData);
}

function derive(key: Buffer, info: string, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', info, length));
}

function encrypt(key: Buffer, plaintext: Uint8Array, associatedData: string): Uint8Array<ArrayBuffer> {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(associatedData));
  const data = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Uint8Array.from(Buffer.concat([iv, cipher.getAuthTag(), data]));
}

function decrypt(key: Buffer, ciphertext: Uint8Array, associatedData: string): Buffer {
  if (ciphertext.length < IV_BYTES + TAG_BYTES) throw new SealBrokenError('the sealed value is too short');
  const decipher = createDecipheriv(ALGORITHM, key, ciphertext.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(associatedData));
  decipher.setAuthTag(ciphertext.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(ciphertext.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
  } catch {
    throw new SealBrokenError('the sealed value or its associated data was changed');
  }
}
