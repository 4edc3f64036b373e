import { Router } from 'express';
import { z } from 'zod';
import { isTerminal } from '../../domain/payment-state.ts';
import { ApiError } from '../../domain/api-error.ts';
import { parseJsonBody } from '../../http/json-body.ts';
import { rateLimitExceeded } from '../../http/rate-limits/rate-limit.ts';
import { countOpening } from '../checkout-limits/link-openings.ts';
import { createPageLimit, type PageLimitDependencies } from '../../http/rate-limits/page-limit.ts';
import { readBody } from '../../http/request-body.ts';
import { type ApiHandler, type ApiRequest, type ApiResponse, rawBodyOf } from '../../http/request-context.ts';
import { requireSecureTransport, transportOf } from '../../http/transport.ts';
import { validate } from '../../contract/validation.ts';
import { methodNotAllowed } from '../../http/method-not-allowed.ts';
import { serveLogo } from './logo.ts';
import { PAGES_PATH } from '../resources/payment-links/token.ts';
import { jsonResponse, sendResponse } from '../../http/response.ts';
import { CACHE_IMMUTABLE, digestOf, serveStatic } from '../../http/server/serve-static.ts';
import { reportingDirectives, reportingHeader } from '../policy-reports.ts';
import type { BuiltPaymentPage } from './built-page.ts';
import { findLink, type FoundLink } from './found-link.ts';
import { cancelPayment, openPayment, type OpeningDependencies } from './open-payment.ts';
import { readPageState } from './page-state.ts';
import { type VisitorPayment, visitorCookie, visitorPaymentOf } from './visitor-cookie.ts';

export interface PaymentPageDependencies extends OpeningDependencies, PageLimitDependencies {
  readonly paymentPage: BuiltPaymentPage;
}

const HTML_CACHE = 'no-cache';

/** `another`: whether to open a further payment, after this browser's last one has succeeded. */
const openBody = z.strictObject({ another: z.boolean().default(false) });

/**
 * The pages of payment links, below `PAGES_PATH`: `/TOKEN` is the page, which is the same for every token, so that it does not
 * reveal which tokens exist; `/TOKEN/state` is what it shows, `/TOKEN/payment` opens a payment, and `/TOKEN/cancel` cancels it.
 * @param publicUrl the origin of the API as customers see it
 */
export function createPaymentPageRouter(dependencies: PaymentPageDependencies, publicUrl: string): Router {
  const { paymentPage } = dependencies;
  const isSecure = publicUrl.startsWith('https:');
  const router = Router({ caseSensitive: true });
  serveFiles(router, paymentPage, publicUrl);
  const limit = createPageLimit(dependencies);
  router
    .route('/logos/:name')
    .get(limit, readBody, serveLogo(dependencies.database))
    .all(readBody, methodNotAllowed(['GET']));

  const present = async (response: ApiResponse, found: FoundLink, visitor: VisitorPayment | null): Promise<void> =>
    sendResponse(response, jsonResponse(200, await readPageState(dependencies.database, found, visitor)));
  const visitorOf = (request: ApiRequest) => visitorPaymentOf(request.get('cookie'), isSecure);

  const readState: ApiHandler = async (request, response) => {
    await present(response, await requireLink(dependencies, request), visitorOf(request));
  };
  const open: ApiHandler = async (request, response) => {
    requireSameOrigin(request);
    const { another } = validate(openBody, parseJsonBody(rawBodyOf(response), request.get('content-type')));
    const found = await requireLink(dependencies, request);
    const visitor = visitorOf(request);
    const state = await readPageState(dependencies.database, found, visitor);
    const isTaken = state.payment !== null && (!isTerminal(state.payment.status) || isPaid(state.payment, another));
    if (isTaken || state.status !== 'active') return sendResponse(response, jsonResponse(200, state));
    const token = tokenOf(request);
    await countOpening(dependencies.database, {
      environment: found.scope.environment,
      paymentLinkId: found.link.id,
      address: dependencies.addresses.of(request),
    });
    const payment = await openPayment(dependencies, found, (opened) => {
      response.append('Set-Cookie', visitorCookie(token, opened, isSecure));
    });
    await present(response, await requireLink(dependencies, request), payment);
  };
  const cancel: ApiHandler = async (request, response) => {
    requireSameOrigin(request);
    const found = await requireLink(dependencies, request);
    const visitor = visitorOf(request);
    if (visitor !== null) await cancelPayment(dependencies, found, visitor);
    await present(response, found, visitor);
  };
  router
    .route('/:token/cancel')
    .post(limit, readBody, cancel)
    .all(readBody, methodNotAllowed(['POST']));
  router
    .route('/:token/state')
    .get(limit, readBody, readState)
    .all(readBody, methodNotAllowed(['GET']));
  router
    .route('/:token/payment')
    .post(limit, readBody, open)
    .all(readBody, methodNotAllowed(['POST']));
  return router;
}

