import { createHmac } from 'node:crypto';
import type { Environment } from '../domain/payment.ts';
import {
  type DataKeyUnwrapper,
  decrypt,
  deriveKey,
  encrypt,
  KEY_BYTES,
  openEnvelope,
  OVERHEAD_BYTES,
  rewrapEnvelope,
  SealBrokenError,
  type Sealed,
  sealEnvelope,
  type SealedInput,
} from './envelope.ts';
import { type NamedKey, parsePlainKeys } from '../domain/named-keys.ts';

/**
 * Everything that a root key is used for. Each purpose has a key of its own in each environment, derived from the root key, so
 * that nothing made for one purpose or environment can be used for another.
 */
export const PURPOSES = {
  /** Responses that are stored under an idempotency key. */
  storedResponse: 'stored response',
  webhookSecret: 'webhook secret',
  /** Credentials of merchants' accounts at providers. */
  providerCredentials: 'provider credentials',
  /** Results with which customers come back from a provider's page. */
  customerReturn: 'customer return',
  /** Digests by which a saved card of a customer is recognised. */
  savedCard: 'saved card',
  /** Tokens by which providers know saved cards. */
  savedCredential: 'saved credential',
  /** Files of answers to disputes. */
  disputeFile: 'dispute file',
  /** Secret salts of API keys on signature version 2. */
  keySalt: 'API key salt',
  /** The payloads of workflows, activities and messages, if they are encrypted. */
  temporalPayload: 'Temporal payload',
  /** Digests that tell whether two requests are the same. */
  requestFingerprint: 'request fingerprint',
  /** Digests by which declines of a card are counted. */
  declineCount: 'decline count',
} as const satisfies Readonly<Record<string, string>>;

export type Purpose = keyof typeof PURPOSES;

/** Which key to use. */
interface KeyUse {
  readonly purpose: Purpose;
  /** Null for values that serve both environments. */
  readonly environment: Environment | null;
}

/** Where a sealed value belongs. The associated data is not stored; whoever opens the value needs the same text. */
export interface SealContext extends KeyUse {
  readonly associatedData: string;
}

/** The root keys of this installation. The first one encrypts; the others only decrypt older values. */
export interface Keyring {
  seal(plaintext: Uint8Array, context: SealContext): Sealed;
  /** @throws SealBrokenError when the key is missing, or the value or its context is another one */
  open(sealed: SealedInput, context: SealContext): Buffer;
  /**
   * The value under the first key: only its data key is encrypted anew. Null if it is under the first key already.
   * @throws SealBrokenError as `open` does
   */
  rewrap(sealed: SealedInput, context: SealContext): Sealed | null;
  /**
   * Keyed digests of the data, one for each key and newest first: they identify equal data without storing it. The text
   * begins with the id of the key.
   */
  fingerprints(data: Uint8Array, use: KeyUse): readonly [string, ...string[]];
  /** Bytes that only the holder of the keys can derive from a label, one for each key and newest first. */
  deriveSecrets(label: string, length: number): readonly Buffer[];
  /** The id of the first key, as rows name it. */
  readonly currentKeyId: string;
}

/** What the key ids in rows whose data key a root key wraps begin with. */
const ROOT_PREFIX = 'root:';

/** The id of the root key under which a value with this key id is sealed. */
export function rootKeyIdOf(keyId: string): string {
  return keyId.slice(ROOT_PREFIX.length);
}

/** Reads root keys that nobody encrypted. @throws KeysFormatError */
export function parseKeyring(text: string): Keyring {
  return createKeyring(parsePlainKeys(text));
}

/** @param keys the one that encrypts first */
export function createKeyring(keys: readonly [NamedKey, ...NamedKey[]]): Keyring {
  const [first] = keys;
  const byId = new Map(keys.map((key) => [key.id, key.bytes]));
  const derived = new Map<string, Buffer>();

  const keyFor = ({ id, bytes }: NamedKey, { purpose, environment }: KeyUse): Buffer => {
    const name = JSON.stringify([id, purpose, environment]);
    const known = derived.get(name);
    if (known !== undefined) return known;
    const key = deriveKey(bytes, JSON.stringify(['payment-engine', PURPOSES[purpose], environment]), KEY_BYTES);
    derived.set(name, key);
    return key;
  };
  const wrapperOf = (root: NamedKey, use: KeyUse): DataKeyUnwrapper => ({
    keyId: `${ROOT_PREFIX}${root.id}`,
    wrappedBytes: KEY_BYTES + OVERHEAD_BYTES,
    wrap: (dataKey) => encrypt(keyFor(root, use), dataKey, WRAPPED),
    unwrap: (wrapped) => decrypt(keyFor(root, use), wrapped, WRAPPED),
  });
  const rootOf = (keyId: string): NamedKey => {
    const id = rootKeyIdOf(keyId);
    const bytes = keyId.startsWith(ROOT_PREFIX) ? byId.get(id) : undefined;
    if (bytes === undefined) throw new SealBrokenError('the key it was sealed with is not in the keyring');
    return { id, bytes };
  };
  const unwrapperFor = (keyId: string, use: KeyUse): DataKeyUnwrapper => wrapperOf(rootOf(keyId), use);
  const open = (sealed: SealedInput, context: SealContext): Buffer =>
    openEnvelope(unwrapperFor(sealed.keyId, context), sealed.ciphertext, context.associatedData);
  const seal = (plaintext: Uint8Array, context: SealContext): Sealed =>
    sealEnvelope(wrapperOf(first, context), plaintext, context.associatedData);

  return {
    currentKeyId: `${ROOT_PREFIX}${first.id}`,
    seal,
    open,
    rewrap: (sealed, context) => {
      const to = wrapperOf(first, context);
      if (sealed.keyId === to.keyId) return null;
      const { ciphertext } = sealed;
      const { associatedData } = context;
      return rewrapEnvelope(unwrapperFor(sealed.keyId, context), to, { ciphertext, associatedData });
    },
    fingerprints: (data, use) => {
      const of = (key: NamedKey) => `${key.id}:${digest(keyFor(key, use), data)}`;
      return [of(first), ...keys.slice(1).map(of)];
    },
    deriveSecrets: (label, length) => keys.map(({ bytes }) => deriveKey(bytes, `secret:${label}`, length)),
  };
}

const WRAPPED = 'data key';

function digest(key: Buffer, data: Uint8Array): string {
  return createHmac('sha256', key).update(data).digest('hex');
}
