import type { Logger } from 'pino';
import { parseJson } from '../domain/json.ts';
import { isId } from '../domain/ids.ts';
import type { Environment } from '../domain/payment.ts';
import { redactBody } from '../domain/redaction.ts';
import { SECOND_MS } from '../domain/time.ts';
import type { Database } from '../prisma/connection/client.ts';
import { insertRequests, type LoggedRequest } from '../prisma/queries/request-log.ts';
import { createLocalLimiter } from './rate-limits/rate-limiters.ts';

/** Who signed a request. */
export interface Signer {
  /** For a page, which sends a client secret instead of an API key: the id of its payment intent. */
  readonly apiKeyId: string;
  readonly merchantAccountId: string;
  readonly environment: Environment;
}

/** A request with its response. */
export interface AnsweredRequest extends Signer {
  /** The engine's id of the request. */
  readonly id: string;
  readonly requestId: string;
  /** Of the client. */
  readonly address: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly startedAtMs: number;
  readonly durationMs: number;
  /** As it was received. */
  readonly requestBody: Buffer;
  /** JSON, as it was sent. */
  readonly responseBody: string;
}

export interface RequestLog {
  /** Takes a request, which is written later; when too many wait, it is dropped. Never throws. */
  add(request: AnsweredRequest): void;
  /** Writes the waiting requests. */
  close(): Promise<void>;
}

/** A few seconds at most pass until a request can be looked up. */
const WRITE_AFTER_MS = SECOND_MS / 2;
const MAXIMUM_BATCH = 100;
const MAXIMUM_QUEUED = 1_000;
/** Larger bodies are not kept. Those of payments have 1 to 3 KiB. */
const MAXIMUM_BODY_BYTES = 16_384;
/** How many requests a minute of the pages of one payment a process logs: anybody with the client secret can send more. */
const PAGE_REQUESTS_PER_MINUTE = 30;
/** How many requests are masked before other work gets the processor. */
const MASKED_AT_ONCE = 4;

/**
 * Whether a request is logged. Reads that succeed are most requests, change nothing, and would cost more to log than to answer.
 * Requests beyond a rate limit come in any number, and all say the same.
 */
export function isLogged(method: string, status: number): boolean {
  return status !== 429 && (status >= 400 || (method !== 'GET' && method !== 'HEAD'));
}

/** The request log in the database. Batches are written beside the requests, one at a time. */
export function createRequestLog(database: Pick<Database, 'direct'>, logger: Pick<Logger, 'warn'>): RequestLog {
  const queue: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let dropped = 0;
  const countPage = createLocalLimiter(PAGE_REQUESTS_PER_MINUTE);
  const countsBeyondLimit = ({ apiKeyId }: AnsweredRequest): boolean =>
    isId('paymentIntent', apiKeyId) && countPage(apiKeyId).exceeded;

  const writeAll = async (): Promise<void> => {
    while (queue.length > 0) {
      const batch = await maskAll(queue.splice(0, MAXIMUM_BATCH));
      await database.direct.execute(insertRequests(batch)).catch((error: unknown) => {
        logger.warn({ err: error, requests: batch.length }, 'requests could not be logged');
      });
    }
    if (dropped > 0) logger.warn({ requests: dropped }, 'too many requests to log them all');
    dropped = 0;
  };
  const write = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing ??= writeAll().finally(() => {
      writing = undefined;
      if (queue.length > 0) schedule();
    });
    return writing;
  };
  const schedule = (): void => {
    timer ??= setTimeout(() => void write(), WRITE_AFTER_MS);
  };

  return {
    add(request) {
      if (countsBeyondLimit(request)) return;
      if (queue.length >= MAXIMUM_QUEUED) {
        dropped += 1;
        return;
      }
      queue.push(waiting(request));
      if (queue.length >= MAXIMUM_BATCH) void write();
      else schedule();
    },
    async close() {
      while (writing !== undefined || queue.length > 0) await write();
      clearTimeout(timer);
    },
  };
}

/** A request that waits for its batch; of a large body it has only the size. */
interface Waiting extends Omit<AnsweredRequest, 'requestBody' | 'responseBody'> {
  readonly requestBody: Buffer | number;
  readonly responseBody: string | number;
}

function waiting({ requestBody, responseBody, ...request }: AnsweredRequest): Waiting {
  return {
    ...request,
    requestBody: requestBody.length > MAXIMUM_BODY_BYTES ? requestBody.length : requestBody,
    responseBody: responseBody.length > MAXIMUM_BODY_BYTES ? responseBody.length : responseBody,
  };
}

/** Masks requests a few at a time, so that requests that are being answered do not wait for long. */
async function maskAll(requests: readonly Waiting[]): Promise<LoggedRequest[]> {
  const masked: LoggedRequest[] = [];
  for (const request of requests) {
    masked.push(mask(request));
    if (masked.length % MASKED_AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return masked;
}

function mask({ startedAtMs, requestBody, responseBody, ...request }: Waiting): LoggedRequest {
  const response = maskBody(responseBody);
  return {
    ...request,
    id: request.id,
    code: request.status < 400 ? null : codeOf(response),
    requestBody: maskBody(requestBody),
    responseBody: response,
    createdAt: new Date(startedAtMs).toISOString(),
  };
}

/** Text that is not JSON is not kept, because nothing tells where it contains card data. */
function maskBody(body: Buffer | string | number): unknown {
  if (typeof body === 'number') return { omitted: 'too_large', bytes: body };
  if (body.length === 0) return null;
  // Drops a byte order mark, as the parser of request bodies does.
  const value = parseJson(typeof body === 'string' ? body : new TextDecoder().decode(body));
  return value === undefined ? { omitted: 'no_json', bytes: body.length } : redactBody(value);
}

/** The error code in an error envelope. */
function codeOf(response: unknown): string | null {
  const error: unknown = Reflect.get(Object(response), 'error');
  const code: unknown = Reflect.get(Object(error), 'code');
  return typeof code === 'string' ? code : null;
}
