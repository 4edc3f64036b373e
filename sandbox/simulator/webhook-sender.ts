import http from 'node:http';
import https from 'node:https';
import { Webhook } from 'standardwebhooks';
import { SECOND_MS } from '../../domain/time.ts';
import type { OutgoingEvent } from './records.ts';

/** Shorter than servers usually keep an idle connection, so that none is used that they are about to close. */
const IDLE_CONNECTION_MS = 4 * SECOND_MS;

export interface WebhookSender {
  /** Signs and posts an event once. @returns why it was not accepted, or null */
  send(event: OutgoingEvent): Promise<string | null>;
  /** Aborts requests in progress and closes the connections. */
  abort(): void;
}

/**
 * @param secret `whsec_` and base64, as Standard Webhooks has it
 * @param timeoutMs longest wait for one answer
 */
export function createWebhookSender(url: string, secret: string, timeoutMs: number): WebhookSender {
  const signer = new Webhook(secret);
  const { Agent, request: open } = new URL(url).protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, timeout: IDLE_CONNECTION_MS });

  return {
    send: ({ id, body }) =>
      new Promise((resolve) => {
        const headers = { ...signedHeaders(signer, id, body), 'content-length': Buffer.byteLength(body) };
        const request = open(url, { method: 'POST', agent, headers });
        const timer = setTimeout(() => {
          request.destroy(new Error(`no answer within ${timeoutMs} ms`));
        }, timeoutMs);
        request.on('error', (error) => {
          resolve(error.message);
        });
        request.on('response', (response) => {
          const { statusCode = 0 } = response;
          response.on('error', () => undefined);
          response.resume();
          resolve(statusCode >= 200 && statusCode < 300 ? null : `status ${statusCode}`);
        });
        request.on('close', () => {
          clearTimeout(timer);
          resolve('the connection was closed');
        });
        request.end(body);
      }),
    abort() {
      agent.destroy();
    },
  };
}

function signedHeaders(signer: Webhook, id: string, body: string): Record<string, string> {
  const at = new Date();
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signer.sign(id, at, body),
  };
}
