import { z } from 'zod';
import type { Environment } from '../domain/payment.ts';
import type { StoredCredential } from '../providers/payment-provider.ts';
import type { Sealed, SealedInput } from './envelope.ts';
import type { Keyring, SealContext } from './keyring.ts';

/** The row of a provider's token of a saved payment method. */
export interface CredentialIdentity {
  readonly savedPaymentMethodId: string;
  readonly provider: string;
  readonly merchantAccountId: string;
  readonly environment: Environment;
}

const kept = z.object({
  token: z.string().nullable(),
  providerCustomerId: z.string().nullable(),
  networkTransaction: z.object({ id: z.string(), linkId: z.string().nullable() }).nullable(),
});

/** Ties each ciphertext to its row, so that no token can be moved to another. */
export function savedCredentialContext(identity: CredentialIdentity): SealContext {
  const { savedPaymentMethodId, provider, merchantAccountId, environment } = identity;
  const associatedData = JSON.stringify([
    'saved_payment_method_credential',
    savedPaymentMethodId,
    provider,
    merchantAccountId,
  ]);
  return { purpose: 'savedCredential', environment, associatedData };
}

/** Encrypts what a provider has issued for a saved card. */
export function sealSavedCredential(
  keyring: Keyring,
  identity: CredentialIdentity,
  { token, providerCustomerId, networkTransaction }: StoredCredential,
): Sealed {
  const text = JSON.stringify({ token, providerCustomerId, networkTransaction });
  return keyring.seal(Buffer.from(text), savedCredentialContext(identity));
}

/** @throws SealBrokenError when the row was tampered with or its key is gone */
export function openSavedCredential(
  keyring: Keyring,
  identity: CredentialIdentity,
  sealed: SealedInput,
): StoredCredential {
  return kept.parse(JSON.parse(keyring.open(sealed, savedCredentialContext(identity)).toString('utf8')));
}
