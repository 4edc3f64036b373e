import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** An encrypted value: the id of the key that it needs, and one buffer with everything else. */
export interface Sealed {
  readonly keyId: string;
  readonly ciphertext: Uint8Array<ArrayBuffer>;
}

/** A value as it was read. */
export interface SealedInput {
  readonly keyId: string;
  readonly ciphertext: Uint8Array;
}

/** The error of a sealed value that cannot be opened. */
export class SealBrokenError extends Error {
  override readonly name = 'SealBrokenError';
}

/** Encrypts the data keys of rows under one key. */
export interface DataKeyWrapper {
  /** The key id that the row then has. */
  readonly keyId: string;
  /** The length of a wrapped data key. */
  readonly wrappedBytes: number;
  wrap(dataKey: Buffer): Uint8Array;
}

/** @throws SealBrokenError for a data key that was wrapped by another key, or was changed */
export interface DataKeyUnwrapper extends DataKeyWrapper {
  unwrap(wrapped: Uint8Array): Buffer;
}

const ALGORITHM = 'aes-256-gcm';
export const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** The bytes that `encrypt` adds to the length of its plaintext. */
export const OVERHEAD_BYTES = IV_BYTES + TAG_BYTES;

/** Encrypts a value under a data key of its own, and that key under the wrapper's. The wrapped key comes first. */
export function sealEnvelope(wrapper: DataKeyWrapper, plaintext: Uint8Array, associatedData: string): Sealed {
  const dataKey = randomBytes(KEY_BYTES);
  return join(wrapper, dataKey, encrypt(dataKey, plaintext, associatedData));
}

/** @throws SealBrokenError when the key is another one, or the value or its associated data was changed */
export function openEnvelope(wrapper: DataKeyUnwrapper, ciphertext: Uint8Array, associatedData: string): Buffer {
  const { dataKey, data } = split(wrapper, ciphertext);
  return decrypt(dataKey, data, associatedData);
}

/** An encrypted value, and the associated data that it is bound to. */
export interface BoundCiphertext {
  readonly ciphertext: Uint8Array;
  readonly associatedData: string;
}

/**
 * Exchanges the wrapped data key and leaves the encrypted value as it is. The value is decrypted once as a check, so that a value
 * that cannot be opened never counts as rewrapped.
 * @throws SealBrokenError as `openEnvelope` does
 */
export function rewrapEnvelope(
  from: DataKeyUnwrapper,
  to: DataKeyWrapper,
  { ciphertext, associatedData }: BoundCiphertext,
): Sealed {
  const { dataKey, data } = split(from, ciphertext);
  decrypt(dataKey, data, associatedData);
  return join(to, dataKey, data);
}

function join(wrapper: DataKeyWrapper, dataKey: Buffer, data: Uint8Array): Sealed {
  return { keyId: wrapper.keyId, ciphertext: Uint8Array.from(Buffer.concat([wrapper.wrap(dataKey), data])) };
}

function split({ wrappedBytes, unwrap }: DataKeyUnwrapper, ciphertext: Uint8Array) {
  return { dataKey: unwrap(ciphertext.subarray(0, wrappedBytes)), data: ciphertext.subarray(wrappedBytes) };
}

/** Derives a key from another one with HKDF-SHA256. */
export function deriveKey(key: Buffer, info: string, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', info, length));
}

/** AES-256-GCM: initialisation vector, authentication tag and data in one buffer. */
export function encrypt(key: Buffer, plaintext: Uint8Array, associatedData: string): Uint8Array<ArrayBuffer> {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(associatedData));
  const data = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Uint8Array.from(Buffer.concat([iv, cipher.getAuthTag(), data]));
}

/** @throws SealBrokenError for another key, and when the data or associated data was changed */
export function decrypt(key: Buffer, ciphertext: Uint8Array, associatedData: string): Buffer {
  if (ciphertext.length < OVERHEAD_BYTES) throw new SealBrokenError('the sealed value is too short');
  const decipher = createDecipheriv(ALGORITHM, key, ciphertext.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(associatedData));
  decipher.setAuthTag(ciphertext.subarray(IV_BYTES, OVERHEAD_BYTES));
  try {
    return Buffer.concat([decipher.update(ciphertext.subarray(OVERHEAD_BYTES)), decipher.final()]);
  } catch {
    throw new SealBrokenError('the sealed value or its associated data was changed');
  }
}

const SECRET_LABEL = 'sealed with a secret of the caller';

/**
 * Encrypts with a secret of the caller that the engine does not store, so that the engine can open the value only for this
 * caller.
 * @param secret random bytes, 128 bits or more of them
 */
export function sealWithSecret(secret: Buffer, plaintext: Uint8Array, associatedData: string): Uint8Array<ArrayBuffer> {
  return encrypt(deriveKey(secret, SECRET_LABEL, KEY_BYTES), plaintext, associatedData);
}

/** @throws SealBrokenError for another secret, and when the data or associated data was changed */
export function openWithSecret(secret: Buffer, ciphertext: Uint8Array, associatedData: string): Buffer {
  return decrypt(deriveKey(secret, SECRET_LABEL, KEY_BYTES), ciphertext, associatedData);
}
