import { PaymentEngineConnectionError, PaymentEngineError } from './errors.ts';
import type { ApiError } from './generated/schemas.ts';
import { type Credentials, signRequest } from './sign.ts';

/** The function that sends requests; default: that of Node. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface TransportOptions extends Credentials {
  /** Without the path: `https://payments.example`. */
  readonly baseUrl: string;
  readonly fetch: Fetch;
}

export interface OutgoingRequest {
  readonly method: string;
  /** With the query, from `/api/v1` on. */
  readonly target: string;
  /** JSON text. */
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** The outcome of one try; a failure has whether and when to retry. */
export type Outcome =
  | { readonly kind: 'success'; readonly envelope: SuccessEnvelope }
  | { readonly kind: 'failure'; readonly error: Error; readonly transient: boolean; readonly retryAfterMs: number };

export interface SuccessEnvelope {
  readonly data: unknown;
  readonly pagination?: unknown;
}

const SECOND_MS = 1_000;
const TOO_MANY_REQUESTS = 429;
/** The engine stores no `INTERNAL_ERROR` under an idempotency key, so that a repeated POST goes on with the same operation. */
const TRANSIENT_CODES = new Set([
  'RATE_LIMIT_EXCEEDED',
  'TSP_TIMEOUT',
  'TSP_UNAVAILABLE',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
]);

/**
 * One try: signed anew, sent, read.
 * @throws what the caller's own signal was aborted with
 * @throws TypeError for an address or a header that no request can have
 */
export async function sendOnce(options: TransportOptions, request: OutgoingRequest): Promise<Outcome> {
  const { method, target, body, timeoutMs, signal } = request;
  const signals = [AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])];
  const address = `${options.baseUrl.replace(/\/+$/, '')}${target}`;
  const { apiKey, secretSalt, merchantId = '' } = options;
  const given = { Authorization: apiKey, 'X-Secret-Salt': secretSalt, 'X-Merchant-ID': merchantId };
  requireSendable(address, { ...given, ...request.headers });
  const headers = signRequest(options, request);
  try {
    const response = await options.fetch(address, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.any(signals),
      redirect: 'manual',
    });
    return outcomeOf(response, await response.text());
  } catch (cause) {
    signal?.throwIfAborted();
    const error = new PaymentEngineConnectionError(`${method} ${target} was not answered.`, { cause });
    return { kind: 'failure', error, transient: true, retryAfterMs: 0 };
  }
}

/** What a header can have, without the blanks at its ends, which are not sent. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** `fetch` would fail as it does on a lost connection, and the client would retry a request that can never be sent. */
function requireSendable(address: string, headers: Readonly<Record<string, string>>): void {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address))
    throw new TypeError(`Expected a baseUrl such as https://payments.example; got ${address}.`);
  const wrong = Object.entries(headers).find(([, value]) => !HEADER_VALUE.test(value.trim()));
  if (wrong !== undefined) throw new TypeError(`Expected ${wrong[0]} in printable ASCII; got other characters.`);
}

function outcomeOf(response: Response, text: string): Outcome {
  const envelope = parseEnvelope(text);
  if (envelope?.success === true) return { kind: 'success', envelope };
  if (envelope?.success === false) return failureOf(response, envelope.error);
  const error = new PaymentEngineConnectionError(`The response ${problemOf(response)}`);
  // A proxy's refusal stays one; anything else may hide an answer that was lost.
  const isRefusal = response.status >= 300 && response.status < 500 && response.status !== TOO_MANY_REQUESTS;
  return { kind: 'failure', error, transient: !isRefusal, retryAfterMs: retryAfterMsOf(response) };
}

/** A redirect is not followed: it would send the signed request to another address. */
function problemOf({ status, headers }: Response): string {
  const location = headers.get('location');
  return location === null
    ? `with status ${status} is not from the engine.`
    : `with status ${status} redirects to ${location}. Expected a baseUrl at which the engine answers itself.`;
}

function failureOf(response: Response, error: ApiError): Outcome {
  // The first try may still be running on the other side, although its answer was lost.
  const isRunning = error.code === 'DUPLICATE_REQUEST' && response.headers.has('retry-after');
  return {
    kind: 'failure',
    error: new PaymentEngineError(response.status, error),
    transient: isRunning || TRANSIENT_CODES.has(error.code),
    retryAfterMs: retryAfterMsOf(response),
  };
}

/** Seconds or a date; 0 when neither is there. */
function retryAfterMsOf({ headers }: Response): number {
  const text = headers.get('retry-after') ?? '';
  const ms = /^\d+$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}

type ParsedEnvelope =
  | ({ readonly success: true } & SuccessEnvelope)
  | { readonly success: false; readonly error: ApiError };

/** The envelope, or undefined when something in between answered. Its content is what the document promises. */
function parseEnvelope(text: string): ParsedEnvelope | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isEnvelope(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isEnvelope(value: unknown): value is ParsedEnvelope {
  if (typeof value !== 'object' || value === null || !('success' in value)) return false;
  if (value.success === true) return 'data' in value;
  if (!('error' in value) || typeof value.error !== 'object' || value.error === null) return false;
  return 'code' in value.error && typeof value.error.code === 'string';
}
