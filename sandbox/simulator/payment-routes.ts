import { Router, type Response } from 'express';
import type { CaptureResult, PaymentService, PaymentResult } from './payment-service.ts';
import {
  captureRequestSchema,
  idempotencyKeyOf,
  lookupRequestSchema,
  paymentRequestSchema,
  tokenRemovalSchema,
  type Operation,
} from './protocol.ts';
import type { Payment } from './records.ts';
import type { Replies } from './replies.ts';

type Rejection = Exclude<PaymentResult['kind'] | CaptureResult['kind'], 'payment' | 'lost' | 'unknown_shape'>;

const REJECTIONS: Readonly<Record<Rejection, { readonly status: number; readonly message: string }>> = {
  key_closed: { status: 409, message: 'This idempotency key was closed; nothing was or will be charged with it.' },
  idempotency_conflict: { status: 409, message: 'This idempotency key belongs to another request.' },
  server_error: { status: 500, message: 'The payment could not be created.' },
  not_found: { status: 404, message: 'There is no such payment or token.' },
  not_authorized: { status: 409, message: 'This payment is not authorized.' },
  amount_exceeded: { status: 422, message: 'This is more than was authorized.' },
};

const UNKNOWN_SHAPE = { fault: { kind: 'E-7731', text: 'The request was turned down by the host.' } };

export interface PaymentRoutesDependencies {
  readonly paymentService: PaymentService;
  readonly replies: Replies;
}

/** What merchants' engines call about payments: payments, inquiries, closures, captures. */
export function createPaymentRoutes({ paymentService, replies }: PaymentRoutesDependencies): Router {
  const router = Router();
  const { injectFaults, answer } = replies;

  const reject = (operation: Operation, response: Response, kind: Rejection) => {
    const { status, message } = REJECTIONS[kind];
    answer(operation, response, status, { error: { code: kind, message } });
  };

  const answerLookup = (operation: Operation, response: Response, payment: Payment | null) => {
    answer(operation, response, 200, payment === null ? { result: 'not_found' } : { result: 'found', payment });
  };

  router.post('/payments', injectFaults('payments'), (request, response) => {
    const result = paymentService.create(idempotencyKeyOf(request.headers), paymentRequestSchema.parse(request.body));
    switch (result.kind) {
      case 'payment':
        answer('payments', response, 201, result.payment);
        return;
      case 'lost':
        replies.withhold(response);
        return;
      case 'unknown_shape':
        answer('payments', response, 422, UNKNOWN_SHAPE);
        return;
      default:
        reject('payments', response, result.kind);
    }
  });

  router.post('/inquiries', injectFaults('inquiries'), (request, response) => {
    const { idempotencyKey } = lookupRequestSchema.parse(request.body);
    answerLookup('inquiries', response, paymentService.inquire(idempotencyKey));
  });

  router.post('/closures', injectFaults('closures'), (request, response) => {
    const { idempotencyKey } = lookupRequestSchema.parse(request.body);
    answerLookup('closures', response, paymentService.close(idempotencyKey));
  });

  router.post('/captures', injectFaults('captures'), (request, response) => {
    const { idempotencyKey, amount } = captureRequestSchema.parse(request.body);
    const result = paymentService.capture(idempotencyKey, amount);
    if (result.kind === 'payment') answer('captures', response, 200, result.payment);
    else reject('captures', response, result.kind);
  });

  router.post('/credentials', injectFaults('credentials'), (request, response) => {
    const { idempotencyKey } = lookupRequestSchema.parse(request.body);
    const card = paymentService.storedCard(idempotencyKey);
    const { token: storedToken, networkTransactionId } = card ?? {};
    const found = { result: 'found', storedToken, networkTransactionId };
    answer('credentials', response, 200, card === null ? { result: 'not_found' } : found);
  });

  router.post('/token-removals', injectFaults('token-removals'), (request, response) => {
    const { token } = tokenRemovalSchema.parse(request.body);
    if (paymentService.removeToken(token)) answer('token-removals', response, 200, { result: 'removed' });
    else reject('token-removals', response, 'not_found');
  });

  return router;
}
