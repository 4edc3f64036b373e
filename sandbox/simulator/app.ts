import express, { type Express, type Response } from 'express';
import type { Logger } from 'pino';
import { requireLocalHost } from '../require-local-host.ts';
import { requireApiKey } from './authentication.ts';
import type { Ledger } from './ledger.ts';
import type { DisputeService } from './dispute-service.ts';
import { createChallengeRoutes } from './challenge-routes.ts';
import type { FaultInjector } from './faults.ts';
import type { HeldReplies } from './held-replies.ts';
import { answerNotFound, createErrorHandler, sendError } from './http-errors.ts';
import { createLedgerRoutes } from './ledger-routes.ts';
import { createDisputeRoutes } from './dispute-routes.ts';
import { createListingRoutes } from './listing-routes.ts';
import type { PaymentService } from './payment-service.ts';
import { createPaymentRoutes } from './payment-routes.ts';
import type { RefundService } from './refund-service.ts';
import { createRefundRoutes } from './refund-routes.ts';
import { createReplies } from './replies.ts';
import { createSettlementRoutes } from './settlement-routes.ts';
import type { SettlementService } from './settlement-service.ts';
import { createSimulationRoutes } from './simulation-routes.ts';

/** The texts of an answer to a dispute. */
const MAXIMUM_BODY = '1mb';

export interface SimulatorAppDependencies {
  readonly apiKey: string;
  readonly instanceName: string;
  /** Names besides those of this machine that it answers to; null where it answers to any. */
  readonly hosts: readonly string[] | null;
  readonly ledger: Ledger;
  readonly paymentService: PaymentService;
  readonly refundService: RefundService;
  readonly disputeService: DisputeService;
  readonly settlementService: SettlementService;
  readonly faults: FaultInjector;
  readonly heldReplies: HeldReplies;
  readonly logger: Logger;
}

/** The simulator's HTTP side. */
export function createSimulatorApp(dependencies: SimulatorAppDependencies): Express {
  const { apiKey, instanceName, hosts, ledger, paymentService, refundService, faults, logger } = dependencies;
  const replies = createReplies(faults, dependencies.heldReplies);
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  if (hosts !== null) app.use(requireLocalHost({ hosts, refuse: refuseMisdirected }));
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
    createDisputeRoutes(dependencies.disputeService, ledger, replies),
    createSettlementRoutes(ledger, replies),
  );
  app.use('/ledger', createLedgerRoutes(ledger));
  app.use('/simulate', createSimulationRoutes(dependencies));
  app.use('/3ds', createChallengeRoutes(ledger, paymentService));
  app.use(answerNotFound, createErrorHandler(logger));
  return app;
}

function refuseMisdirected(response: Response, status: number, message: string): void {
  sendError(response, status, 'misdirected_request', message);
}
