import type { KeySignature } from '../../scripts/manage-merchants.ts';
import { createKeyring } from '../../vault/keyring.ts';

/** The signature of the specification, for tests whose requests carry the salt. New keys are on version 2 unless one asks for this. */
export const VERSION_1: KeySignature = { signatureVersion: 1, keyring: null };

/** The signature of new keys, with an encryption key for their salts. */
export const VERSION_2 = {
  signatureVersion: 2,
  keyring: createKeyring([{ id: 'k', bytes: Buffer.alloc(32, 7) }]),
} as const satisfies KeySignature;