/** A payment that succeeded stays this browser's, unless another one is asked for. */
function isPaid({ status }: { readonly status: string }, another: boolean): boolean {
  return status === 'succeeded' && !another;
}

function tokenOf({ params }: ApiRequest): string {
  return typeof params.token === 'string' ? params.token : '';
}

/** @throws ApiError `RESOURCE_NOT_FOUND`, which is counted, so that nobody can try many; `FORBIDDEN` for production over plain HTTP */
async function requireLink(
  { database, addresses, rateLimiters }: PaymentPageDependencies,
  request: ApiRequest,
): Promise<FoundLink> {
  const found = await findLink(database, tokenOf(request));
  if (found === undefined) {
    const counted = await rateLimiters.countAddress(addresses.of(request));
    throw counted.exceeded ? rateLimitExceeded(counted) : new ApiError('RESOURCE_NOT_FOUND');
  }
  requireSecureTransport(found.scope.environment, () => transportOf(request, addresses));
  return found;
}

/** A page of another site must not open payments in the name of a visitor. @throws ApiError `FORBIDDEN` */
function requireSameOrigin(request: ApiRequest): void {
  const site = request.get('sec-fetch-site');
  if (site === undefined || site === 'same-origin') return;
  throw new ApiError('FORBIDDEN', { message: 'Only the payment page itself may ask for that.' });
}

/** The page runs its own script alone, talks to the API alone, and embeds the card fields alone. */
function serveFiles(router: Router, built: BuiltPaymentPage, publicUrl: string): void {
  const { html, script, style, policy } = servedPaymentPage(built, publicUrl);
  const headers = {
    'Content-Security-Policy': policy,
    ...reportingHeader('payment-page'),
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=()',
    'X-Frame-Options': 'DENY',
    'X-Robots-Tag': 'noindex',
  };
  const serve = (type: string, content: Buffer, cacheControl: string, more = {}) =>
    serveStatic({ type, content: () => content, cacheControl, headers: more });
  router.get(below(script.path), serve('text/javascript', script.content, CACHE_IMMUTABLE));
  router.get(below(style.path), serve('text/css', style.content, CACHE_IMMUTABLE));
  router.get('/:token', serve('text/html', html, HTML_CACHE, headers));
}

/** A path of the page without the one that the router is mounted at. */
function below(path: string): string {
  return path.slice(PAGES_PATH.length);
}

/**
 * The page of payment links as browsers get it, with the paths of its files and its policy.
 * @param publicUrl the origin of the API as customers see it
 */
export function servedPaymentPage({ html, script, style }: BuiltPaymentPage, publicUrl: string) {
  const scriptPath = `${PAGES_PATH}/files/payment-page.${digestOf(script)}.js`;
  const stylePath = `${PAGES_PATH}/files/payment-page.${digestOf(style)}.css`;
  const page = html.replace('<!-- style -->', stylePath).replace('<!-- script -->', scriptPath);
  return {
    html: Buffer.from(page),
    policy: contentSecurityPolicy(publicUrl),
    script: { path: scriptPath, content: script },
    style: { path: stylePath, content: style },
  };
}

function contentSecurityPolicy(publicUrl: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${publicUrl.replace(/^http/, 'ws')}`,
    "frame-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    ...reportingDirectives('payment-page'),
  ].join('; ');
}
