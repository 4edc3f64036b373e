import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import type { WebhookError, WebhookReply } from '../domain/webhook.ts';
import { SECOND_MS } from '../domain/time.ts';
import { createCheckedLookup, type Resolve } from './checked-lookup.ts';
import { hostOf } from './target.ts';
import type { TargetPolicy } from './target-policy.ts';

export interface WebhookRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly policy: TargetPolicy;
  readonly timeoutMs: number;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
  readonly resolve?: Resolve;
}

/** How much of a response body is kept. */
const MAXIMUM_BODY_BYTES = 4_096;
/** How long to wait for the body after the status; only the status matters. */
const BODY_WITHIN_MS = 2 * SECOND_MS;

const ERRORS_BY_CODE: Readonly<Record<string, WebhookError>> = {
  ECONNREFUSED: 'connection_refused',
  ENOTFOUND: 'host_not_found',
  EAI_AGAIN: 'host_not_found',
  EAI_NODATA: 'host_not_found',
  ETIMEDOUT: 'timeout',
  EADDRNOTALLOWED: 'address_not_allowed',
};
const CERTIFICATE_CODE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|EPROTO/;

/**
 * Posts once, over a new connection whose address is checked on connect; redirects are not followed.
 * @returns the reply; a failure of the endpoint is returned, not thrown
 */
export function postWebhook(request: WebhookRequest): Promise<WebhookReply> {
  const { url, policy } = request;
  // Node connects to a literal address, as its `isIP` knows one, without a look-up.
  const isRefused = (policy.httpsOnly && url.protocol !== 'https:') || isForbiddenLiteral(hostOf(url), policy);
  return isRefused ? Promise.resolve(failed('address_not_allowed')) : send(request);
}

function isForbiddenLiteral(host: string, policy: TargetPolicy): boolean {
  return isIP(host) !== 0 && !policy.allows(host);
}

function send({ url, headers, body, policy, timeoutMs, signal, resolve }: WebhookRequest): Promise<WebhookReply> {
  const { request: open } = url.protocol === 'https:' ? https : http;
  return new Promise((settle) => {
    const outgoing = open(url, {
      method: 'POST',
      agent: false,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      lookup: createCheckedLookup(policy, resolve),
      ...(signal === undefined ? {} : { signal }),
    });
    const timer = setTimeout(() => outgoing.destroy(new TimeoutError()), timeoutMs);
    let failure: WebhookError = 'connection_lost';
    let isAnswered = false;
    outgoing.on('response', (response) => {
      isAnswered = true;
      void answerOf(response).then((reply) => {
        settle(reply);
        outgoing.destroy();
      });
    });
    outgoing.on('error', (error) => {
      failure = errorFor(error);
    });
    outgoing.on('close', () => {
      clearTimeout(timer);
      if (!isAnswered) settle(failed(failure));
    });
    outgoing.end(body);
  });
}

/** No answer came within the time. */
class TimeoutError extends Error {
  readonly code = 'ETIMEDOUT';
}

async function answerOf(response: IncomingMessage): Promise<WebhookReply> {
  const { statusCode = 0 } = response;
  const isGood = statusCode >= 200 && statusCode < 300;
  return { statusCode, error: isGood ? null : 'status_not_2xx', responseBody: await readBeginning(response) };
}

/** The beginning of a body as text that PostgreSQL can store; of a broken or slow body, the part that has arrived. */
async function readBeginning(response: IncomingMessage): Promise<string> {
  const timer = setTimeout(() => response.destroy(), BODY_WITHIN_MS);
  const chunks: Buffer[] = [];
  try {
    let size = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= MAXIMUM_BODY_BYTES) break;
    }
  } catch {
    // Only the status matters, and it has arrived; an incomplete body is kept as it is.
  } finally {
    clearTimeout(timer);
  }
  const bytes = Buffer.concat(chunks).subarray(0, MAXIMUM_BODY_BYTES);
  // Drops an incomplete character at the end, and NUL, which PostgreSQL cannot store.
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\u0000', '');
}

function errorFor(error: Error): WebhookError {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return ERRORS_BY_CODE[code] ?? (CERTIFICATE_CODE.test(code) ? 'certificate_not_valid' : 'connection_lost');
}

function failed(error: WebhookError): WebhookReply {
  return { statusCode: null, error, responseBody: null };
}
