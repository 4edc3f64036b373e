import http, { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import type { Environment } from '../domain/payment.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import { rememberAddresses, resolveHost } from './checked-lookup.ts';
import { connectionTo, type TargetAccess } from './connection.ts';
import type { TargetPolicy } from './target-policy.ts';

/** A replacement for `fetch`: the caller reads as much of the body as it wants, and aborts a call that takes too long. */
export type CheckedFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export type CheckedFetchers = Readonly<Record<Environment, CheckedFetch>>;

/** One for each environment. */
export function createCheckedFetchers(
  policies: Readonly<Record<Environment, TargetPolicy>>,
  proxy: URL | null,
): CheckedFetchers {
  return {
    sandbox: createCheckedFetch({ policy: policies.sandbox, proxy }),
    production: createCheckedFetch({ policy: policies.production, proxy }),
  };
}

const MAXIMUM_CONNECTIONS_PER_HOST = 64;
/** Longer than the pause between two reads of a chain, and shorter than servers usually keep an idle connection. */
const IDLE_CONNECTION_MS = 4.5 * SECOND_MS;

/** Chains are read every few seconds. */
const REMEMBERED = { freshMs: MINUTE_MS, keptMs: HOUR_MS, maximum: 2_000 };

/** Statuses for which a `Response` accepts no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Like `fetch`, for addresses that merchants have entered: it connects only to what the policy allows, through the proxy if there
 * is one, follows no redirects, and unpacks no body. Node's own `fetch` takes no function that resolves names.
 */
export function createCheckedFetch({ resolve = resolveHost, ...others }: TargetAccess): CheckedFetch {
  const access = { ...others, resolve: rememberAddresses(resolve, REMEMBERED) };
  const kept = { keepAlive: true, maxSockets: MAXIMUM_CONNECTIONS_PER_HOST, timeout: IDLE_CONNECTION_MS };
  const agents = { http: new http.Agent(kept), https: new https.Agent(kept) };
  return async (input, { method = 'GET', headers, body, signal } = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const ended = signal ?? new AbortController().signal;
    const connection = await connectionTo(url, access, ended);
    const isSecure = url.protocol === 'https:';
    // A connection through a proxy is made for one request.
    const agent = access.proxy === null ? { agent: isSecure ? agents.https : agents.http } : {};
    const { request: open } = isSecure ? https : http;
    const text = typeof body === 'string' ? body : '';
    const length = { 'content-length': String(Buffer.byteLength(text)) };
    const given = { ...Object.fromEntries(new Headers(headers)), ...length };
    const request = open(url, { ...connection, ...agent, method, headers: given, signal: ended });
    request.end(text);
    return await responseOf(request);
  };
}

/** @throws the error of the connection */
function responseOf(request: ClientRequest): Promise<Response> {
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (incoming) => {
      try {
        resolve(asResponse(incoming));
      } catch (error) {
        request.destroy();
        reject(error instanceof Error ? error : new Error('the answer cannot be read'));
      }
    });
  });
}

/** @throws RangeError for a status that HTTP does not have */
function asResponse(incoming: IncomingMessage): Response {
  const { statusCode: status = 0, headers } = incoming;
  if (WITHOUT_BODY.has(status)) {
    incoming.resume();
    return new Response(null, { status, headers: plain(headers) });
  }
  return new Response(Readable.toWeb(incoming) as ReadableStream, { status, headers: plain(headers) });
}

function plain(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
