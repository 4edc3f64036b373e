import express, { type Express, Router } from 'express';
import type { Logger } from 'pino';
import type { Database } from '../prisma/client.ts';
import type { PaymentWorkflows } from '../workflows/client/payment-workflows.ts';
import type { RefundWorkflows } from '../workflows/client/refund-workflows.ts';
import type { Admission } from './middleware/admission.ts';
import { authenticate, findCaller } from './middleware/authentication/authenticate.ts';
import { createCountingLookup } from './middleware/authentication/counting-lookup.ts';
import { type Credentials, secretOf } from './middleware/authentication/credentials.ts';
import { isKnown, type KnownCallers, refuseBlockedAddress } from './middleware/authentication/known-callers.ts';
import { type CheckoutSdk, createCheckoutSdkRouter } from './checkout/sdk.ts';
import { allowCheckoutPages } from './checkout/cross-origin.ts';
import type { ApiOperation } from './resources/api-operation.ts';
import {
  createApiOperations,
  createSessionOperations,
  type OperationDependencies,
  type SessionOperationDependencies,
} from './resources/api-operations.ts';
import {
  createErrorHandler,
  beginRequest,
  type RequestLifecycleDependencies,
  notFound,
} from './middleware/request-lifecycle.ts';
import { createPaymentPageRouter, type PaymentPageDependencies } from './payment-page/router.ts';
import { mountHealth, mountMetrics, type ReadinessChecks, type ServedMetrics } from './server/health.ts';
import { mountSecurityTxt } from './server/security-txt.ts';
import { mountOperations, methodNotAllowed } from './resources/mount-operations.ts';
import { RETURNS_PATH } from '../vault/customer-return.ts';
import { PAGES_PATH } from './resources/payment-links/token.ts';
import { createOpenApiDocument } from './openapi/document.ts';
import type { BuiltDocsFile } from './openapi/docs-site.ts';
import { serveDocument } from './openapi/serve-document.ts';
import { createCustomerReturnRouter, type CustomerReturnDependencies } from './customer-returns.ts';
import { createProviderWebhookHandler, type ProviderWebhookDependencies } from './provider-webhooks.ts';
import { rateLimitHeaders, type RateLimitStatus } from './middleware/rate-limits/rate-limit.ts';
import { createWebhookLimit } from './middleware/rate-limits/webhook-limit.ts';
import { isTracing } from '../traces/tracer.ts';
import { readBody, readBodyOfCaller } from './middleware/request-body.ts';
import { limitRequestsInFlight } from './middleware/requests-in-flight.ts';
import { type ApiHandler, type ApiRequest, rawBodyOf } from './middleware/request-context.ts';
import { traceRequest } from './middleware/trace-request.ts';
import { transportOf } from './middleware/transport.ts';
import { createSingleFlight } from './middleware/authentication/single-flight.ts';
import {
  authenticateSession,
  authenticateStaff,
  claimsSession,
  isPlatformPath,
  sessionTokenOf,
} from './middleware/authentication/session.ts';

export interface ApiDependencies
  extends
    OperationDependencies,
    SessionOperationDependencies,
    ProviderWebhookDependencies,
    CustomerReturnDependencies,
    PaymentPageDependencies,
    RequestLifecycleDependencies {
  readonly logger: Logger;
  readonly readiness: ReadinessChecks;
  readonly metrics: ServedMetrics;
  readonly requestsInFlightPerAddress: number;
  readonly knownCallers: KnownCallers;
  /** Connections for looking up unknown callers. */
  readonly unknownCallersDatabase: Pick<Database, 'direct'>;
  readonly admission: Admission;
  readonly workflows: PaymentWorkflows;
  readonly refundWorkflows: RefundWorkflows;
  readonly checkoutSdk: CheckoutSdk;
  /** The files of `/docs`; null where neither they nor `/openapi.json` are served. */
  readonly docsSite: readonly BuiltDocsFile[] | null;
  /** Origins of the pages that may embed the card fields; an empty list allows every secure page. */
  readonly cardFieldsOrigins: readonly string[];
  /** What `/.well-known/security.txt` names; it is not served if there is none. */
  readonly securityContacts: readonly string[];
  /** The redirect target of `/demo`; null where there is no demo shop. */
  readonly demoUrl: string | null;
  /** Verifies the sessions of people, which the dashboard signs; null where only keys are taken. */
  readonly dashboardSecret: string | null;
}

