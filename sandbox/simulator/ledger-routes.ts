import { Router } from 'express';
import type { Ledger } from './ledger.ts';
import { ledgerQuerySchema, refundLedgerQuerySchema, type LedgerQuery, type RefundLedgerQuery } from './protocol.ts';
import type { LedgerEntry, RefundEntry } from './records.ts';

/** The ledger, readable without a key: one entry for each idempotency key, newest first. */
export function createLedgerRoutes(ledger: Ledger): Router {
  const router = Router();

  router.get('/', (request, response) => {
    const query = ledgerQuerySchema.parse(request.query);
    response.json(pageOf(selectPayments(ledger, query), query, (entry) => presentEntry(entry, ledger)));
  });

  router.get('/refunds', (request, response) => {
    const query = refundLedgerQuerySchema.parse(request.query);
    response.json(pageOf(selectRefunds(ledger, query), query, presentRefund));
  });

  return router;
}

/** @param entries oldest first */
function pageOf<Item>(
  entries: readonly Item[],
  { page, limit }: { readonly page: number; readonly limit: number },
  present: (entry: Item) => object,
) {
  const total = entries.length;
  const data = entries.toReversed().slice((page - 1) * limit, page * limit);
  return { data: data.map(present), pagination: { page, limit, total, totalPages: Math.ceil(total / limit) } };
}

type PaymentNames = Pick<LedgerQuery, 'idempotencyKey' | 'reference' | 'paymentIntentId'>;

function selectPayments(ledger: Ledger, names: PaymentNames): readonly LedgerEntry[] {
  const { idempotencyKey, reference, paymentIntentId } = names;
  return narrowestPayments(ledger, names).filter(
    (entry) =>
      (idempotencyKey === undefined || entry.key === idempotencyKey) &&
      (reference === undefined || entry.reference === reference) &&
      (paymentIntentId === undefined || entry.paymentIntentId === paymentIntentId),
  );
}

/** The entries of the most selective index in the query. */
function narrowestPayments(ledger: Ledger, { idempotencyKey, reference, paymentIntentId }: PaymentNames) {
  if (idempotencyKey !== undefined) return [ledger.find(idempotencyKey) ?? []].flat();
  if (reference !== undefined) return ledger.ofReference(reference);
  if (paymentIntentId !== undefined) return ledger.ofPaymentIntent(paymentIntentId);
  return ledger.entries();
}

type RefundNames = Pick<RefundLedgerQuery, 'idempotencyKey' | 'reference' | 'paymentKey'>;

function selectRefunds(ledger: Ledger, names: RefundNames): readonly RefundEntry[] {
  const { idempotencyKey, reference, paymentKey } = names;
  return narrowestRefunds(ledger, names).filter(
    (entry) =>
      (idempotencyKey === undefined || entry.key === idempotencyKey) &&
      (reference === undefined || entry.refund?.reference === reference) &&
      (paymentKey === undefined || entry.paymentKey === paymentKey),
  );
}

function narrowestRefunds(ledger: Ledger, { idempotencyKey, reference, paymentKey }: RefundNames) {
  if (idempotencyKey !== undefined) return [ledger.findRefund(idempotencyKey) ?? []].flat();
  if (reference !== undefined) return ledger.refundsOfReference(reference);
  if (paymentKey !== undefined) return ledger.refundsOfPayment(paymentKey);
  return ledger.refundEntries();
}

function presentEntry({ key, reference, paymentIntentId, requests, closed, record }: LedgerEntry, ledger: Ledger) {
  return {
    idempotencyKey: key,
    reference,
    paymentIntentId,
    requests,
    closed,
    payment: record?.payment ?? null,
    charges: record?.charges ?? [],
    storedCard: record?.storedCard ?? null,
    credentialUse: record?.credentialUse ?? null,
    refunds: ledger.refundsOfPayment(key).map(presentRefund),
    disputes: ledger.disputesOfPayment(key),
  };
}

function presentRefund({ key, paymentKey, requests, closed, refund }: RefundEntry) {
  return { idempotencyKey: key, paymentKey, requests, closed, refund };
}
