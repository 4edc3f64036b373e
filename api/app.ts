import express, { type Express, Router } from 'express';
import type { Logger } from 'pino';
import type { Turns } from '../http/turns.ts';
import type { ManualResolutions } from '../workflow-client/manual-resolutions.ts';
import type { PaymentWorkflows } from '../workflow-client/payment-workflows.ts';
import type { RefundWorkflows } from '../workflow-client/refund-workflows.ts';
import type { Admission } from './admission.ts';
import {
  createHttpAuthentication,
  type HttpAuthenticationDependencies,
} from '../http/authentication/http-authentication.ts';
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
  socketNotServed,
} from '../http/request-lifecycle.ts';
import { createPaymentPageRouter, type PaymentPageDependencies } from './payment-page/router.ts';
import { mountHealth, mountMetrics, type ReadinessChecks, type ServedMetrics } from '../http/server/health.ts';
import { mountSecurityTxt } from '../http/server/security-txt.ts';
import { mountOperations } from './resources/mount-operations.ts';
import { methodNotAllowed } from '../http/method-not-allowed.ts';
import { RETURNS_PATH } from '../vault/customer-return.ts';
import { PAGES_PATH } from './resources/payment-links/token.ts';
import type { CsvExports } from './resources/csv-export.ts';
import { createOpenApiDocument } from './openapi/document.ts';
import type { BuiltDocsFile } from './openapi/docs-site.ts';
import { serveDocument } from './openapi/serve-document.ts';
import { createCustomerReturnRouter, type CustomerReturnDependencies } from './customer-returns.ts';
import { createPolicyReportRouter, POLICY_REPORTS_PATH, type PolicyReportDependencies } from './policy-reports.ts';
import { createProviderWebhookHandler, type ProviderWebhookDependencies } from './provider-webhooks.ts';
import { createWebhookLimit } from '../http/rate-limits/webhook-limit.ts';
import { isTracing } from '../traces/tracer.ts';
import { readBody, readBodyOfCaller } from '../http/request-body.ts';
import { limitRequestsInFlight } from '../http/requests-in-flight.ts';
import type { ApiHandler } from '../http/request-context.ts';
import { traceRequest } from '../http/trace-request.ts';

export interface ApiDependencies
  extends
    OperationDependencies,
    SessionOperationDependencies,
    ProviderWebhookDependencies,
    CustomerReturnDependencies,
    PaymentPageDependencies,
    PolicyReportDependencies,
    HttpAuthenticationDependencies,
    RequestLifecycleDependencies {
  readonly logger: Logger;
  readonly readiness: ReadinessChecks;
  readonly metrics: ServedMetrics;
  readonly requestsInFlightPerAddress: number;
  readonly admission: Admission;
  readonly csvExports: CsvExports;
  readonly readTurns: Turns;
  readonly workflows: PaymentWorkflows;
  readonly refundWorkflows: RefundWorkflows;
  readonly manualResolutions: ManualResolutions;
  readonly checkoutSdk: CheckoutSdk;
  /** The files of `/docs`; null where neither they nor `/openapi.json` are served. */
  readonly docsSite: readonly BuiltDocsFile[] | null;
  /** Origins of the pages that may embed the card fields; an empty list allows every secure page. */
  readonly cardFieldsOrigins: readonly string[];
  /** What `/.well-known/security.txt` names; it is not served if there is none. */
  readonly securityContacts: readonly string[];
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
  app.enable('case sensitive routing');

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
  app.use(POLICY_REPORTS_PATH, createPolicyReportRouter(dependencies));
  mountHealth(app, dependencies.readiness);
  mountMetrics(app, dependencies.metrics);
  if (dependencies.securityContacts.length > 0) mountSecurityTxt(app, dependencies.securityContacts);
  const { docsSite } = dependencies;
  if (docsSite !== null)
    app.use(serveDocument(() => createOpenApiDocument(operations, apiPublicUrl ?? undefined), docsSite));
  app.use(readBody, notFound);
  app.use(createErrorHandler(dependencies));
  return app;
}

function createApiRouter(dependencies: ApiDependencies, operations: readonly ApiOperation[]): Router {
  const router = Router({ caseSensitive: true });
  const { refuseBlocked, isExistingCaller, authenticateRequest } = createHttpAuthentication(dependencies);
  router.use(allowCheckoutPages(operations));
  router.get('/events/socket', socketNotServed);
  router
    .route('/providers/:provider/webhooks')
    .all(createWebhookLimit(dependencies), readBody)
    .post(createProviderWebhookHandler(dependencies))
    .all(methodNotAllowed(['POST']));
  router.use(refuseBlocked, readBodyOfCaller(isExistingCaller), authenticateRequest);
  mountOperations(router, [...operations, ...createSessionOperations(dependencies)], dependencies.readTurns);
  // Otherwise Express would answer OPTIONS itself, without the envelope.
  router.options('/{*path}', notFound);
  router.use(notFound);
  return router;
}

const redirectTo =
  (url: string): ApiHandler =>
  (_request, response) =>
    response.redirect(302, url);
