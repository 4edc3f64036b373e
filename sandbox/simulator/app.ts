import express, { type Express } from 'express';
import type { Logger } from 'pino';
import { requireApiKey } from './authentication.ts';
import type { Books } from './ledger.ts';
import { createChallengeRoutes } from './challenge-routes.ts';
import type { Faults } from './faults.ts';
import type { HeldReplies } from './held-replies.ts';
import { answerNotFound, createErrorHandler } from './http-errors.ts';
import { createLedgerRoutes } from './ledger-routes.ts';
import type { PaymentDesk } from './payment-service.ts';
import { createPaymentRoutes } from './payment-routes.ts';
import type { RefundDesk } from './refund-service.ts';
import { createRefundRoutes } from './refund-routes.ts';
import { createReplies } from './replies.ts';
import { createSimulationRoutes } from './simulation-routes.ts';

const MAXIMUM_BODY = '64kb';

export interface SimulatorAppDependencies {
  readonly apiKey: string;
  readonly instanceName: string;
  readonly books: Books;
  readonly desk: PaymentDesk;
  readonly refundDesk: RefundDesk;
  readonly faults: Faults;
  readonly heldReplies: HeldReplies;
  readonly logger: Logger;
}

/** The simulator's HTTP side. */
export function createSimulatorApp(dependencies: SimulatorAppDependencies): Express {
  const { apiKey, instanceName, books, desk, refundDesk, faults, logger } = dependencies;
  const replies = createReplies(faults, dependencies.heldReplies);
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.get('/healthz', (_request, response) => {
    response.json({ status: 'ok', name: instanceName });
  });
  app.use(
    '/v1',
    requireApiKey(apiKey),
    express.json({ limit: MAXIMUM_BODY }),
    createPaymentRoutes({ desk, replies }),
    createRefundRoutes(refundDesk, replies),
  );
  app.use('/ledger', createLedgerRoutes(books));
  app.use('/simulate', createSimulationRoutes(desk, refundDesk, faults));
  app.use('/3ds', createChallengeRoutes(books, desk));
  app.use(answerNotFound, createErrorHandler(logger));
  return app;
}
