import type { Logger } from 'pino';
import { isId } from '../domain/ids.ts';
import { isIdOfEngine, redactSecrets, redactText } from '../domain/redaction.ts';
import { traceFieldsOf } from '../domain/trace-context.ts';
import { STRICT_TRANSPORT_SECURITY } from './rejection.ts';
import type { MeasuredRequest, MeasureRequest } from '../metrics/server-metrics.ts';
import { errorResponse, sendResponse } from './response.ts';
import type { ClientAddresses } from './client-address.ts';
import { ApiError } from '../domain/api-error.ts';
import { toApiError } from './errors.ts';
import type { KeyUses } from './key-uses.ts';
import { type RateLimiters, rateLimitExceeded, rateLimitHeaders } from './rate-limits/rate-limit.ts';
import type { ApiErrorHandler, ApiHandler, ApiRequest, ApiResponse } from './request-context.ts';
import { ownRequestId, requestIdFor } from './request-id.ts';
import { isLogged, type RequestLog } from './request-log.ts';
import { transportOf } from './transport.ts';

export interface RequestLifecycleDependencies {
  readonly rateLimiters: RateLimiters;
  readonly addresses: ClientAddresses;
  /** Undefined where no requests are logged. */
  readonly requestLog?: Pick<RequestLog, 'add'>;
  /** Undefined where no API keys are used. */
  readonly keyUses?: Pick<KeyUses, 'note'>;
  readonly logger: Logger;
  /** Called for each request when its response has ended. */
  readonly measureRequest?: MeasureRequest;
}

const MAXIMUM_LOGGED_PATH = 200;
const NO_BODY = Buffer.alloc(0);

/** Sets the request id and rate-limit headers on every response, and rejects requests without a Host header, or with two. */
export function beginRequest({
  rateLimiters,
  addresses,
  requestLog,
  keyUses,
  logger,
  measureRequest,
}: RequestLifecycleDependencies): ApiHandler {
  const isInfoLogged = logger.isLevelEnabled('info');
  return (request, response, next) => {
    const requestId = requestIdFor(request.headers['x-request-id']);
    const own = ownRequestId();
    const address = addresses.of(request);
    Object.assign(response.locals, { requestId, ownRequestId: own, startedAtMs: Date.now(), counted: false });
    response.setHeader('X-Request-Id', requestId);
    response.setHeader('X-Engine-Request-Id', own);
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    if (transportOf(request, addresses).secure) {
      response.setHeader('Strict-Transport-Security', STRICT_TRANSPORT_SECURITY);
    }
    response.set(rateLimitHeaders(rateLimiters.uncounted()));
    response.once('close', () => {
      measureRequest?.(measuredOf(request, response));
      if (keyUses !== undefined) noteKeyUse(keyUses, address, request, response);
      if (isInfoLogged) logRequest(logger, address, request, response);
    });
    if (requestLog !== undefined) {
      response.locals.onSent = (status, body) => addToLog(requestLog, request, response, { status, body, address });
    }
    requireOneHost(request);
    next();
  };
}

/** RFC 9112, 3.2: with two Host headers, a proxy may have decided by the one that the engine does not read. */
function requireOneHost({ httpVersion, headersDistinct }: ApiRequest): void {
  const { length } = headersDistinct.host ?? [];
  if (length === 1 || (length === 0 && httpVersion !== '1.1')) return;
  throw new ApiError('INVALID_REQUEST', {
    message: `Expected the header Host once, as HTTP/1.1 requires; got ${length === 0 ? 'none' : 'several'}.`,
    details: { field: 'Host', reason: length === 0 ? 'required' : 'duplicate' },
  });
}

function measuredOf(request: ApiRequest, response: ApiResponse): MeasuredRequest {
  const { startedAtMs, errorCode } = response.locals;
  return {
    method: request.method,
    endpoint: endpointOf(request),
    status: response.writableFinished ? response.statusCode : null,
    code: errorCode,
    durationMs: Date.now() - startedAtMs,
  };
}

/** This route matches every path, so it is not the pattern of an endpoint. */
const ANY_PATH = '/{*path}';

/** The path pattern of the matched route, such as `/refunds/{id}`: below `/api/v1` for operations of the API. */
export function endpointOf(request: ApiRequest): string | undefined {
  const route = request.route as { readonly path: string } | undefined;
  return route === undefined || route.path === ANY_PATH ? undefined : route.path.replaceAll(/:(\w+)/g, '{$1}');
}

/** Logs a request whose signer is known; nobody else can write into the log of an account. */
function addToLog(
  requestLog: Pick<RequestLog, 'add'>,
  { method, originalUrl }: ApiRequest,
  { locals }: ApiResponse,
  { status, body, address }: { readonly status: number; readonly body: string; readonly address: string },
): void {
  const { requestId, ownRequestId: id, startedAtMs, signer } = locals;
  if (signer === undefined || !isLogged(method, status)) return;
  requestLog.add({
    ...signer,
    id,
    requestId,
    address,
    method,
    path: loggablePath(originalUrl),
    status,
    startedAtMs,
    durationMs: Date.now() - startedAtMs,
    requestBody: locals.rawBody ?? NO_BODY,
    responseBody: body,
  });
}

/** Counts a request whose signature is valid, for its key. */
function noteKeyUse(
  keyUses: Pick<KeyUses, 'note'>,
  address: string,
  request: ApiRequest,
  { locals, statusCode }: ApiResponse,
): void {
  if (locals.signer === undefined) return;
  const { apiKeyId } = locals.signer;
  const operation = `${request.method} ${endpointOf(request) ?? 'unknown path'}`;
  keyUses.note({ apiKeyId, address, operation, isRefused: statusCode >= 400 });
}

