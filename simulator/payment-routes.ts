import { setTimeout as sleep } from 'node:timers/promises';
import express, { Router, type RequestHandler, type Response } from 'express';
import type { Faults } from './faults.ts';
import type { HeldReplies } from './held-replies.ts';
import { sendError } from './http-errors.ts';
import type { PaymentDesk, PaymentVerdict } from './payment-desk.ts';
import { idempotencyKeySchema, lookupRequestSchema, paymentRequestSchema } from './protocol.ts';
import type { Payment } from './records.ts';

const MAXIMUM_BODY = '64kb';

type Refusal = Exclude<PaymentVerdict['kind'], 'payment' | 'lost' | 'unknown_shape'>;

const REFUSALS: Readonly<Record<Refusal, { readonly status: number; readonly message: string }>> = {
  key_closed: { status: 409, message: 'This idempotency key was closed; nothing was or will be charged with it.' },
  idempotency_conflict: { status: 409, message: 'This idempotency key belongs to another request.' },
  server_error: { status: 500, message: 'The payment could not be taken.' },
};

const UNKNOWN_SHAPE = { fault: { kind: 'E-7731', text: 'The request was turned down by the host.' } };

export interface PaymentRoutesDependencies {
  readonly desk: PaymentDesk;
  readonly faults: Faults;
  readonly heldReplies: HeldReplies;
}

/** What merchants' engines call: payments, inquiries, closures. */
export function createPaymentRoutes({ desk, faults, heldReplies }: PaymentRoutesDependencies): Router {
  const router = Router();
  router.use(express.json({ limit: MAXIMUM_BODY }), misbehave(faults));

  const answer = (response: Response, status: number, body: object) => {
    if (faults.drawLostReply()) heldReplies.hold(response);
    else response.status(status).json(body);
  };

  const answerLookup = (response: Response, payment: Payment | null) => {
    answer(response, 200, payment === null ? { result: 'not_found' } : { result: 'found', payment });
  };

  router.post('/payments', (request, response) => {
    const key = idempotencyKeySchema.parse(request.headers['idempotency-key'], {
      error: () => 'the header Idempotency-Key is missing or malformed',
    });
    const verdict = desk.take(key, paymentRequestSchema.parse(request.body));
    switch (verdict.kind) {
      case 'payment':
        answer(response, 201, verdict.payment);
        return;
      case 'lost':
        heldReplies.hold(response);
        return;
      case 'unknown_shape':
        answer(response, 422, UNKNOWN_SHAPE);
        return;
      default: {
        const { status, message } = REFUSALS[verdict.kind];
        answer(response, status, { error: { code: verdict.kind, message } });
      }
    }
  });

  router.post('/inquiries', (request, response) => {
    answerLookup(response, desk.inquire(lookupRequestSchema.parse(request.body).idempotencyKey));
  });

  router.post('/closures', (request, response) => {
    answerLookup(response, desk.close(lookupRequestSchema.parse(request.body).idempotencyKey));
  });

  return router;
}

/** Is slow and fails as the knobs say, before anything is done: a slow request may come after its own inquiry. */
function misbehave(faults: Faults): RequestHandler {
  return async (_request, response, next) => {
    const latencyMs = faults.drawLatencyMs();
    if (latencyMs > 0) await sleep(latencyMs);
    if (faults.drawError()) sendError(response, 500, 'server_error', 'A fault was asked for.');
    else next();
  };
}
