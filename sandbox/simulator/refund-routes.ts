import { Router } from 'express';
import { idempotencyKeyOf, lookupRequestSchema, refundRequestSchema } from './protocol.ts';
import type { RefundDesk, RefundVerdict } from './refund-service.ts';
import type { Replies } from './replies.ts';

type Refusal = Exclude<RefundVerdict['kind'], 'refund' | 'lost'>;

const REFUSALS: Readonly<Record<Refusal, { readonly status: number; readonly message: string }>> = {
  key_closed: { status: 409, message: 'This idempotency key was closed; nothing was or will be given back with it.' },
  idempotency_conflict: { status: 409, message: 'This idempotency key belongs to another request.' },
  payment_not_found: { status: 404, message: 'There is no payment with this key.' },
  currency_mismatch: { status: 422, message: 'The payment was made in another currency.' },
};

/** What merchants' engines call about refunds: refunds and inquiries about them. */
export function createRefundRoutes(
  refundDesk: RefundDesk,
  { misbehave, answer, answerError, withhold }: Replies,
): Router {
  const router = Router();

  router.post('/refunds', misbehave('refunds'), (request, response) => {
    const verdict = refundDesk.take(idempotencyKeyOf(request.headers), refundRequestSchema.parse(request.body));
    switch (verdict.kind) {
      case 'refund':
        answer('refunds', response, 201, verdict.refund);
        return;
      case 'lost':
        withhold(response);
        return;
      default: {
        const { status, message } = REFUSALS[verdict.kind];
        answerError('refunds', response, status, verdict.kind, message);
      }
    }
  });

  router.post('/refund-inquiries', misbehave('refund-inquiries'), (request, response) => {
    const refund = refundDesk.inquire(lookupRequestSchema.parse(request.body).idempotencyKey);
    answer('refund-inquiries', response, 200, refund === null ? { result: 'not_found' } : { result: 'found', refund });
  });

  return router;
}
