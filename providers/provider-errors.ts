import type { OutageCode } from '../domain/provider-outcome.ts';

/** A call to a provider had no usable answer: whether it charged is unknown. */
export class ProviderOutageError extends Error {
  override readonly name: string = 'ProviderOutageError';

  constructor(
    readonly code: OutageCode,
    message: string,
  ) {
    super(message);
  }
}

/**
 * The provider refuses who calls it: the key has expired, was revoked, lacks a right, or belongs to another account. This call did
 * nothing. It says nothing about what an earlier call did.
 */
export class CredentialsRefusedError extends ProviderOutageError {
  override readonly name = 'CredentialsRefusedError';

  constructor(message: string) {
    super('TSP_UNAVAILABLE', message);
  }
}

/** The signature, time or form of a provider's webhook is wrong. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}
