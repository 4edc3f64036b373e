import { Webhook } from 'standardwebhooks';
import { SECOND_MS } from '../domain/time.ts';

/**
 * The headers of the Standard Webhooks specification.
 * @param secrets `whsec_…`, one or, during a rotation, two: a signature each
 */
export function signedHeaders(
  message: { readonly id: string; readonly body: string },
  secrets: readonly string[],
  at: Date,
): Record<string, string> {
  const { id, body } = message;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / SECOND_MS)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}
