import express, { type Express, Router } from 'express';
import type { Logger } from 'pino';
import type { PaymentWorkflows } from '../workflows/client/payment-workflows.ts';
import type { RefundWorkflows } from '../workflows/client/refund-workflows.ts';
import { authenticate, findCaller } from './middleware/authentication/authenticate.ts';
import { createCountingLookup } from './middleware/authentication/counting-lookup.ts';
import type { Credentials } from './middleware/authentication/credentials.ts';
import { type CheckoutSdk, createCheckoutSdkRouter } from './checkout/sdk.ts';
import { allowCheckoutPages } from './checkout/cross-origin.ts';
import type { ApiOperation } from './resources/api-operation.ts';
import { createApiOperations, type OperationDependencies } from './resources/api-operations.ts';
import {
  createErrorHandler,
  beginRequest,
  type RequestLifecycleDependencies,
  notFound,
} from './middleware/request-lifecycle.ts';
import { mountHealth, type ReadinessChecks } from './server/health.ts';
import { mountOperations, methodNotAllowed } from './resources/mount-operations.ts';
import { createOpenApiDocument } from './openapi/document.ts';
import { serveDocument } from './openapi/serve-document.ts';
import { createProviderWebhookHandler, type ProviderWebhookDependencies } from './provider-webhooks.ts';
import { rateLimitHeaders } from './middleware/rate-limits/rate-limit.ts';
import { readBody, readBodyOfCaller } from './middleware/request-body.ts';
import { type ApiHandler, type ApiRequest, rawBodyOf } from './middleware/request-context.ts';
import { transportOf } from './middleware/transport.ts';
import { createSingleFlight } from './middleware/authentication/single-flight.ts';

export interface ApiDependencies
  extends OperationDependencies, ProviderWebhookDependencies, RequestLifecycleDependencies {
  readonly logger: Logger;
  readonly readiness: ReadinessChecks;
  readonly workflows: PaymentWorkflows;
  readonly refundWorkflows: RefundWorkflows;
  readonly checkoutSdk: CheckoutSdk;
  /** Whether `/docs` and `/openapi.json` are served. */
  readonly docs: boolean;
  /** The redirect target of `/demo`; null where there is no demo shop. */
  readonly demoUrl: string | null;
}

/** The REST API as a request handler. It opens no port and no connection. */
export function createApp(dependencies: ApiDependencies): Express {
  const app = express();
  const operations = createApiOperations(dependencies);
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');

  app.use(beginRequest(dependencies));
  // Mounted first, because nearly all requests go there.
  app.use('/api/v1', createApiRouter(dependencies, operations));
  if (dependencies.demoUrl !== null) app.get('/demo', redirectTo(dependencies.demoUrl));
  app.use('/sdk/checkout/v1', createCheckoutSdkRouter(dependencies.checkoutSdk));
  mountHealth(app, dependencies.readiness);
  if (dependencies.docs) app.use(serveDocument(() => createOpenApiDocument(operations)));
  app.use(readBody, notFound);
  app.use(createErrorHandler(dependencies));
  return app;
}

function createApiRouter(dependencies: ApiDependencies, operations: readonly ApiOperation[]): Router {
  const router = Router({ caseSensitive: true });
  const { isKnownCaller, authenticateRequest } = createAuthentication(dependencies);
  router.use(allowCheckoutPages(operations));
  router
    .route('/providers/:provider/webhooks')
    .all(readBody)
    .post(createProviderWebhookHandler(dependencies))
    .all(methodNotAllowed(['POST']));
  router.use(readBodyOfCaller(isKnownCaller), authenticateRequest);
  mountOperations(router, operations);
  // Otherwise Express would answer OPTIONS itself, without the envelope.
  router.options('/{*path}', notFound);
  router.use(notFound);
  return router;
}

/** What authentication reads of a request before its body; its parts are created once for all requests. */
function createAuthentication({ database, keyring, rateLimiters, addresses }: ApiDependencies): {
  readonly isKnownCaller: (request: ApiRequest) => Promise<boolean>;
  readonly authenticateRequest: ApiHandler;
} {
  const { inDatabase } = rateLimiters;
  const lookUp = {
    database,
    keyring,
    acceptsClientSecrets: true,
    lookups: createSingleFlight<Credentials | undefined>(),
  };
  const countingLookup = inDatabase === null ? null : createCountingLookup(database, inDatabase);
  const headerOf = (request: ApiRequest) => (name: string) => request.get(name);
  return {
    isKnownCaller: async (request) => (await findCaller(headerOf(request), lookUp)) !== undefined,
    authenticateRequest: async (request, response, next) => {
      response.locals.principal = await authenticate(
        {
          method: request.method,
          target: request.originalUrl,
          header: headerOf(request),
          rawBody: rawBodyOf(response),
          address: () => addresses.of(request),
          transport: () => transportOf(request, addresses),
          nowMs: Date.now(),
        },
        {
          ...lookUp,
          rateLimiters,
          countingLookup,
          onCounted: (rateLimit) => {
            response.locals.counted = true;
            response.set(rateLimitHeaders(rateLimit));
          },
        },
      );
      next();
    },
  };
}

const redirectTo =
  (url: string): ApiHandler =>
  (_request, response) =>
    response.redirect(302, url);
