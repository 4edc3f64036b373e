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

/** A webhook is not what its provider signed. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}
