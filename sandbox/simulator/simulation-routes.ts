import express, { Router } from 'express';
import type { FaultInjector } from './faults.ts';
import { sendError } from './http-errors.ts';
import type { PaymentService } from './payment-service.ts';
import { faultsSchema, settlementInstructionSchema, type SettlementInstruction } from './protocol.ts';
import type { RefundService } from './refund-service.ts';

/** What testers call: settlement instructions and fault settings. */
export function createSimulationRoutes(
  paymentService: PaymentService,
  refundService: RefundService,
  faults: FaultInjector,
): Router {
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

  router.get('/faults', (_request, response) => {
    response.json(faults.settings());
  });

  router.put('/faults', (request, response) => {
    faults.replace(faultsSchema.parse(request.body));
    response.json(faults.settings());
  });

  return router;
}
