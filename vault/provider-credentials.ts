import type { Environment } from '../domain/payment.ts';
import type { Sealed, SealedInput } from './envelope.ts';
import type { Keyring, SealContext } from './keyring.ts';

/** The account at a provider that credentials belong to. */
export interface CredentialsOwner {
  readonly providerAccountId: string;
  readonly merchantAccountId: string;
  readonly environment: Environment;
}

/** Encrypts credentials for the row of their account. */
export function sealProviderCredentials(keyring: Keyring, owner: CredentialsOwner, credentials: object): Sealed {
  return keyring.seal(Buffer.from(JSON.stringify(credentials)), providerCredentialsContext(owner));
}

/**
 * The credentials as they were sealed; the kind of the account knows their form.
 * @throws SealBrokenError when they were sealed for another account, were tampered with, or their key is gone
 */
export function openProviderCredentials(keyring: Keyring, owner: CredentialsOwner, sealed: SealedInput): unknown {
  return JSON.parse(keyring.open(sealed, providerCredentialsContext(owner)).toString('utf8'));
}

export function providerCredentialsContext(owner: CredentialsOwner): SealContext {
  const { providerAccountId, merchantAccountId, environment } = owner;
  const associatedData = JSON.stringify(['provider_account', providerAccountId, merchantAccountId, 'credentials']);
  return { purpose: 'providerCredentials', environment, associatedData };
}
