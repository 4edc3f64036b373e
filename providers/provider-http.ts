import http, { type ClientRequest, type IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import { redactText } from '../domain/redaction.ts';
import { SECOND_MS } from '../domain/time.ts';
import { inSpanOfTrace, type SpanDescription } from '../traces/tracer.ts';
import { ProviderOutageError } from './provider-errors.ts';
import { createRateLimit } from './rate-limit.ts';

/** Far more than a payment, or the list of its refunds, takes. */
const MAXIMUM_ANSWER_BYTES = 1024 * 1024;
const MAXIMUM_CONNECTIONS = 256;
/** Shorter than servers usually keep an idle connection, so that no request uses a connection that is about to close. */
const IDLE_CONNECTION_MS = 4 * SECOND_MS;

/** A complete answer; `text` is not validated. */
export interface ProviderAnswer {
  readonly status: number;
  readonly text: string;
  /** The headers of the answer, by lower-case name; absent in answers that tests make up. */
  readonly headers?: Readonly<IncomingHttpHeaders>;
}

/** A request to a provider. */
interface ProviderHttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its query, if any. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent or null where the request has none. */
  readonly body?: string | Buffer | null;
  /** For an answer that may be longer than usual, such as a page of a list. */
  readonly maximumAnswerBytes?: number;
}

/** An HTTP client of one provider, with kept-alive connections. */
export interface ProviderHttp {
  /**
   * One call, limited in time and in the size of its answer. Redirects are not followed.
   * @throws ProviderOutageError TSP_TIMEOUT when the time is up, TSP_UNAVAILABLE when the connection fails,
   *   TSP_ERROR when the answer is too large
   * @throws the signal's own reason when the caller gave up
   */
  send(request: ProviderHttpRequest, signal: AbortSignal): Promise<ProviderAnswer>;

  /** Sends a POST request. */
  post(
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
  ): Promise<ProviderAnswer>;
}

/** How many requests a client may send. */
interface ProviderHttpLimit {
  /** To each endpoint; null where there is no limit. */
  readonly requestsPerSecond: number | null;
  /** Names the endpoint of a request, each of which has a limit of its own; by default all requests of the client share one. */
  readonly endpointOf?: (request: Pick<ProviderHttpRequest, 'method' | 'path'>) => string;
}

const NO_LIMIT: ProviderHttpLimit = { requestsPerSecond: null };

/**
 * Built on `node:http`, which costs a fraction of the processor time that `fetch` does.
 * @param timeoutMs longest wait for a whole answer, from when the limit has let the request go
 */
export function createProviderHttp(baseUrl: string, timeoutMs: number, limit = NO_LIMIT): ProviderHttp {
  const { Agent, request: open } = new URL(baseUrl).protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: MAXIMUM_CONNECTIONS, timeout: IDLE_CONNECTION_MS });

  const sendOnce: ProviderHttp['send'] = async (
    { method, path, headers, body = null, maximumAnswerBytes = MAXIMUM_ANSWER_BYTES },
    signal,
  ) => {
    signal.throwIfAborted();
    const request = open(new URL(path, baseUrl), {
      method,
      agent,
      headers: body === null ? headers : { ...headers, 'content-length': Buffer.byteLength(body) },
    });
    const timer = setTimeout(() => {
      request.destroy(new ProviderOutageError('TSP_TIMEOUT', `no answer within ${timeoutMs} ms`));
    }, timeoutMs);
    const giveUp = () => {
      request.destroy(new Error('given up'));
    };
    signal.addEventListener('abort', giveUp, { once: true });
    request.end(body ?? undefined);
    try {
      return await readAnswer(request, maximumAnswerBytes);
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    }
  };

  const sendInSpan: ProviderHttp['send'] = (request, signal) =>
    inSpanOfTrace(
      () => spanOf(baseUrl, request),
      async (span) => {
        const answer = await sendOnce(request, signal);
        span.set({ 'http.response.status_code': answer.status });
        return answer;
      },
    );

  const { requestsPerSecond, endpointOf = () => '' } = limit;
  const inTurn = requestsPerSecond === null ? null : createRateLimit(requestsPerSecond);
  const send: ProviderHttp['send'] = async (request, signal) =>
    inTurn === null
      ? sendInSpan(request, signal)
      : inTurn(endpointOf(request), () => sendInSpan(request, signal), signal);

  return {
    send,
    post: (path, headers, body, signal) => send({ method: 'POST', path, headers, body }, signal),
  };
}

/** Queries, headers and bodies stay out of traces. */
function spanOf(baseUrl: string, { method, path }: ProviderHttpRequest): SpanDescription {
  const { host, pathname } = new URL(path, baseUrl);
  return {
    name: `${method} ${host}`,
    kind: 'client',
    attributes: { 'http.request.method': method, 'server.address': host, 'url.path': redactText(pathname) },
  };
}

function readAnswer(request: ClientRequest, maximumBytes: number): Promise<ProviderAnswer> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      reject(asOutage(request.errored ?? error));
    };
    request.on('error', fail);
    // Without this listener there would be neither a response nor an error.
    request.on('upgrade', (_, socket) => {
      socket.destroy();
      fail(new ProviderOutageError('TSP_ERROR', 'the answer switches protocols'));
    });
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('error', fail);
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes <= maximumBytes) return;
        request.destroy(new ProviderOutageError('TSP_ERROR', 'the answer is too large'));
      });
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response;
        resolve({ status, text: Buffer.concat(chunks).toString('utf8'), headers });
      });
    });
  });
}

/** The message of a connection error may hold addresses; its code does not. */
function asOutage(error: Error): ProviderOutageError {
  if (error instanceof ProviderOutageError) return error;
  const reason = 'code' in error && typeof error.code === 'string' ? error.code : 'no further reason';
  return new ProviderOutageError('TSP_UNAVAILABLE', `the connection failed: ${reason}`);
}
