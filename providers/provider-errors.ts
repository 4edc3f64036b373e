import type { OutageCode } from '../domain/provider-outcome.ts';

/** A call to a provider had no usable answer: whether it charged is unknown. */
export class ProviderOutageError extends Error {
  override readonly name = 'ProviderOutageError';

  constructor(
    readonly code: OutageCode,
    message: string,
  ) {
    super(message);
  }
}

/** The signature, time or form of a provider's webhook is wrong. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}