/** The ids by which logs and traces name a request. */
export interface RequestIds {
  /** The client's own, where it sent one. */
  readonly requestId: string;
  /** The engine's, which no other request has. */
  readonly engineRequestId: string;
  readonly apiKeyId?: string | undefined;
  readonly merchantAccountId?: string | undefined;
  /** Where the path names one, or the request creates it. */
  readonly paymentIntentId?: string | undefined;
  readonly refundId?: string | undefined;
}

export function idsOf({ params }: ApiRequest, { locals }: ApiResponse): RequestIds {
  const { requestId, ownRequestId: engineRequestId, principal, resourceId = '' } = locals;
  const named = [...Object.values(params).flat(), resourceId];
  return {
    requestId,
    engineRequestId,
    apiKeyId: principal?.apiKeyId,
    merchantAccountId: principal?.merchantAccountId,
    // A text that is no id of ours may be anything, such as a card number.
    paymentIntentId: named.find((id) => isId('paymentIntent', id)),
    refundId: named.find((id) => isId('refund', id)),
  };
}

function logRequest(logger: Logger, address: string, request: ApiRequest, response: ApiResponse): void {
  const { startedAtMs, trace } = response.locals;
  logger.info(
    {
      ...idsOf(request, response),
      ...traceFieldsOf(trace ?? null),
      address,
      method: request.method,
      path: loggablePath(request.originalUrl),
      status: response.statusCode,
      durationMs: Date.now() - startedAtMs,
      finished: response.writableFinished,
    },
    'request',
  );
}

/** A path as a message may repeat it. */
function printablePath(url: string): string {
  return JSON.stringify(loggablePath(url));
}

/** Whoever has the token in the address of a payment page can pay. */
const PAYMENT_PAGE = /(\/pay\/)[^/]+/i;
/** Whoever has the token of a return address can come back in the customer's place. */
const CUSTOMER_RETURN = /(\/returns\/[^/]+\/)[^/]+/i;

/** The path without its query string, and without a secret or text that could be a card number in place of an id. */
function loggablePath(url: string): string {
  const path = redactSecrets(url.split('?', 1)[0] ?? '')
    .replace(PAYMENT_PAGE, '$1[redacted]')
    .replace(CUSTOMER_RETURN, '$1[redacted]');
  return path.split('/').map(loggableSegment).join('/').slice(0, MAXIMUM_LOGGED_PATH);
}

/** Part of a card number. */
const DIGITS = /\p{Nd}{6}/u;

function loggableSegment(segment: string): string {
  if (isIdOfEngine(segment)) return segment;
  const text = decodedSegment(segment);
  return text === undefined || DIGITS.test(text) || redactText(text) !== text ? '[redacted]' : segment;
}

/** Undefined where it is not encoded as it has to be. */
function decodedSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** Rejects requests for paths that do not exist. */
export const notFound: ApiHandler = (request) => {
  const { method, originalUrl } = request;
  throw new ApiError('RESOURCE_NOT_FOUND', {
    message:
      `Expected a path of the API, such as /api/v1/payment-intents, in lower case; got ${method} ` +
      `${printablePath(originalUrl)}. /openapi.json lists all paths.`,
  });
};

const NO_HANDSHAKE =
  'Expected the handshake of a WebSocket; got a plain request. Open the address with a WebSocket library, and let proxies in ' +
  'between pass on the headers Upgrade and Connection.';
const NO_SOCKETS =
  'Expected no WebSocket here: this process serves no sockets. Open it at a gateway, to which proxies in between have to lead this ' +
  'path.';

/**
 * Rejects a request for a socket that reaches the app. It comes without the handshake, which a proxy removes unless it is told to pass
 * it on, or to an API beside which gateways serve the sockets.
 */
export const socketNotServed: ApiHandler = (request) => {
  const isHandshake = request.get('upgrade') !== undefined;
  throw new ApiError('INVALID_REQUEST', {
    message: isHandshake ? NO_SOCKETS : NO_HANDSHAKE,
    details: { field: 'Upgrade', reason: isHandshake ? 'not_served' : 'required' },
  });
};

/** Logs internal failures as errors, and failures of dependencies as warnings. */
function logFailure(logger: Logger, error: ApiError, ids: RequestIds): void {
  if (error.status < 500) return;
  const level = error.code === 'INTERNAL_ERROR' ? 'error' : 'warn';
  logger[level]({ ...ids, code: error.code, err: error.cause }, 'request failed');
}

/** Turns every failure into a response. Failures that no key's limit has counted are counted by address. */
export function createErrorHandler({ rateLimiters, addresses, logger }: RequestLifecycleDependencies): ApiErrorHandler {
  const handle = async (thrown: unknown, request: ApiRequest, response: ApiResponse): Promise<void> => {
    let error = toApiError(thrown);
    logFailure(logger, error, idsOf(request, response));
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (!response.locals.counted && error.status < 500) error = await countFailure(error, request, response);
    response.locals.errorCode = error.code;
    sendResponse(response, errorResponse(error, response.locals));
  };

  const countFailure = async (error: ApiError, request: ApiRequest, response: ApiResponse): Promise<ApiError> => {
    const rateLimit = await rateLimiters.countAddress(addresses.of(request));
    response.set(rateLimitHeaders(rateLimit));
    return rateLimit.exceeded ? rateLimitExceeded(rateLimit) : error;
  };

  return (thrown, request, response, _next) => handle(thrown, request, response);
}
