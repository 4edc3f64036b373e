import { Router } from 'express';
import type { Ledger } from './ledger.ts';
import { settlementEntryListingSchema, settlementListingSchema } from './protocol.ts';
import type { Settlement } from './records.ts';
import type { Replies } from './replies.ts';

const SETTLEMENTS_PER_PAGE = 50;
const LINES_PER_PAGE = 200;

/** What merchants' engines call about settlements: their list, and the lines of one. */
export function createSettlementRoutes(
  ledger: Pick<Ledger, 'settlements' | 'findSettlement'>,
  { injectFaults, answer }: Replies,
): Router {
  const router = Router();

  router.post('/settlement-listings', injectFaults('settlement-listings'), (request, response) => {
    const { since, cursor } = settlementListingSchema.parse(request.body);
    const following = ledger
      .settlements()
      .filter(({ updatedAt }) => updatedAt >= since)
      .filter(({ id }) => cursor === null || id > cursor)
      .toSorted((left, right) => (left.id < right.id ? -1 : 1));
    const page = following.slice(0, SETTLEMENTS_PER_PAGE);
    const nextCursor = following.length > page.length ? (page.at(-1)?.id ?? null) : null;
    answer('settlement-listings', response, 200, { settlements: page.map(present), nextCursor });
  });

  router.post('/settlement-entry-listings', injectFaults('settlement-listings'), (request, response) => {
    const { settlementId, cursor } = settlementEntryListingSchema.parse(request.body);
    const lines = ledger.findSettlement(settlementId)?.lines ?? [];
    const start = cursor ?? 0;
    const end = start + LINES_PER_PAGE;
    const nextCursor = end < lines.length ? end : null;
    answer('settlement-listings', response, 200, { lines: lines.slice(start, end), nextCursor });
  });

  return router;
}

function present({ lines: _lines, settledIds: _settledIds, ...settlement }: Settlement): object {
  return settlement;
}
