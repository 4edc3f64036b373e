import { Webhook } from 'standardwebhooks';
import type { Event } from './generated/schemas.ts';

/** The event in a webhook. */
export type WebhookEvent = Event;

/** The webhook is not from the engine, was changed on its way, or is more than 5 minutes old. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

export interface ReceivedWebhook {
  /** The body as it came, byte for byte; not parsed and written again. */
  readonly payload: string | Uint8Array;
  /** As Node or `fetch` gives them. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** `whsec_…`; several while one is being replaced. */
  readonly secret: string | readonly string[];
}

const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/**
 * Verifies that the engine sent a webhook just now, and returns its event. Signatures are compared in
 * constant time. The same event may come more than once: its `id` says so.
 * @throws WebhookVerificationError
 */
export function verifyWebhook({ payload, headers, secret }: ReceivedWebhook): WebhookEvent {
  const signed = Object.fromEntries(HEADERS.map((name) => [name, headerOf(headers, name)]));
  const body = typeof payload === 'string' ? payload : Buffer.from(payload);
  const secrets = typeof secret === 'string' ? [secret] : secret;
  let cause: unknown;
  for (const key of secrets) {
    try {
      // The engine signed it, so it is what the document says.
      return new Webhook(key).verify(body, signed) as WebhookEvent;
    } catch (thrown) {
      cause = thrown;
    }
  }
  throw new WebhookVerificationError(cause instanceof Error ? cause.message : 'There is no secret.', { cause });
}

function headerOf(headers: ReceivedWebhook['headers'], name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const [, value = ''] = Object.entries(headers).find(([header]) => header.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : value.join(' ');
}
