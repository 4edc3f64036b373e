import type { Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';
import type { Keyring, SealContext } from './keyring.ts';

const PayloadMessage = proto.temporal.api.common.v1.Payload;

/** The encoding's name in Temporal's own samples. */
const ENCRYPTED = 'binary/encrypted';
const KEY_ID = 'encryption-key-id';
/** A codec does not know which environment a payload is about. */
const CONTEXT: SealContext = { purpose: 'temporalPayload', environment: null, associatedData: '' };

export interface PayloadCodecOptions {
  /** Whether payloads are encrypted before they go to Temporal. Encrypted ones are decrypted in any case. */
  readonly encrypts: boolean;
}

/**
 * Encrypts the payloads of workflows, activities and messages before they go to Temporal, and decrypts them. A payload that is
 * not encrypted is read as it is.
 */
export function createPayloadCodec(keyring: Keyring, { encrypts }: PayloadCodecOptions): PayloadCodec {
  return {
    encode: (payloads) => Promise.resolve(encrypts ? payloads.map((payload) => encrypt(keyring, payload)) : payloads),
    decode: (payloads) =>
      Promise.resolve(payloads).then((received) => received.map((payload) => decrypt(keyring, payload))),
  };
}

function encrypt(keyring: Keyring, payload: Payload): Payload {
  const { keyId, ciphertext } = keyring.seal(PayloadMessage.encode(payload).finish(), CONTEXT);
  return { metadata: { encoding: Buffer.from(ENCRYPTED), [KEY_ID]: Buffer.from(keyId) }, data: ciphertext };
}

/** @throws SealBrokenError when its key is missing, or it was changed */
function decrypt(keyring: Keyring, payload: Payload): Payload {
  const { metadata, data } = payload;
  if (textOf(metadata?.encoding) !== ENCRYPTED) return payload;
  const plain = keyring.open({ keyId: textOf(metadata?.[KEY_ID]), ciphertext: data ?? Buffer.alloc(0) }, CONTEXT);
  return PayloadMessage.decode(plain);
}

function textOf(bytes: Uint8Array | null | undefined): string {
  return Buffer.from(bytes ?? []).toString('utf8');
}
