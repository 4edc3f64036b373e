import express, { type Express } from 'express';
import type { Logger } from 'pino';
import { requireLocalHost } from '../require-local-host.ts';
import { requireApiKey } from './authentication.ts';
import type { Ledger } from './ledger.ts';
import { createChallengeRoutes } from './challenge-routes.ts';
import type { FaultInjector } from './faults.ts';
import type { HeldReplies } from './held-replies.ts';
import { answerNotFound, createErrorHandler, sendError } from './http-errors.ts';
import { createLedgerRoutes } from './ledger-routes.ts';
import { createListingRoutes } from './listing-routes.ts';
import type { PaymentService } from './payment-service.ts';
import { createPaymentRoutes } from './payment-routes.ts';
import type { RefundService } from './refund-service.ts';
import { createRefundRoutes } from './refund-routes.ts';
import { createReplies } from './replies.ts';
import { createSimulationRoutes } from './simulation-routes.ts';

const MAXIMUM_BODY = '64kb';

export interface SimulatorAppDependencies {
  readonly apiKey: string;
  readonly instanceName: string;
  /** Where customers reach it. */
  readonly publicUrl: string;
  readonly ledger: Ledger;
  readonly paymentService: PaymentService;
  readonly refundService: RefundService;
  readonly faults: FaultInjector;
  readonly heldReplies: HeldReplies;
  readonly logger: Logger;
}

/** The simulator's HTTP side. */
export function createSimulatorApp(dependencies: SimulatorAppDependencies): Express {
  const { apiKey, instanceName, ledger, paymentService, refundService, faults, logger } = dependencies;
  const replies = createReplies(faults, dependencies.heldReplies);
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.use(
    requireLocalHost({
      hosts: [new URL(dependencies.publicUrl).hostname],
      refuse: (response, status, message) => sendError(response, status, 'misdirected_request', message),
    }),
  );
  app.get('/healthz', (_request, response) => {
    response.json({ status: 'ok', name: instanceName });
  });
  app.use(
    '/v1',
    requireApiKey(apiKey),
    express.json({ limit: MAXIMUM_BODY }),
    createPaymentRoutes({ paymentService, replies }),
    createRefundRoutes(refundService, replies),
    createListingRoutes(ledger, replies),
  );
  app.use('/ledger', createLedgerRoutes(ledger));
  app.use('/simulate', createSimulationRoutes(paymentService, refundService, faults));
  app.use('/3ds', createChallengeRoutes(ledger, paymentService));
  app.use(answerNotFound, createErrorHandler(logger));
  return app;
}
