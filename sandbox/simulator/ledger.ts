import { openJournal } from './journal.ts';
import {
  type Dispute,
  isFinalEntry,
  isOpenRefund,
  type LedgerEntry,
  type JournalRecord,
  type OutgoingEvent,
  type RefundEntry,
  type Settlement,
} from './records.ts';
import { createIndexedStore } from './store.ts';

export interface LedgerLimits {
  /** Payment keys kept, and the same number of refund keys; the oldest final ones are evicted. */
  readonly maximumEntries: number;
  /** Webhooks that wait to be sent; the oldest are dropped. */
  readonly maximumEvents: number;
}

export const DEFAULT_LEDGER_LIMITS: LedgerLimits = { maximumEntries: 500_000, maximumEvents: 100_000 };

/** A journal with fewer lines than this is never worth rewriting. */
const MINIMUM_LINES_TO_COMPACT = 10_000;

/** The ledger is full of payments or refunds that are not final. */
export class LedgerFullError extends Error {
  override readonly name = 'LedgerFullError';
}

/** The simulator's record of payments, refunds and events: read from memory, written to the journal first. */
export interface Ledger {
  find(key: string): LedgerEntry | undefined;
  findPayment(paymentId: string): LedgerEntry | undefined;
  ofReference(reference: string): readonly LedgerEntry[];
  ofPaymentIntent(paymentIntentId: string): readonly LedgerEntry[];
  /** Those whose stored card has this token. */
  ofToken(token: string): readonly LedgerEntry[];
  /** Oldest first. */
  entries(): readonly LedgerEntry[];
  findRefund(key: string): RefundEntry | undefined;
  refundsOfReference(reference: string): readonly RefundEntry[];
  /** Those of the payment with an idempotency key, oldest first. */
  refundsOfPayment(paymentKey: string): readonly RefundEntry[];
  /** Oldest first. */
  refundEntries(): readonly RefundEntry[];
  /** Oldest first. */
  disputes(): readonly Dispute[];
  findDispute(disputeId: string): Dispute | undefined;
  /** Those of the payment with an idempotency key, oldest first. */
  disputesOfPayment(paymentKey: string): readonly Dispute[];
  /** Oldest first. */
  settlements(): readonly Settlement[];
  findSettlement(settlementId: string): Settlement | undefined;
  event(eventId: string): OutgoingEvent | undefined;
  /** Events that still have to be sent, oldest first. */
  waitingEvents(): readonly OutgoingEvent[];
  /**
   * Writes an entry together with its event: to the journal first, then to memory.
   * @throws LedgerFullError
   */
  save(entry: LedgerEntry, event: OutgoingEvent | null): void;
  /**
   * Writes a refund together with the change of its payment and its event, as one journal line.
   * @throws LedgerFullError
   */
  saveRefund(refundEntry: RefundEntry, payment: LedgerEntry | null, event: OutgoingEvent | null): void;
  /**
   * Writes a dispute together with the change of its payment and its event, as one journal line.
   * @throws LedgerFullError
   */
  saveDispute(dispute: Dispute, payment: LedgerEntry, event: OutgoingEvent): void;
  saveSettlement(settlement: Settlement): void;
  /** Removes an event that needs no more sending. */
  finishEvent(eventId: string): void;
  close(): void;
}

