import sodium from 'libsodium-wrappers';
import { type Environment, ENVIRONMENTS } from '../domain/payment.ts';
import {
  type DataKeyUnwrapper,
  type DataKeyWrapper,
  deriveKey,
  KEY_BYTES,
  openEnvelope,
  rewrapEnvelope,
  SealBrokenError,
  type Sealed,
  sealEnvelope,
  type SealedInput,
} from './envelope.ts';
import { decodeKey, KeysFormatError, type NamedKey, parseKeyTexts } from '../domain/named-keys.ts';

/** Where card data belongs. The associated data is not stored; whoever opens the data needs the same text. */
export interface CardContext {
  readonly environment: Environment;
  readonly associatedData: string;
}

/** Encrypts card data and cannot decrypt it: the API has nothing else. */
export interface CardSealer {
  seal(plaintext: Uint8Array, context: CardContext): Sealed;
}

/** The private card keys, which workers have besides the root keys. The first one is current. */
export interface CardKeyring extends CardSealer {
  /** @throws SealBrokenError when the key is missing, or the data or its context is another one */
  open(sealed: SealedInput, context: CardContext): Buffer;
  /**
   * The data under the first key: only its data key is encrypted anew. Null if it is under the first key already.
   * @throws SealBrokenError as `open` does
   */
  rewrap(sealed: SealedInput, context: CardContext): Sealed | null;
  /** The text of `CARD_PUBLIC_KEY` that belongs to the first key. */
  readonly publicKey: string;
  /** The id of the first key, as rows name it. */
  readonly currentKeyId: string;
}

/** A key pair of one environment. */
interface KeyPair {
  readonly publicKey: Uint8Array;
  readonly privateKey: Uint8Array;
}

await sodium.ready;

const CARD_PREFIX = 'card:';
const PUBLIC_KEY_BYTES = sodium.crypto_box_PUBLICKEYBYTES;
const WRAPPED_BYTES = sodium.crypto_box_SEALBYTES + KEY_BYTES;

/** The id of the card key under which a value with this key id is sealed. */
export function cardKeyIdOf(keyId: string): string {
  return keyId.slice(CARD_PREFIX.length);
}

/**
 * Reads `keyId:base64` with the public keys of both environments, sandbox first.
 * @throws KeysFormatError
 */
export function parseCardPublicKey(text: string): CardSealer {
  const [entry, ...others] = parseKeyTexts(text);
  if (others.length > 0) throw new KeysFormatError('there is more than one public card key');
  const { id, bytes } = decodeKey(entry, ENVIRONMENTS.length * PUBLIC_KEY_BYTES);
  return {
    seal: (plaintext, { environment, associatedData }) => {
      const start = ENVIRONMENTS.indexOf(environment) * PUBLIC_KEY_BYTES;
      const wrapper = wrapperOf(id, bytes.subarray(start, start + PUBLIC_KEY_BYTES));
      return sealEnvelope(wrapper, plaintext, associatedData);
    },
  };
}

/** @param keys the current one first; key pairs are derived from each, one for each environment */
export function createCardKeyring(keys: readonly [NamedKey, ...NamedKey[]]): CardKeyring {
  const [first] = keys;
  const pairs = new Map(keys.map((key) => [key.id, keyPairsOf(key)]));
  const unwrapperFor = (keyId: string, environment: Environment): DataKeyUnwrapper => {
    const id = keyId.slice(CARD_PREFIX.length);
    const pair = keyId.startsWith(CARD_PREFIX) ? pairs.get(id)?.[environment] : undefined;
    if (pair === undefined) throw new SealBrokenError('the key it was sealed with is not among the card keys');
    return { ...wrapperOf(id, pair.publicKey), unwrap: (wrapped) => unsealKey(wrapped, pair) };
  };
  const open = (sealed: SealedInput, { environment, associatedData }: CardContext): Buffer =>
    openEnvelope(unwrapperFor(sealed.keyId, environment), sealed.ciphertext, associatedData);
  const publicKey = publicKeyOf(first);
  const { seal } = parseCardPublicKey(publicKey);
  const currentKeyId = `${CARD_PREFIX}${first.id}`;
  return {
    publicKey,
    currentKeyId,
    seal,
    open,
    rewrap: (sealed, context) => {
      if (sealed.keyId === currentKeyId) return null;
      const { ciphertext } = sealed;
      const { environment, associatedData } = context;
      const [from, to] = [unwrapperFor(sealed.keyId, environment), unwrapperFor(currentKeyId, environment)];
      return rewrapEnvelope(from, to, { ciphertext, associatedData });
    },
  };
}

/** The text of `CARD_PUBLIC_KEY` for a private card key. */
export function publicKeyOf(key: NamedKey): string {
  const pairs = keyPairsOf(key);
  const publicKeys = ENVIRONMENTS.map((environment) => pairs[environment].publicKey);
  return `${key.id}:${Buffer.concat(publicKeys).toString('base64')}`;
}

function keyPairsOf({ bytes }: NamedKey): Readonly<Record<Environment, KeyPair>> {
  const pairOf = (environment: Environment): KeyPair =>
    sodium.crypto_box_seed_keypair(
      deriveKey(bytes, JSON.stringify(['payment-engine', 'card data', environment]), sodium.crypto_box_SEEDBYTES),
    );
  return { sandbox: pairOf('sandbox'), production: pairOf('production') };
}

function wrapperOf(id: string, publicKey: Uint8Array): DataKeyWrapper {
  return {
    keyId: `${CARD_PREFIX}${id}`,
    wrappedBytes: WRAPPED_BYTES,
    wrap: (dataKey) => sodium.crypto_box_seal(dataKey, publicKey),
  };
}

function unsealKey(wrapped: Uint8Array, { publicKey, privateKey }: KeyPair): Buffer {
  try {
    return Buffer.from(sodium.crypto_box_seal_open(wrapped, publicKey, privateKey));
  } catch {
    throw new SealBrokenError('the data key was sealed with another key, or changed');
  }
}
