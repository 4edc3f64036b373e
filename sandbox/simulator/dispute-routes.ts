import { Router } from 'express';
import type { DisputeService } from './dispute-service.ts';
import type { Ledger } from './ledger.ts';
import { disputeAnswerSchema, disputeInquirySchema, idempotencyKeyOf, listingRequestSchema } from './protocol.ts';
import type { Dispute } from './records.ts';
import type { Replies } from './replies.ts';
import { reportedDispute } from './reported-dispute.ts';

const PAGE_SIZE = 100;

/** What merchants' engines call about disputes: answers, inquiries, and the list of those that changed. */
export function createDisputeRoutes(
  disputeService: Pick<DisputeService, 'answer'>,
  ledger: Pick<Ledger, 'findDispute' | 'disputes'>,
  { injectFaults, answer }: Replies,
): Router {
  const router = Router();

  router.post('/dispute-answers', injectFaults('disputes'), (request, response) => {
    const result = disputeService.answer(idempotencyKeyOf(request.headers), disputeAnswerSchema.parse(request.body));
    if (result.kind === 'done') answer('disputes', response, 200, stepsOf(result.dispute));
    else answer('disputes', response, 422, { error: { code: result.kind, message: 'It cannot be answered now.' } });
  });

  router.post('/dispute-inquiries', injectFaults('dispute-inquiries'), (request, response) => {
    const dispute = ledger.findDispute(disputeInquirySchema.parse(request.body).disputeId);
    answer('dispute-inquiries', response, 200, dispute === undefined ? { steps: [] } : stepsOf(dispute));
  });

  router.post('/dispute-listings', injectFaults('dispute-listings'), (request, response) => {
    const { from, to, cursor } = listingRequestSchema.parse(request.body);
    const following = ledger
      .disputes()
      .filter(({ updatedAt }) => updatedAt >= from && updatedAt <= to)
      .filter(({ id }) => cursor === null || id > cursor)
      .toSorted((left, right) => (left.id < right.id ? -1 : 1));
    const page = following.slice(0, PAGE_SIZE);
    const nextCursor = following.length > page.length ? (page.at(-1)?.id ?? null) : null;
    answer('dispute-listings', response, 200, { disputes: page.map(stepsOf), nextCursor });
  });

  return router;
}

/** All steps of a dispute, the oldest first. */
function stepsOf(dispute: Dispute): { readonly steps: readonly Record<string, unknown>[] } {
  return { steps: [...dispute.past, reportedDispute(dispute)] };
}