/** The REST API as a request handler. It opens no port and no connection. */
export function createApp(dependencies: ApiDependencies): Express {
  const app = express();
  const operations = createApiOperations(dependencies);
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');

  app.use(beginRequest(dependencies));
  if (isTracing()) app.use(['/api/v1', PAGES_PATH], traceRequest);
  app.use(limitRequestsInFlight(dependencies.requestsInFlightPerAddress, dependencies.addresses));
  // Mounted first, because nearly all requests go there.
  app.use('/api/v1', createApiRouter(dependencies, operations));
  if (dependencies.demoUrl !== null) app.get('/demo', redirectTo(dependencies.demoUrl));
  app.use('/sdk/checkout/v1', createCheckoutSdkRouter(dependencies.checkoutSdk, dependencies.cardFieldsOrigins));
  const { apiPublicUrl } = dependencies;
  if (apiPublicUrl !== null) {
    app.use(PAGES_PATH, createPaymentPageRouter(dependencies, apiPublicUrl));
    app.use(RETURNS_PATH, createCustomerReturnRouter(dependencies));
  }
  mountHealth(app, dependencies.readiness);
  mountMetrics(app, dependencies.metrics);
  if (dependencies.securityContacts.length > 0) mountSecurityTxt(app, dependencies.securityContacts);
  const { docsSite } = dependencies;
  if (docsSite !== null) app.use(serveDocument(() => createOpenApiDocument(operations), docsSite));
  app.use(readBody, notFound);
  app.use(createErrorHandler(dependencies));
  return app;
}

function createApiRouter(dependencies: ApiDependencies, operations: readonly ApiOperation[]): Router {
  const router = Router({ caseSensitive: true });
  const { refuseBlocked, isExistingCaller, authenticateRequest } = createAuthentication(dependencies);
  router.use(allowCheckoutPages(operations));
  router
    .route('/providers/:provider/webhooks')
    .all(createWebhookLimit(dependencies), readBody)
    .post(createProviderWebhookHandler(dependencies))
    .all(methodNotAllowed(['POST']));
  router.use(refuseBlocked, readBodyOfCaller(isExistingCaller), authenticateRequest);
  mountOperations(router, [...operations, ...createSessionOperations(dependencies)]);
  // Otherwise Express would answer OPTIONS itself, without the envelope.
  router.options('/{*path}', notFound);
  router.use(notFound);
  return router;
}

/** What authentication reads of a request before its body; its parts are created once for all requests. */
function createAuthentication(dependencies: ApiDependencies): {
  readonly refuseBlocked: ApiHandler;
  readonly isExistingCaller: (request: ApiRequest) => Promise<boolean>;
  readonly authenticateRequest: ApiHandler;
} {
  const { database, unknownCallersDatabase, knownCallers, keyring, rateLimiters, addresses, dashboardSecret } =
    dependencies;
  const { inDatabase } = rateLimiters;
  const createLookup = (connections: Pick<Database, 'direct'>) => ({
    database: connections,
    keyring,
    acceptsClientSecrets: true,
    lookups: createSingleFlight<Credentials | undefined>(),
    countingLookup: inDatabase === null ? null : createCountingLookup(connections, inDatabase),
  });
  const [ofKnown, ofUnknown] = [createLookup(database), createLookup(unknownCallersDatabase)];
  const headerOf = (request: ApiRequest) => (name: string) => request.get(name);
  const lookupFor = (header: ReturnType<typeof headerOf>) => (isKnown(knownCallers, header) ? ofKnown : ofUnknown);
  return {
    refuseBlocked: (request, _response, next) => {
      refuseBlockedAddress({ header: headerOf(request), address: () => addresses.of(request) }, dependencies);
      next();
    },
    isExistingCaller: async (request) => {
      const header = headerOf(request);
      if (sessionTokenOf(header('authorization'), dashboardSecret) !== undefined) return true;
      return (await findCaller(header, lookupFor(header))) !== undefined;
    },
    authenticateRequest: async (request, response, next) => {
      const header = headerOf(request);
      const onCounted = (rateLimit: RateLimitStatus): void => {
        response.locals.counted = true;
        response.set(rateLimitHeaders(rateLimit));
      };
      if (dashboardSecret !== null && claimsSession(header('authorization'))) {
        const isForStaff = isPlatformPath(request.path);
        const principal = await (isForStaff ? authenticateStaff : authenticateSession)(
          sessionTokenOf(header('authorization'), dashboardSecret),
          {
            method: request.method,
            header,
            address: () => addresses.of(request),
            transport: () => transportOf(request, addresses),
          },
          { database: isKnown(knownCallers, header) ? database : unknownCallersDatabase, rateLimiters, onCounted },
        );
        const { apiKeyId, merchantAccountId, environment } = principal;
        response.locals.principal = principal;
        if (!isForStaff) response.locals.signer = { apiKeyId, merchantAccountId, environment };
        knownCallers.add(secretOf(header) ?? '');
        return next();
      }
      response.locals.principal = await authenticate(
        {
          method: request.method,
          target: request.originalUrl,
          header,
          rawBody: rawBodyOf(response),
          address: () => addresses.of(request),
          transport: () => transportOf(request, addresses),
          nowMs: Date.now(),
        },
        {
          ...lookupFor(header),
          rateLimiters,
          onSigned: ({ apiKeyId, merchantAccountId, environment }) => {
            // Null if the key may not act for the account that the request names.
            if (merchantAccountId !== null) response.locals.signer = { apiKeyId, merchantAccountId, environment };
          },
          onCounted,
        },
      );
      knownCallers.add(secretOf(header) ?? '');
      next();
    },
  };
}

const redirectTo =
  (url: string): ApiHandler =>
  (_request, response) =>
    response.redirect(302, url);
