import { Router } from 'express';
import { idempotencyKeyOf, lookupRequestSchema, refundRequestSchema } from './protocol.ts';
import type { RefundService, RefundResult } from './refund-service.ts';
import type { Replies } from './replies.ts';

type Rejection = Exclude<RefundResult['kind'], 'refund' | 'lost'>;

const REJECTIONS: Readonly<Record<Rejection, { readonly status: number; readonly message: string }>> = {
  key_closed: { status: 409, message: 'This idempotency key was closed; nothing was or will be refunded with it.' },
  idempotency_conflict: { status: 409, message: 'This idempotency key belongs to another request.' },
  payment_not_found: { status: 404, message: 'There is no payment with this key.' },
  currency_mismatch: { status: 422, message: 'The payment was made in another currency.' },
};

/** What merchants' engines call about refunds: refunds and inquiries about them. */
export function createRefundRoutes(refundService: RefundService, { injectFaults, answer, withhold }: Replies): Router {
  const router = Router();

  router.post('/refunds', injectFaults('refunds'), (request, response) => {
    const result = refundService.create(idempotencyKeyOf(request.headers), refundRequestSchema.parse(request.body));
    switch (result.kind) {
      case 'refund':
        answer('refunds', response, 201, result.refund);
        return;
      case 'lost':
        withhold(response);
        return;
      default: {
        const { status, message } = REJECTIONS[result.kind];
        answer('refunds', response, status, { error: { code: result.kind, message } });
      }
    }
  });

  router.post('/refund-inquiries', injectFaults('refund-inquiries'), (request, response) => {
    const refund = refundService.inquire(lookupRequestSchema.parse(request.body).idempotencyKey);
    answer('refund-inquiries', response, 200, refund === null ? { result: 'not_found' } : { result: 'found', refund });
  });

  return router;
}
