import { randomBytes } from 'node:crypto';
import type { Keyring, Sealed } from './keyring.ts';

/** The endpoint that a secret belongs to. */
export interface SecretOwner {
  readonly webhookEndpointId: string;
  readonly merchantAccountId: string;
}

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new secret to sign webhooks with: `whsec_` and base64, the form of the Standard Webhooks specification. */
export function newWebhookSecret(): string {
  return `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** Encrypts a secret for its endpoint's row. */
export function sealWebhookSecret(keyring: Keyring, owner: SecretOwner, secret: string): Sealed {
  return keyring.seal(Buffer.from(secret), associatedDataOf(owner));
}

/** @throws SealBrokenError when it was sealed for another endpoint, was tampered with, or its key is gone */
export function openWebhookSecret(keyring: Keyring, owner: SecretOwner, sealed: Sealed): string {
  return keyring.open(sealed, associatedDataOf(owner)).toString('utf8');
}

/** The same for both secrets of an endpoint, because rotation moves the ciphertext from one column to the other. */
function associatedDataOf({ webhookEndpointId, merchantAccountId }: SecretOwner): string {
  return JSON.stringify(['webhook_endpoint', webhookEndpointId, merchantAccountId, 'secret']);
}
