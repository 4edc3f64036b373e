import { randomBytes } from 'node:crypto';
import type { Environment } from '../domain/payment.ts';
import type { Sealed, SealedInput } from './envelope.ts';
import type { Keyring, SealContext } from './keyring.ts';

/** The endpoint that a secret belongs to. */
export interface SecretOwner {
  readonly webhookEndpointId: string;
  readonly merchantAccountId: string;
  readonly environment: Environment;
}

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new secret to sign webhooks with: `whsec_` and base64, the form of the Standard Webhooks specification. */
export function newWebhookSecret(): string {
  return `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** Encrypts a secret for its endpoint's row. */
export function sealWebhookSecret(keyring: Keyring, owner: SecretOwner, secret: string): Sealed {
  return keyring.seal(Buffer.from(secret), webhookSecretContext(owner));
}

/** @throws SealBrokenError when it was sealed for another endpoint, was tampered with, or its key is gone */
export function openWebhookSecret(keyring: Keyring, owner: SecretOwner, sealed: SealedInput): string {
  return keyring.open(sealed, webhookSecretContext(owner)).toString('utf8');
}

/** The same for both secrets of an endpoint, because rotation moves the ciphertext from one column to the other. */
export function webhookSecretContext({ webhookEndpointId, merchantAccountId, environment }: SecretOwner): SealContext {
  const associatedData = JSON.stringify(['webhook_endpoint', webhookEndpointId, merchantAccountId, 'secret']);
  return { purpose: 'webhookSecret', environment, associatedData };
}
