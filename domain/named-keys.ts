import { UserError } from './user-error.ts';

/** A key of 32 bytes, with the name by which rows refer to it. */
export interface NamedKey {
  readonly id: string;
  readonly bytes: Buffer;
}

/** A key as its setting holds it: in base64, or as a key provider encrypted it. */
export interface NamedText {
  readonly id: string;
  readonly text: string;
}

/** The text of keys is not in the form `keyId:key[,older:…]`; the message names an entry by its place, never by its content. */
export class KeysFormatError extends UserError {
  override readonly name = 'KeysFormatError';
}

const KEY_ID = /^[A-Za-z0-9._-]{1,64}$/;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
export const KEY_BYTES = 32;

/** Reads `keyId:key`, several separated by commas or line ends, the one that encrypts first. @throws KeysFormatError */
export function parseKeyTexts(text: string): readonly [NamedText, ...NamedText[]] {
  const entries = text
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  const [first, ...others] = entries.map((entry, index) => {
    const separator = entry.indexOf(':');
    const id = entry.slice(0, Math.max(separator, 0));
    const key = entry.slice(separator + 1);
    if (!KEY_ID.test(id) || key === '') throw new KeysFormatError(`key ${index + 1} is not in the form keyId:key`);
    return { id, text: key };
  });
  if (first === undefined) throw new KeysFormatError('there is no key');
  const keys = [first, ...others] as const;
  if (new Set(keys.map(({ id }) => id)).size !== keys.length) throw new KeysFormatError('two keys have the same id');
  return [first, ...others];
}

/** The same for keys that are not encrypted, each 32 bytes in base64. @throws KeysFormatError */
export function parsePlainKeys(text: string): readonly [NamedKey, ...NamedKey[]] {
  const [first, ...others] = parseKeyTexts(text);
  return [decodeKey(first, KEY_BYTES), ...others.map((key) => decodeKey(key, KEY_BYTES))];
}

/** @throws KeysFormatError when the text is not that many bytes in base64 */
export function decodeKey({ id, text }: NamedText, length: number): NamedKey {
  const bytes = Buffer.from(text, 'base64');
  if (!BASE64.test(text) || bytes.length !== length) {
    throw new KeysFormatError(`the key ${id} is not ${length} bytes in base64`);
  }
  return { id, bytes };
}
