import express, { Router } from 'express';
import type { Faults } from './faults.ts';
import { sendError } from './http-errors.ts';
import type { PaymentDesk } from './payment-desk.ts';
import { faultsSchema, settleRequestSchema } from './protocol.ts';

/** What testers turn: settling what waits, and the fault knobs. */
export function createSimulationRoutes(desk: PaymentDesk, faults: Faults): Router {
  const router = Router();
  router.use(express.json({ limit: '16kb' }));

  router.post('/settle', (request, response) => {
    const verdict = desk.settle(settleRequestSchema.parse(request.body));
    switch (verdict.kind) {
      case 'settled':
        response.json(verdict.payment);
        return;
      case 'not_found':
        sendError(response, 404, 'not_found', 'There is no such payment.');
        return;
      case 'not_open':
        sendError(response, 409, 'not_open', 'The payment does not wait for anything.');
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
