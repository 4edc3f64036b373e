import { Webhook } from 'standardwebhooks';
import type { OutgoingEvent } from './records.ts';

export interface WebhookSender {
  /** Signs and posts an event once. @returns why it was not accepted, or null */
  send(event: OutgoingEvent): Promise<string | null>;
  /** Gives up whatever is on its way. */
  abort(): void;
}

/**
 * @param secret `whsec_` and base64, as Standard Webhooks has it
 * @param timeoutMs longest wait for one answer
 */
export function createWebhookSender(url: string, secret: string, timeoutMs: number): WebhookSender {
  const signer = new Webhook(secret);
  const onTheirWay = new Set<AbortController>();
  return {
    async send(event) {
      const abort = new AbortController();
      const timer = setTimeout(() => {
        abort.abort();
      }, timeoutMs);
      onTheirWay.add(abort);
      try {
        return await post(url, event, signer, abort.signal);
      } finally {
        clearTimeout(timer);
        onTheirWay.delete(abort);
      }
    },
    abort() {
      for (const abort of onTheirWay) abort.abort();
    },
  };
}

async function post(
  url: string,
  { id, body }: OutgoingEvent,
  signer: Webhook,
  signal: AbortSignal,
): Promise<string | null> {
  const at = new Date();
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': signer.sign(id, at, body),
      },
      body,
      redirect: 'manual',
      signal,
    });
    await response.body?.cancel();
    return response.ok ? null : `status ${response.status}`;
  } catch (error) {
    return error instanceof Error ? error.name : 'unknown error';
  }
}
