import express, { type Response, Router } from 'express';
import type { FaultInjector } from './faults.ts';
import type { DisputeService } from './dispute-service.ts';
import { sendError } from './http-errors.ts';
import type { PaymentService } from './payment-service.ts';
import {
  disputeRequestSchema,
  disputeStepSchema,
  faultsSchema,
  settlementInstructionSchema,
  settlementRequestSchema,
  settlementStatusSchema,
  type SettlementInstruction,
} from './protocol.ts';
import type { RefundService } from './refund-service.ts';
import type { SettlementService } from './settlement-service.ts';

interface SimulationDependencies {
  readonly paymentService: PaymentService;
  readonly refundService: RefundService;
  readonly disputeService: DisputeService;
  readonly settlementService: SettlementService;
  readonly faults: FaultInjector;
}

/** What testers call: settlement instructions, disputes, settlements and fault settings. */
export function createSimulationRoutes({
  paymentService,
  refundService,
  disputeService,
  settlementService,
  faults,
}: SimulationDependencies): Router {
  const router = Router();
  router.use(express.json({ limit: '16kb' }));

  const settle = (request: SettlementInstruction) =>
    request.refundReference === undefined
      ? paymentService.settle(request)
      : refundService.settle(request.refundReference, request.outcome);

  router.post('/settle', (request, response) => {
    const result = settle(settlementInstructionSchema.parse(request.body));
    switch (result.kind) {
      case 'settled':
        response.json('refund' in result ? result.refund : result.payment);
        return;
      case 'not_found':
        sendError(response, 404, 'not_found', 'There is nothing with this name.');
        return;
      case 'not_open':
        sendError(response, 409, 'not_open', 'It does not wait for anything.');
    }
  });

  const answerDispute = (response: Response, result: ReturnType<DisputeService['open']>, status: number) => {
    if (result.kind === 'done') response.status(status).json(result.dispute);
    else {
      const [errorStatus, code, message] = DISPUTE_ERRORS[result.kind];
      sendError(response, errorStatus, code, message);
    }
  };

  router.post('/disputes', (request, response) => {
    answerDispute(response, disputeService.open(disputeRequestSchema.parse(request.body)), 201);
  });

  router.post('/disputes/:id/advance', (request, response) => {
    const { to } = disputeStepSchema.parse(request.body);
    answerDispute(response, disputeService.advance(request.params.id, to), 200);
  });

  router.post('/settlements', (request, response) => {
    const settlements = settlementService.settle(settlementRequestSchema.parse(request.body));
    response.status(201).json({ settlements });
  });

  router.post('/settlements/:id', (request, response) => {
    const { status } = settlementStatusSchema.parse(request.body);
    const settlement = settlementService.setStatus(request.params.id, status);
    if (settlement === undefined) sendError(response, 404, 'not_found', 'There is no settlement with this id.');
    else response.json(settlement);
  });

  router.get('/faults', (_request, response) => {
    response.json(faults.settings());
  });

  router.put('/faults', (request, response) => {
    faults.replace(faultsSchema.parse(request.body));
    response.json(faults.settings());
  });

  return router;
}

const DISPUTE_ERRORS = {
  not_found: [404, 'not_found', 'There is no payment or dispute with this name.'],
  not_captured: [409, 'not_captured', 'Only a captured payment can be disputed.'],
  amount_exceeded: [422, 'amount_exceeded', 'No more than what was captured can be disputed.'],
  wrong_step: [409, 'wrong_step', 'The dispute cannot take this step now.'],
} as const;
