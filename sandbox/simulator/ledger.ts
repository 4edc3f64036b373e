import { openJournal } from './journal.ts';
import {
  isFinalEntry,
  isOpenRefund,
  type Entry,
  type JournalRecord,
  type OutgoingEvent,
  type RefundEntry,
} from './records.ts';
import { createShelf } from './store.ts';

export interface BooksLimits {
  /** Keys of payments kept, and of refunds as many again; the oldest that are final make room. */
  readonly maximumEntries: number;
  /** Webhooks waiting; the oldest are given up. */
  readonly maximumEvents: number;
}

export const DEFAULT_BOOKS_LIMITS: BooksLimits = { maximumEntries: 500_000, maximumEvents: 100_000 };

/** A journal with fewer lines than this is never worth rewriting. */
const MINIMUM_LINES_TO_COMPACT = 10_000;

/** The books are full of payments or refunds that are not final. */
export class BooksFullError extends Error {
  override readonly name = 'BooksFullError';
}

/** What the simulator knows: in memory for reading, in the journal for good. */
export interface Books {
  find(key: string): Entry | undefined;
  findPayment(paymentId: string): Entry | undefined;
  ofReference(reference: string): readonly Entry[];
  ofPaymentIntent(paymentIntentId: string): readonly Entry[];
  /** Oldest first. */
  entries(): readonly Entry[];
  findRefund(key: string): RefundEntry | undefined;
  refundsOfReference(reference: string): readonly RefundEntry[];
  /** Those of the payment with an idempotency key, oldest first. */
  refundsOfPayment(paymentKey: string): readonly RefundEntry[];
  /** Oldest first. */
  refundEntries(): readonly RefundEntry[];
  event(eventId: string): OutgoingEvent | undefined;
  /** Events that still have to be sent, oldest first. */
  waitingEvents(): readonly OutgoingEvent[];
  /**
   * Makes an entry true, with the event that tells of it: in the journal first, then in memory.
   * @throws BooksFullError
   */
  record(entry: Entry, event: OutgoingEvent | null): void;
  /**
   * Makes a refund true, with what it does to its payment and with the event that tells of it, all in one.
   * @throws BooksFullError
   */
  recordRefund(refundEntry: RefundEntry, payment: Entry | null, event: OutgoingEvent | null): void;
  finishEvent(eventId: string): void;
  close(): void;
}

/** Opens the books kept in a file and rewrites the file when most of it is outdated. */
export async function openBooks(file: string, limits: BooksLimits): Promise<Books> {
  const memory = createMemory(limits);
  const journal = await openJournal(file, memory.apply);
  const compact = () => {
    journal.rewrite(memory.records());
  };
  if (journal.lineCount() > worthCompacting(memory.size())) compact();

  const write = (record: JournalRecord) => {
    journal.append(record);
    memory.apply(record);
    if (journal.lineCount() > worthCompacting(limits.maximumEntries)) compact();
  };

  return {
    ...memory.view,
    record(entry, event) {
      if (!memory.makeRoomForPayment(entry.key)) throw new BooksFullError('too many payments are not final');
      write({ entry, event: event ?? undefined });
    },
    recordRefund(refundEntry, payment, event) {
      if (!memory.makeRoomForRefund(refundEntry.key)) throw new BooksFullError('too many refunds are not final');
      write({ entry: payment ?? undefined, refundEntry, event: event ?? undefined });
    },
    finishEvent(eventId) {
      if (memory.view.event(eventId) !== undefined) write({ finishedEvent: eventId });
    },
    close: () => {
      journal.close();
    },
  };
}

function worthCompacting(liveLines: number): number {
  return Math.max(2 * liveLines, MINIMUM_LINES_TO_COMPACT);
}

interface Memory {
  readonly view: Omit<Books, 'record' | 'recordRefund' | 'finishEvent' | 'close'>;
  size(): number;
  makeRoomForPayment(key: string): boolean;
  makeRoomForRefund(key: string): boolean;
  apply(record: JournalRecord): void;
  /** What a journal has to say to lead here. */
  records(): Iterable<JournalRecord>;
}

function createMemory({ maximumEntries, maximumEvents }: BooksLimits): Memory {
  const refunds = createShelf<RefundEntry, 'reference' | 'payment'>(['reference', 'payment'], {
    maximumEntries,
    nameIn: { reference: ({ refund }) => refund?.reference ?? null, payment: ({ paymentKey }) => paymentKey },
    mayGo: (entry) => !isOpenRefund(entry),
  });
  const payments = createShelf<Entry, 'reference' | 'paymentIntent' | 'payment'>(
    ['reference', 'paymentIntent', 'payment'],
    {
      maximumEntries,
      nameIn: {
        reference: ({ reference }) => reference,
        paymentIntent: ({ paymentIntentId }) => paymentIntentId,
        payment: ({ booking }) => booking?.payment.id ?? null,
      },
      mayGo: (entry) => isFinalEntry(entry) && !refunds.named('payment', entry.key).some(isOpenRefund),
    },
  );
  const eventById = new Map<string, OutgoingEvent>();

  const enqueue = (event: OutgoingEvent) => {
    eventById.set(event.id, event);
    const [oldest] = eventById.keys();
    if (eventById.size > maximumEvents && oldest !== undefined) eventById.delete(oldest);
  };

  return {
    view: {
      find: payments.find,
      findPayment: (paymentId) => payments.named('payment', paymentId)[0],
      ofReference: (reference) => payments.named('reference', reference),
      ofPaymentIntent: (paymentIntentId) => payments.named('paymentIntent', paymentIntentId),
      entries: payments.all,
      findRefund: refunds.find,
      refundsOfReference: (reference) => refunds.named('reference', reference),
      refundsOfPayment: (paymentKey) => refunds.named('payment', paymentKey),
      refundEntries: refunds.all,
      event: (eventId) => eventById.get(eventId),
      waitingEvents: () => [...eventById.values()],
    },
    size: () => payments.size() + refunds.size() + eventById.size,
    makeRoomForPayment: payments.makeRoomFor,
    makeRoomForRefund: refunds.makeRoomFor,
    apply({ entry, refundEntry, event, finishedEvent }) {
      if (entry !== undefined) payments.keep(entry);
      if (refundEntry !== undefined) refunds.keep(refundEntry);
      if (event !== undefined) enqueue(event);
      if (finishedEvent !== undefined) eventById.delete(finishedEvent);
    },
    *records() {
      for (const entry of payments.all()) yield { entry };
      for (const refundEntry of refunds.all()) yield { refundEntry };
      for (const event of eventById.values()) yield { event };
    },
  };
}
