import { Router } from 'express';
import type { Books } from './books.ts';
import { ledgerQuerySchema, type LedgerQuery } from './protocol.ts';
import type { Entry } from './records.ts';

/** The books, for everyone to read: one line an idempotency key, newest first. */
export function createLedgerRoutes(books: Books): Router {
  const router = Router();
  router.get('/', (request, response) => {
    const query = ledgerQuerySchema.parse(request.query);
    const entries = select(books, query);
    const { page, limit } = query;
    const total = entries.length;
    response.json({
      data: entries
        .toReversed()
        .slice((page - 1) * limit, page * limit)
        .map(presentEntry),
      pagination: { page, limit, total, totalPages: Math.ceil(total / limit) },
    });
  });
  return router;
}

function select(books: Books, { idempotencyKey, reference, paymentIntentId }: LedgerQuery): readonly Entry[] {
  return candidates(books, { idempotencyKey, reference, paymentIntentId }).filter(
    (entry) =>
      (idempotencyKey === undefined || entry.key === idempotencyKey) &&
      (reference === undefined || entry.reference === reference) &&
      (paymentIntentId === undefined || entry.paymentIntentId === paymentIntentId),
  );
}

/** The narrowest index that holds everything asked for. */
function candidates(
  books: Books,
  { idempotencyKey, reference, paymentIntentId }: Pick<LedgerQuery, 'idempotencyKey' | 'reference' | 'paymentIntentId'>,
): readonly Entry[] {
  if (idempotencyKey !== undefined) return [books.find(idempotencyKey) ?? []].flat();
  if (reference !== undefined) return books.ofReference(reference);
  if (paymentIntentId !== undefined) return books.ofPaymentIntent(paymentIntentId);
  return books.entries();
}

function presentEntry({ key, reference, paymentIntentId, requests, closed, booking }: Entry) {
  return {
    idempotencyKey: key,
    reference,
    paymentIntentId,
    requests,
    closed,
    payment: booking?.payment ?? null,
    charges: booking?.charges ?? [],
  };
}