/** Opens the ledger in a file; compacts the file when most of its lines are outdated. */
export async function openLedger(file: string, limits: LedgerLimits): Promise<Ledger> {
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
    save(entry, event) {
      if (!memory.makeRoomForPayment(entry.key)) throw new LedgerFullError('too many payments are not final');
      write({ entry, event: event ?? undefined });
    },
    saveRefund(refundEntry, payment, event) {
      if (!memory.makeRoomForRefund(refundEntry.key)) throw new LedgerFullError('too many refunds are not final');
      write({ entry: payment ?? undefined, refundEntry, event: event ?? undefined });
    },
    saveDispute(dispute, payment, event) {
      if (!memory.makeRoomForPayment(payment.key)) throw new LedgerFullError('too many payments are not final');
      write({ entry: payment, dispute, event });
    },
    saveSettlement(settlement) {
      write({ settlement });
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
  readonly view: Omit<Ledger, 'save' | 'saveRefund' | 'saveDispute' | 'saveSettlement' | 'finishEvent' | 'close'>;
  size(): number;
  makeRoomForPayment(key: string): boolean;
  makeRoomForRefund(key: string): boolean;
  apply(record: JournalRecord): void;
  /** The journal records that rebuild this memory. */
  records(): Iterable<JournalRecord>;
}

function createMemory({ maximumEntries, maximumEvents }: LedgerLimits): Memory {
  const refunds = createIndexedStore<RefundEntry, 'reference' | 'payment'>(['reference', 'payment'], {
    maximumItems: maximumEntries,
    indexedValues: { reference: ({ refund }) => refund?.reference ?? null, payment: ({ paymentKey }) => paymentKey },
    isEvictable: (entry) => !isOpenRefund(entry),
  });
  const payments = createIndexedStore<LedgerEntry, 'reference' | 'paymentIntent' | 'payment' | 'token'>(
    ['reference', 'paymentIntent', 'payment', 'token'],
    {
      maximumItems: maximumEntries,
      indexedValues: {
        reference: ({ reference }) => reference,
        paymentIntent: ({ paymentIntentId }) => paymentIntentId,
        payment: ({ record }) => record?.payment.id ?? null,
        token: ({ record }) => record?.storedCard?.token ?? null,
      },
      isEvictable: (entry) => isFinalEntry(entry) && !refunds.findBy('payment', entry.key).some(isOpenRefund),
    },
  );
  const disputes = createIndexedStore<Dispute & { readonly key: string }, 'payment'>(['payment'], {
    maximumItems: maximumEntries,
    indexedValues: { payment: ({ paymentKey }) => paymentKey },
    isEvictable: () => true,
  });
  const settlements = createIndexedStore<Settlement & { readonly key: string }, never>([], {
    maximumItems: maximumEntries,
    indexedValues: {},
    isEvictable: () => true,
  });
  const eventById = new Map<string, OutgoingEvent>();

  const enqueue = (event: OutgoingEvent) => {
    eventById.set(event.id, event);
    const [oldest] = eventById.keys();
    if (eventById.size > maximumEvents && oldest !== undefined) eventById.delete(oldest);
  };

  return {
    view: {
      find: payments.find,
      findPayment: (paymentId) => payments.findBy('payment', paymentId)[0],
      ofReference: (reference) => payments.findBy('reference', reference),
      ofPaymentIntent: (paymentIntentId) => payments.findBy('paymentIntent', paymentIntentId),
      ofToken: (token) => payments.findBy('token', token),
      entries: payments.all,
      findRefund: refunds.find,
      refundsOfReference: (reference) => refunds.findBy('reference', reference),
      refundsOfPayment: (paymentKey) => refunds.findBy('payment', paymentKey),
      refundEntries: refunds.all,
      disputes: disputes.all,
      findDispute: disputes.find,
      disputesOfPayment: (paymentKey) => disputes.findBy('payment', paymentKey),
      settlements: settlements.all,
      findSettlement: settlements.find,
      event: (eventId) => eventById.get(eventId),
      waitingEvents: () => [...eventById.values()],
    },
    size: () => payments.size() + refunds.size() + disputes.size() + settlements.size() + eventById.size,
    makeRoomForPayment: payments.makeRoomFor,
    makeRoomForRefund: refunds.makeRoomFor,
    apply({ entry, refundEntry, dispute, settlement, event, finishedEvent }) {
      if (entry !== undefined) payments.put(entry);
      if (refundEntry !== undefined) refunds.put(refundEntry);
      if (dispute !== undefined) disputes.put({ ...dispute, key: dispute.id });
      if (settlement !== undefined) settlements.put({ ...settlement, key: settlement.id });
      if (event !== undefined) enqueue(event);
      if (finishedEvent !== undefined) eventById.delete(finishedEvent);
    },
    *records() {
      for (const entry of payments.all()) yield { entry };
      for (const refundEntry of refunds.all()) yield { refundEntry };
      for (const { key: _, ...dispute } of disputes.all()) yield { dispute };
      for (const { key: _, ...settlement } of settlements.all()) yield { settlement };
      for (const event of eventById.values()) yield { event };
    },
  };
}
