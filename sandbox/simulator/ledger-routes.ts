import { Router } from 'express';
import type { Books } from './ledger.ts';
import { ledgerQuerySchema, refundLedgerQuerySchema, type LedgerQuery, type RefundLedgerQuery } from './protocol.ts';
import type { Entry, RefundEntry } from './records.ts';

/** The books, for everyone to read: one line an idempotency key, newest first. */
export function createLedgerRoutes(books: Books): Router {
  const router = Router();

  router.get('/', (request, response) => {
    const query = ledgerQuerySchema.parse(request.query);
    response.json(pageOf(selectPayments(books, query), query, (entry) => presentEntry(entry, books)));
  });

  router.get('/refunds', (request, response) => {
    const query = refundLedgerQuerySchema.parse(request.query);
    response.json(pageOf(selectRefunds(books, query), query, presentRefund));
  });

  return router;
}

/** @param entries oldest first */
function pageOf<Kept>(
  entries: readonly Kept[],
  { page, limit }: { readonly page: number; readonly limit: number },
  present: (entry: Kept) => object,
) {
  const total = entries.length;
  const data = entries.toReversed().slice((page - 1) * limit, page * limit);
  return { data: data.map(present), pagination: { page, limit, total, totalPages: Math.ceil(total / limit) } };
}

type PaymentNames = Pick<LedgerQuery, 'idempotencyKey' | 'reference' | 'paymentIntentId'>;

function selectPayments(books: Books, names: PaymentNames): readonly Entry[] {
  const { idempotencyKey, reference, paymentIntentId } = names;
  return narrowestPayments(books, names).filter(
    (entry) =>
      (idempotencyKey === undefined || entry.key === idempotencyKey) &&
      (reference === undefined || entry.reference === reference) &&
      (paymentIntentId === undefined || entry.paymentIntentId === paymentIntentId),
  );
}

/** The narrowest index that holds everything asked for. */
function narrowestPayments(books: Books, { idempotencyKey, reference, paymentIntentId }: PaymentNames) {
  if (idempotencyKey !== undefined) return [books.find(idempotencyKey) ?? []].flat();
  if (reference !== undefined) return books.ofReference(reference);
  if (paymentIntentId !== undefined) return books.ofPaymentIntent(paymentIntentId);
  return books.entries();
}

type RefundNames = Pick<RefundLedgerQuery, 'idempotencyKey' | 'reference' | 'paymentKey'>;

function selectRefunds(books: Books, names: RefundNames): readonly RefundEntry[] {
  const { idempotencyKey, reference, paymentKey } = names;
  return narrowestRefunds(books, names).filter(
    (entry) =>
      (idempotencyKey === undefined || entry.key === idempotencyKey) &&
      (reference === undefined || entry.refund?.reference === reference) &&
      (paymentKey === undefined || entry.paymentKey === paymentKey),
  );
}

function narrowestRefunds(books: Books, { idempotencyKey, reference, paymentKey }: RefundNames) {
  if (idempotencyKey !== undefined) return [books.findRefund(idempotencyKey) ?? []].flat();
  if (reference !== undefined) return books.refundsOfReference(reference);
  if (paymentKey !== undefined) return books.refundsOfPayment(paymentKey);
  return books.refundEntries();
}

function presentEntry({ key, reference, paymentIntentId, requests, closed, booking }: Entry, books: Books) {
  return {
    idempotencyKey: key,
    reference,
    paymentIntentId,
    requests,
    closed,
    payment: booking?.payment ?? null,
    charges: booking?.charges ?? [],
    refunds: books.refundsOfPayment(key).map(presentRefund),
  };
}

function presentRefund({ key, paymentKey, requests, closed, refund }: RefundEntry) {
  return { idempotencyKey: key, paymentKey, requests, closed, refund };
}
