import { openJournal } from './journal.ts';
import { isFinalEntry, type Entry, type JournalRecord, type OutgoingEvent } from './records.ts';

export interface BooksLimits {
  /** Keys kept; the oldest that are final make room. */
  readonly maximumEntries: number;
  /** Webhooks waiting; the oldest are given up. */
  readonly maximumEvents: number;
}

export const DEFAULT_BOOKS_LIMITS: BooksLimits = { maximumEntries: 500_000, maximumEvents: 100_000 };

/** Part of the keys that is freed at once, so that making room stays rare. */
const FREED_SHARE = 0.05;
/** A journal with fewer lines than this is never worth rewriting. */
const MINIMUM_LINES_TO_COMPACT = 10_000;

/** The books are full of payments that are not final. */
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
  event(eventId: string): OutgoingEvent | undefined;
  /** Events that still have to be sent, oldest first. */
  waitingEvents(): readonly OutgoingEvent[];
  /**
   * Makes an entry true, with the event that tells of it: in the journal first, then in memory.
   * @throws BooksFullError
   */
  record(entry: Entry, event: OutgoingEvent | null): void;
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
      if (!memory.hasRoomFor(entry.key)) throw new BooksFullError('too many payments are not final');
      write(event === null ? { entry } : { entry, event });
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
  readonly view: Pick<
    Books,
    'find' | 'findPayment' | 'ofReference' | 'ofPaymentIntent' | 'entries' | 'event' | 'waitingEvents'
  >;
  size(): number;
  hasRoomFor(key: string): boolean;
  apply(record: JournalRecord): void;
  /** What a journal has to say to lead here. */
  records(): Iterable<JournalRecord>;
}

function createMemory(limits: BooksLimits): Memory {
  const entryByKey = new Map<string, Entry>();
  const keyByPaymentId = new Map<string, string>();
  const keysByReference = createIndex();
  const keysByPaymentIntent = createIndex();
  const eventById = new Map<string, OutgoingEvent>();

  const entriesOf = (keys: readonly string[]) => keys.flatMap((key) => entryByKey.get(key) ?? []);

  const keep = (entry: Entry) => {
    if (!entryByKey.has(entry.key) && entryByKey.size >= limits.maximumEntries) dropOldest();
    entryByKey.set(entry.key, entry);
    if (entry.booking !== null) keyByPaymentId.set(entry.booking.payment.id, entry.key);
    keysByReference.add(entry.reference, entry.key);
    keysByPaymentIntent.add(entry.paymentIntentId, entry.key);
  };

  const drop = (entry: Entry) => {
    entryByKey.delete(entry.key);
    if (entry.booking !== null) keyByPaymentId.delete(entry.booking.payment.id);
    keysByReference.remove(entry.reference, entry.key);
    keysByPaymentIntent.remove(entry.paymentIntentId, entry.key);
  };

  const dropOldest = () => {
    let excess = Math.max(1, Math.floor(limits.maximumEntries * FREED_SHARE));
    for (const entry of entryByKey.values()) {
      if (excess === 0) return;
      if (!isFinalEntry(entry)) continue;
      drop(entry);
      excess -= 1;
    }
  };

  const enqueue = (event: OutgoingEvent) => {
    eventById.set(event.id, event);
    const [oldest] = eventById.keys();
    if (eventById.size > limits.maximumEvents && oldest !== undefined) eventById.delete(oldest);
  };

  return {
    view: {
      find: (key) => entryByKey.get(key),
      findPayment: (paymentId) => entryByKey.get(keyByPaymentId.get(paymentId) ?? ''),
      ofReference: (reference) => entriesOf(keysByReference.get(reference)),
      ofPaymentIntent: (paymentIntentId) => entriesOf(keysByPaymentIntent.get(paymentIntentId)),
      entries: () => [...entryByKey.values()],
      event: (eventId) => eventById.get(eventId),
      waitingEvents: () => [...eventById.values()],
    },
    size: () => entryByKey.size + eventById.size,
    hasRoomFor(key) {
      if (entryByKey.has(key) || entryByKey.size < limits.maximumEntries) return true;
      dropOldest();
      return entryByKey.size < limits.maximumEntries;
    },
    apply({ entry, event, finishedEvent }) {
      if (entry !== undefined) keep(entry);
      if (event !== undefined) enqueue(event);
      if (finishedEvent !== undefined) eventById.delete(finishedEvent);
    },
    *records() {
      for (const entry of entryByKey.values()) yield { entry };
      for (const event of eventById.values()) yield { event };
    },
  };
}

interface Index {
  get(name: string): readonly string[];
  add(name: string | null, key: string): void;
  remove(name: string | null, key: string): void;
}

function createIndex(): Index {
  const keysByName = new Map<string, readonly string[]>();
  const get = (name: string) => keysByName.get(name) ?? [];
  return {
    get,
    add(name, key) {
      if (name !== null && !get(name).includes(key)) keysByName.set(name, [...get(name), key]);
    },
    remove(name, key) {
      if (name === null) return;
      const left = get(name).filter((candidate) => candidate !== key);
      if (left.length > 0) keysByName.set(name, left);
      else keysByName.delete(name);
    },
  };
}
