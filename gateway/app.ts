import express, { type Express } from 'express';
import { mountHealth, type ReadinessChecks } from '../api/server/health.ts';
import {
  createErrorHandler,
  beginRequest,
  type RequestLifecycleDependencies,
  notFound,
} from '../api/middleware/http-frame.ts';

export interface GatewayAppDependencies extends RequestLifecycleDependencies {
  readonly readiness: ReadinessChecks;
}

/** What a gateway without an API answers to requests that are not for sockets. */
export function createGatewayApp(dependencies: GatewayAppDependencies): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(beginRequest(dependencies));
  mountHealth(app, dependencies.readiness);
  app.use(notFound);
  app.use(createErrorHandler(dependencies));
  return app;
}
