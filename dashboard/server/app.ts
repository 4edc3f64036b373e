import express, { type Express } from 'express';
import {
  beginRequest,
  createErrorHandler,
  notFound,
  type RequestLifecycleDependencies,
} from '../../http/request-lifecycle.ts';
import { limitRequestsInFlight } from '../../http/requests-in-flight.ts';
import { mountHealth, mountMetrics, type ReadinessChecks, type ServedMetrics } from '../../http/server/health.ts';
import { type ApiProxyDependencies, createApiProxy, createFirstPaymentProxy, createLogoProxy } from './api-proxy.ts';
import { AUTH_PATH } from './auth.ts';
import { type AuthRouterDependencies, createAuthRouter } from './auth-router.ts';
import { createPagesRouter, securityHeaders } from './pages.ts';
import { requireSameOrigin } from './same-origin.ts';

export interface DashboardDependencies
  extends RequestLifecycleDependencies, AuthRouterDependencies, ApiProxyDependencies {
  readonly readiness: ReadinessChecks;
  readonly metrics: ServedMetrics;
  readonly requestsInFlightPerAddress: number;
}

/** The dashboard as a request handler: pages, `/auth`, and `/api/v1` passed on to the API. It opens no port. */
export function createDashboardApp(dependencies: DashboardDependencies): Express {
  const { publicUrl, addresses } = dependencies;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use(beginRequest(dependencies));
  app.use(limitRequestsInFlight(dependencies.requestsInFlightPerAddress, addresses));
  app.use(securityHeaders(publicUrl));
  mountHealth(app, dependencies.readiness);
  mountMetrics(app, dependencies.metrics);
  app.use(requireSameOrigin(publicUrl));
  app.use(AUTH_PATH, createAuthRouter(dependencies), notFound);
  app.use('/api/v1', createApiProxy(dependencies));
  app.post('/first-payment', createFirstPaymentProxy(dependencies));
  app.get('/pay/logos/:name', createLogoProxy(dependencies));
  app.use(createPagesRouter());
  app.use(notFound);
  app.use(createErrorHandler(dependencies));
  return app;
}
