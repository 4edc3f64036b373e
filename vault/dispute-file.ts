import type { Environment } from '../domain/payment.ts';
import type { Sealed, SealedInput } from './envelope.ts';
import type { Keyring, SealContext } from './keyring.ts';

/** The row of a file of an answer to a dispute. */
export interface DisputeFileIdentity {
  readonly disputeId: string;
  readonly kind: string;
  readonly merchantAccountId: string;
  readonly environment: Environment;
}

/** Ties each ciphertext to its row, so that no file can be moved to another dispute. */
export function disputeFileContext(identity: DisputeFileIdentity): SealContext {
  const { disputeId, kind, merchantAccountId, environment } = identity;
  const associatedData = JSON.stringify(['dispute_file', disputeId, kind, merchantAccountId]);
  return { purpose: 'disputeFile', environment, associatedData };
}

/** Encrypts a file of an answer. */
export function sealDisputeFile(keyring: Keyring, identity: DisputeFileIdentity, content: Uint8Array): Sealed {
  return keyring.seal(content, disputeFileContext(identity));
}

/** @throws SealBrokenError when the row was tampered with or its key is gone */
export function openDisputeFile(keyring: Keyring, identity: DisputeFileIdentity, sealed: SealedInput): Buffer {
  return keyring.open(sealed, disputeFileContext(identity));
}
