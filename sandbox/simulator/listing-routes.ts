import { Router } from 'express';
import type { Ledger } from './ledger.ts';
import { type ListingRequest, listingRequestSchema } from './protocol.ts';
import type { PaymentRecord, RefundEntry } from './records.ts';
import type { Replies } from './replies.ts';
import { reportedPayment } from './reported-payment.ts';

/** Few enough for the answer to stay small. */
const PAGE_SIZE = 100;

/** What merchants' engines call to compare their records with the simulator's: its list of payments, by creation. */
export function createListingRoutes(ledger: Ledger, { injectFaults, answer }: Replies): Router {
  const router = Router();
  router.post('/listings', injectFaults('listings'), (request, response) => {
    answer('listings', response, 200, listPage(ledger, listingRequestSchema.parse(request.body)));
  });
  return router;
}

interface Listed {
  /** Orders the list; a payment keeps its place. */
  readonly place: string;
  readonly updatedAt: string;
  readonly record: PaymentRecord;
  readonly refunds: readonly RefundEntry[];
}

function listPage(ledger: Ledger, { from, to, cursor }: ListingRequest): object {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  const following = ledger
    .entries()
    .flatMap(({ key, record }) => (record === null ? [] : [listedOf(key, record, ledger.refundsOfPayment(key))]))
    .filter(({ place }) => cursor === null || place > cursor)
    .filter(({ record, updatedAt }) => Date.parse(record.payment.createdAt) <= toMs && Date.parse(updatedAt) >= fromMs)
    .sort((left, right) => (left.place < right.place ? -1 : 1));
  const page = following.slice(0, PAGE_SIZE);
  return {
    payments: page.map(present),
    nextCursor: following.length > page.length ? (page.at(-1)?.place ?? null) : null,
  };
}

function listedOf(key: string, record: PaymentRecord, refunds: readonly RefundEntry[]): Listed {
  const { createdAt } = record.payment;
  const times = [
    createdAt,
    ...record.charges.map(({ at }) => at),
    ...refunds.flatMap(({ refund }) => refund?.createdAt ?? []),
  ];
  return { place: `${createdAt} ${key}`, updatedAt: times.toSorted().at(-1) ?? createdAt, record, refunds };
}

function present({ record, updatedAt, refunds }: Listed): object {
  return { ...reportedPayment(record), updatedAt, refunds: refunds.flatMap(({ refund }) => refund ?? []) };
}
