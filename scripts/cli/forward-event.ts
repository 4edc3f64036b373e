import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../../domain/time.ts';
import { ATTEMPTS_THAT_BLOCK, WEBHOOK_TIMEOUT_MS, type WebhookReply } from '../../domain/webhook.ts';
import type { Event } from '../../sdk/server/index.ts';
import { postWebhook } from '../../webhooks/post-webhook.ts';
import { signedHeaders } from '../../webhooks/signed-headers.ts';
import { createTargetPolicies } from '../../webhooks/target-policy.ts';

const RETRY_AFTER_MS = 2 * SECOND_MS;
const NOBODY_LISTENS: readonly unknown[] = ['connection_refused', 'host_not_found'];

export interface ForwardOptions {
  readonly url: URL;
  /** `whsec_…` */
  readonly secret: string;
  /** Gives up. */
  readonly signal: AbortSignal;
  /** Called after each attempt. */
  readonly onReply: (event: Event, reply: WebhookReply, durationMs: number) => void;
}

/** The secret of forwarded webhooks, `whsec_…`: always the same for one sandbox, so that a receiver can keep it. */
export function forwardingSecretOf({ secretSalt }: { readonly secretSalt: string }): string {
  return `whsec_${createHmac('sha256', secretSalt).update('forwarded webhooks').digest('base64')}`;
}

/**
 * Posts an event as the engine posts webhooks. Where nobody listens it tries again until somebody does; any other failure
 * counts, and the third ends it.
 */
export async function forwardEvent(event: Event, options: ForwardOptions): Promise<void> {
  const { signal, onReply } = options;
  for (let failures = 0; failures < ATTEMPTS_THAT_BLOCK;) {
    const startedAt = Date.now();
    const reply = await post(event, options);
    if (signal.aborted) return;
    onReply(event, reply, Date.now() - startedAt);
    if (reply.error === null) return;
    if (!NOBODY_LISTENS.includes(reply.error)) failures += 1;
    if (failures < ATTEMPTS_THAT_BLOCK) await sleep(RETRY_AFTER_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
  }
}

function post(event: Event, { url, secret, signal }: ForwardOptions): Promise<WebhookReply> {
  const body = JSON.stringify(event);
  return postWebhook({
    url,
    headers: { 'content-type': 'application/json', ...signedHeaders({ id: event.id, body }, [secret], new Date()) },
    body,
    policy: createTargetPolicies({ allowPrivateInSandbox: true }).sandbox,
    proxy: null,
    timeoutMs: WEBHOOK_TIMEOUT_MS,
    signal,
  });
}
