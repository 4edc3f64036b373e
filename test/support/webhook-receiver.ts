import { createServer, type IncomingHttpHeaders } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import type { z } from 'zod';
import { eventResource } from '../../contract/schemas/event.ts';
import { eventually } from './eventually.ts';
import { closeServer, listenLocally } from './local-server.ts';

const receivedEvent = eventResource.strict();

/** A received request, and the event in it. */
export interface ReceivedWebhook {
  readonly atMs: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: z.infer<typeof eventResource>;
}

interface ReceiverAnswer {
  readonly status: number;
  readonly body?: string;
  readonly delayMs?: number;
}

/** A merchant's webhook receiver. */
export interface WebhookReceiver {
  readonly url: string;
  readonly received: readonly ReceivedWebhook[];
  /** Sets the answers from now on. @param count requests so far, the current one included */
  answerWith(answer: (count: number) => ReceiverAnswer): void;
  /** Waits for a matching webhook. */
  find(fits: (webhook: ReceivedWebhook) => boolean): Promise<ReceivedWebhook>;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  let answer = (_count: number): ReceiverAnswer => ({ status: 204 });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      received.push({ atMs: Date.now(), headers: request.headers, body, event: receivedEvent.parse(JSON.parse(body)) });
      const { status, body: text, delayMs = 0 } = answer(received.length);
      void wait(delayMs).then(() => response.writeHead(status).end(text));
    });
  });
  return {
    url: `${await listenLocally(server)}/hooks`,
    received,
    answerWith(next) {
      answer = next;
    },
    find: (fits) =>
      eventually(async () => {
        const found = received.find(fits);
        if (found === undefined) throw new Error(`none fits of ${received.map(({ event }) => event.type).join(', ')}`);
        return found;
      }),
    close: () => closeServer(server),
  };
}

/** Whether the official library accepts the signature. */
export function isSignedBy(secret: string, { headers, body }: ReceivedWebhook): boolean {
  try {
    new Webhook(secret).verify(
      body,
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    );
    return true;
  } catch {
    return false;
  }
}
