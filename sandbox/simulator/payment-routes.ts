import { Router, type Response } from 'express';
import type { CaptureVerdict, PaymentDesk, PaymentVerdict } from './payment-service.ts';
import {
  captureRequestSchema,
  idempotencyKeyOf,
  lookupRequestSchema,
  paymentRequestSchema,
  type Operation,
} from './protocol.ts';
import type { Payment } from './records.ts';
import type { Replies } from './replies.ts';

type Refusal = Exclude<PaymentVerdict['kind'] | CaptureVerdict['kind'], 'payment' | 'lost' | 'unknown_shape'>;

const REFUSALS: Readonly<Record<Refusal, { readonly status: number; readonly message: string }>> = {
  key_closed: { status: 409, message: 'This idempotency key was closed; nothing was or will be charged with it.' },
  idempotency_conflict: { status: 409, message: 'This idempotency key belongs to another request.' },
  server_error: { status: 500, message: 'The payment could not be taken.' },
  not_found: { status: 404, message: 'There is no payment with this idempotency key.' },
  not_authorized: { status: 409, message: 'This payment holds no money.' },
  amount_exceeded: { status: 422, message: 'This is more than is held.' },
};

const UNKNOWN_SHAPE = { fault: { kind: 'E-7731', text: 'The request was turned down by the host.' } };

export interface PaymentRoutesDependencies {
  readonly desk: PaymentDesk;
  readonly replies: Replies;
}

/** What merchants' engines call about payments: payments, inquiries, closures, captures. */
export function createPaymentRoutes({ desk, replies }: PaymentRoutesDependencies): Router {
  const router = Router();
  const { misbehave, answer } = replies;

  const refuse = (operation: Operation, response: Response, kind: Refusal) => {
    const { status, message } = REFUSALS[kind];
    replies.answerError(operation, response, status, kind, message);
  };

  const answerLookup = (operation: Operation, response: Response, payment: Payment | null) => {
    answer(operation, response, 200, payment === null ? { result: 'not_found' } : { result: 'found', payment });
  };

  router.post('/payments', misbehave('payments'), (request, response) => {
    const verdict = desk.take(idempotencyKeyOf(request.headers), paymentRequestSchema.parse(request.body));
    switch (verdict.kind) {
      case 'payment':
        answer('payments', response, 201, verdict.payment);
        return;
      case 'lost':
        replies.withhold(response);
        return;
      case 'unknown_shape':
        answer('payments', response, 422, UNKNOWN_SHAPE);
        return;
      default:
        refuse('payments', response, verdict.kind);
    }
  });

  router.post('/inquiries', misbehave('inquiries'), (request, response) => {
    const { idempotencyKey } = lookupRequestSchema.parse(request.body);
    answerLookup('inquiries', response, desk.inquire(idempotencyKey));
  });

  router.post('/closures', misbehave('closures'), (request, response) => {
    const { idempotencyKey } = lookupRequestSchema.parse(request.body);
    answerLookup('closures', response, desk.close(idempotencyKey));
  });

  router.post('/captures', misbehave('captures'), (request, response) => {
    const { idempotencyKey, amount } = captureRequestSchema.parse(request.body);
    const verdict = desk.capture(idempotencyKey, amount);
    if (verdict.kind === 'payment') answer('captures', response, 200, verdict.payment);
    else refuse('captures', response, verdict.kind);
  });

  return router;
}
