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
const TOLERANCE_SECONDS = 5 * 60;
const SECRET = /^(whsec_)?[A-Za-z0-9+/]+={0,2}$/;

/**
 * Verifies that the engine sent a webhook just now, and returns its event. Signatures are compared in
 * constant time. The same event may come more than once: its `id` says so.
 * @throws WebhookVerificationError
 * @throws TypeError for a body that was parsed
 */
export function verifyWebhook({ payload, headers, secret }: ReceivedWebhook): WebhookEvent {
  const signed = Object.fromEntries(HEADERS.map((name) => [name, headerOf(headers, name)]));
  const body = typeof payload === 'string' ? payload : Buffer.from(bytesOf(payload));
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
  throw new WebhookVerificationError(problemOf(signed, secrets), { cause });
}

/** Programs without types may pass what a framework has parsed. */
function bytesOf(payload: unknown): Uint8Array {
  if (payload instanceof Uint8Array) return payload;
  throw new TypeError(
    'Expected payload to be the body as it came, as text or bytes; got something else. Read the raw body, before anything parses it, such as with express.raw().',
  );
}

/** Says why a webhook is refused, and what to do. */
function problemOf(signed: Readonly<Record<string, string>>, secrets: readonly string[]): string {
  const missing = HEADERS.find((name) => (signed[name] ?? '') === '');
  if (missing !== undefined) {
    return `Expected the header ${missing}; got none. Pass the headers of the request as they came.`;
  }
  const secondsAgo = Date.now() / 1_000 - Number(signed['webhook-timestamp']);
  if (!(Math.abs(secondsAgo) <= TOLERANCE_SECONDS)) {
    return 'Expected a webhook-timestamp at most 5 minutes from the time of this machine. Set its clock; if the webhook is an old one, have it sent again.';
  }
  if (secrets.length === 0 || !secrets.every((secret) => SECRET.test(secret))) {
    return 'Expected the secret of the webhook endpoint, which begins with whsec_. Copy all of it.';
  }
  return 'No signature is that of this body with this secret. Pass the body byte for byte as it came, not JSON that was parsed and written again, and the secret of the endpoint that received it.';
}

function headerOf(headers: ReceivedWebhook['headers'], name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const [, value = ''] = Object.entries(headers).find(([header]) => header.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : value.join(' ');
}
