import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { WebhookError, WebhookReply } from '../domain/webhook.ts';
import { redactReply } from '../domain/redaction.ts';
import { MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import { inSpanOfTrace } from '../traces/tracer.ts';
import { LookupsBusyError, rememberAddresses, resolveHost } from './checked-lookup.ts';
import { type ConnectionOptions, connectionTo, type TargetAccess } from './connection.ts';
import { TunnelRefusedError } from './proxy-tunnel.ts';

export interface WebhookRequest extends TargetAccess {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
}

/** Hosts that often get webhooks do not wait for the look-ups of others. Each connection checks the address that it uses. */
const resolveWithCache = rememberAddresses(resolveHost, {
  freshMs: MINUTE_MS / 2,
  keptMs: 5 * MINUTE_MS,
  maximum: 10_000,
});

/** How much of a response body is kept. */
const MAXIMUM_BODY_BYTES = 4_096;
/**
 * If more follows, the end of the part that was read is not kept: it may be a part of a card number that is not recognised as
 * one.
 */
const UNSURE_BYTES = 256;
const MAXIMUM_READ_BYTES = MAXIMUM_BODY_BYTES + UNSURE_BYTES;
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
/** The meaning of a proxy's status for a connection; any other status means that there is none. */
const ERRORS_BY_PROXY_STATUS: Readonly<Record<number, WebhookError>> = {
  403: 'address_not_allowed',
  504: 'timeout',
};
const CERTIFICATE_CODE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|EPROTO/;

/**
 * Posts once, over a new connection whose address is checked on connect; redirects are not followed.
 * @returns the reply; a failure of the endpoint, or of the proxy, is returned, not thrown
 * @throws LookupsBusyError when the endpoint was not called, because look-ups of other hosts took too long
 */
export function postWebhook(request: WebhookRequest): Promise<WebhookReply> {
  const attributes = { 'http.request.method': 'POST', 'server.address': request.url.host };
  return inSpanOfTrace(
    () => ({ name: 'POST webhook', kind: 'client', attributes }),
    async (span) => {
      const reply = await postOnce(request);
      if (reply.statusCode !== null) span.set({ 'http.response.status_code': reply.statusCode });
      if (reply.error !== null) span.fail(reply.error);
      return reply;
    },
  );
}

async function postOnce(given: WebhookRequest): Promise<WebhookReply> {
  const request = { ...given, resolve: given.resolve ?? resolveWithCache };
  const { url, timeoutMs, signal } = request;
  const timeout = AbortSignal.timeout(timeoutMs);
  const ended = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
  try {
    return await send(request, await connectionTo(url, request, ended), ended);
  } catch (error) {
    if (error instanceof LookupsBusyError) throw error;
    return failed(timeout.aborted ? 'timeout' : errorFor(error));
  }
}

/** @throws the error of the connection */
function send(
  { url, headers, body }: WebhookRequest,
  connection: ConnectionOptions,
  signal: AbortSignal,
): Promise<WebhookReply> {
  const { request: open } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const outgoing = open(url, {
      ...connection,
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      signal,
    });
    let isAnswered = false;
    outgoing.on('response', (response) => {
      isAnswered = true;
      void answerOf(response).then((reply) => {
        resolve(reply);
        outgoing.destroy();
      });
    });
    const lose = (error: Error = new Error('no answer')): void => {
      if (!isAnswered) reject(error);
    };
    outgoing.on('error', lose);
    outgoing.on('close', lose);
    outgoing.end(body);
  });
}

async function answerOf(response: IncomingMessage): Promise<WebhookReply> {
  const { statusCode = 0 } = response;
  const isGood = statusCode >= 200 && statusCode < 300;
  return { statusCode, error: isGood ? null : 'status_not_2xx', responseBody: await readBeginning(response) };
}

/**
 * The beginning of a body as text that PostgreSQL can store, without card numbers, secrets and personal addresses, which a server may
 * echo; of a broken or slow body, the part that has arrived.
 */
async function readBeginning(response: IncomingMessage): Promise<string> {
  const timer = setTimeout(() => response.destroy(), BODY_WITHIN_MS);
  const chunks: Buffer[] = [];
  try {
    let size = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= MAXIMUM_READ_BYTES) break;
    }
  } catch {
    // Only the status matters, and it has arrived; an incomplete body is kept as it is.
  } finally {
    clearTimeout(timer);
  }
  const read = Buffer.concat(chunks);
  const redacted = Buffer.from(redactReply(beginningOf(read, MAXIMUM_READ_BYTES)));
  const sureBytes = read.length < MAXIMUM_READ_BYTES ? redacted.length : redacted.length - UNSURE_BYTES;
  return beginningOf(redacted, Math.min(Math.max(sureBytes, 0), MAXIMUM_BODY_BYTES));
}

/** Drops an incomplete character at the end. */
function beginningOf(bytes: Buffer, maximumBytes: number): string {
  return new TextDecoder().decode(bytes.subarray(0, maximumBytes), { stream: true });
}

function errorFor(error: unknown): WebhookError {
  if (error instanceof TunnelRefusedError) return ERRORS_BY_PROXY_STATUS[error.statusCode] ?? 'connection_refused';
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  return ERRORS_BY_CODE[code] ?? (CERTIFICATE_CODE.test(code) ? 'certificate_not_valid' : 'connection_lost');
}

function failed(error: WebhookError): WebhookReply {
  return { statusCode: null, error, responseBody: null };
}
