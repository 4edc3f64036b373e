import type { IncomingMessage } from 'node:http';
import { createProxyServer } from 'httpxy';
import type { Logger } from 'pino';
import { ApiError } from '../../domain/api-error.ts';
import type { ClientAddresses } from '../../http/client-address.ts';
import type { ApiHandler, ApiRequest, ApiResponse } from '../../http/request-context.ts';
import { transportOf } from '../../http/transport.ts';
import type { DashboardConfig } from '../../config/dashboard.ts';
import { isLoopback } from '../../domain/ip-address.ts';
import { SECOND_MS } from '../../domain/time.ts';
import { sessionCookieOf } from './auth.ts';
import { sessionOf } from './session-cookie.ts';

/** Longer than the API waits for a payment's outcome. */
const TIMEOUT_MS = 90 * SECOND_MS;
/** The API's own limit, for files: it checks the limit of each path itself. */
const MAXIMUM_BODY_BYTES = 3 * 1_048_576;

/** Headers of the browser that the API must not take for the dashboard's, need not know, or that concern one connection. */
const REMOVED_HEADERS: readonly string[] = [
  'authorization',
  'cookie',
  'origin',
  'referer',
  'x-secret-salt',
  'x-signature',
  'x-timestamp',
  'x-nonce',
  'forwarded',
  'x-real-ip',
  // The server has answered it already; with it, a request to the API would go out before its headers are complete.
  'expect',
  'upgrade',
  'keep-alive',
  'te',
  'trailer',
  'proxy-authorization',
  'proxy-connection',
];
const FORWARDED_PREFIX = 'x-forwarded-';

export interface ApiProxyDependencies extends Pick<DashboardConfig, 'publicUrl' | 'apiUrl'> {
  readonly addresses: ClientAddresses;
  readonly logger: Logger;
}

/** Passes requests on to the API, with the session of the browser's cookie in place of an API key. */
export function createApiProxy(dependencies: ApiProxyDependencies): ApiHandler {
  const cookie = sessionCookieOf(dependencies.publicUrl);
  const passOn = createPassOn(dependencies);
  return async (request, response) => {
    if (!isBelowApi(request.originalUrl)) throw new ApiError('RESOURCE_NOT_FOUND');
    const authorization = `Session ${sessionOf(request, cookie) ?? NO_SESSION}`;
    // The API's address has the whole path.
    await passOn(request, response, { target: request.originalUrl, headers: { authorization } });
  };
}

const LOGO = /^\/pay\/logos\/[0-9a-f]{64}\.png$/;

/** Passes the request for an account's logo on to the API, which shows it to everybody. */
export function createLogoProxy(dependencies: ApiProxyDependencies): ApiHandler {
  const passOn = createPassOn(dependencies);
  return async (request, response) => {
    const target = request.originalUrl;
    if (!LOGO.test(target)) throw new ApiError('RESOURCE_NOT_FOUND');
    await passOn(request, response, { target, headers: {} });
  };
}

const SANDBOX_KEY = /^Bearer svc_test_\S{1,200}$/;
const SIGNED_HEADERS = ['authorization', 'x-timestamp', 'x-nonce', 'x-secret-salt', 'x-signature'] as const;

/**
 * Passes one payment that a page has signed with a key of the sandbox on to the API, as if the page had sent it there itself: the API
 * takes no keys from pages of other origins. The session is not part of it.
 */
export function createFirstPaymentProxy(dependencies: ApiProxyDependencies): ApiHandler {
  const passOn = createPassOn(dependencies);
  return async (request, response) => {
    if (!SANDBOX_KEY.test(request.headers.authorization ?? '')) {
      request.resume();
      throw new ApiError('UNAUTHORIZED', { message: 'Expected a request that is signed with a key of the sandbox.' });
    }
    const signed = SIGNED_HEADERS.map((name) => [name, request.headers[name]] as const);
    const headers = Object.fromEntries(
      signed.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    );
    await passOn(request, response, { target: '/api/v1/payment-intents', headers });
  };
}

interface PassedRequest {
  /** Path and query at the API. */
  readonly target: string;
  /** Whose request it is. */
  readonly headers: Readonly<Record<string, string>>;
}

function createPassOn({ apiUrl, addresses, logger }: ApiProxyDependencies) {
  const proxy = createProxyServer({
    target: apiUrl,
    changeOrigin: true,
    // No `timeout`: it leaves a listener behind for each request of a keep-alive connection, and the server has time limits of its own.
    proxyTimeout: TIMEOUT_MS,
  });
  proxy.on('proxyRes', (fromApi) => {
    delete fromApi.headers['set-cookie'];
  });
  return async (request: ApiRequest, response: ApiResponse, { target, headers: ofSender }: PassedRequest) => {
    if (Number(request.headers['content-length'] ?? 0) > MAXIMUM_BODY_BYTES) {
      request.resume();
      throw new ApiError('INVALID_REQUEST', { details: { reason: 'body_too_large' } });
    }
    request.url = target;
    const headers = { ...ofSender, connection: 'keep-alive', ...clientHeaders(request, addresses) };
    removeHeaders(request);
    try {
      await proxy.web(request, response, { headers });
    } catch (error) {
      if (response.destroyed || request.aborted) return;
      logger.warn({ err: error }, 'the API did not answer');
      throw new ApiError('SERVICE_UNAVAILABLE', { message: 'The API does not answer. Try again in a moment.' });
    }
  };
}

/** Tells the API that this is a person who is not signed in. */
const NO_SESSION = 'none';

const API_PATH = '/api/v1/';
const ENCODED_SEPARATOR = /%(?:2f|5c)/i;

/** Whether no server on the way to the API can read a path as one outside `/api/v1`. */
function isBelowApi(target: string): boolean {
  const [path = ''] = target.split('?', 1);
  if (!path.startsWith(API_PATH) || ENCODED_SEPARATOR.test(path)) return false;
  return new URL(`http://localhost${path}`).pathname === path;
}

function removeHeaders({ headers }: IncomingMessage): void {
  for (const name of Object.keys(headers)) {
    if (REMOVED_HEADERS.includes(name) || name.startsWith(FORWARDED_PREFIX)) delete headers[name];
  }
}

/**
 * Tells the API who the client is, and whether its connection is HTTPS. A client on this machine needs no telling: the API
 * takes the dashboard for it.
 */
function clientHeaders(request: IncomingMessage, addresses: ClientAddresses): Readonly<Record<string, string>> {
  const address = addresses.of(request);
  const { secure, isForwarded } = transportOf(request, addresses);
  if (!secure && !isForwarded && isLoopback(address)) return {};
  return { 'x-forwarded-for': address, 'x-forwarded-proto': secure ? 'https' : 'http' };
}
