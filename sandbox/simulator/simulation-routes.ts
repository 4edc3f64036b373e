import express, { Router } from 'express';
import type { Faults } from './faults.ts';
import { sendError } from './http-errors.ts';
import type { PaymentDesk } from './payment-service.ts';
import { faultsSchema, settleRequestSchema, type SettleRequest } from './protocol.ts';
import type { RefundDesk } from './refund-service.ts';

/** What testers turn: settling what waits, and the fault knobs. */
export function createSimulationRoutes(desk: PaymentDesk, refundDesk: RefundDesk, faults: Faults): Router {
  const router = Router();
  router.use(express.json({ limit: '16kb' }));

  const settle = (request: SettleRequest) =>
    request.refundReference === undefined
      ? desk.settle(request)
      : refundDesk.settle(request.refundReference, request.outcome);

  router.post('/settle', (request, response) => {
    const verdict = settle(settleRequestSchema.parse(request.body));
    switch (verdict.kind) {
      case 'settled':
        response.json('refund' in verdict ? verdict.refund : verdict.payment);
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
