import type { Ledger } from './ledger.ts';
import { paymentEvent } from './outgoing-events.ts';
import { advancePayment, isOpen, type Delays } from './payment-state-machine.ts';
import type { DisputePlan, LedgerEntry, OutgoingEvent, Payment, PaymentRecord } from './records.ts';
import { reportedPayment } from './reported-payment.ts';

/** Writes payments to the ledger, and advances those whose next step is due without a request. */
export interface PaymentWriter {
  /** Writes an entry and passes on its event. */
  save(entry: LedgerEntry, event: OutgoingEvent | null): void;
  /** Writes a changed payment and its event. @returns the payment as the simulator reports it */
  saveChange(entry: LedgerEntry, record: PaymentRecord): Payment;
  /** Schedules the steps of payments that an earlier run left open. */
  resume(): void;
  /** Cancels all scheduled steps. */
  stop(): void;
}

export interface PaymentWriterDependencies {
  readonly ledger: Ledger;
  readonly delays: Delays;
  /** Receives each event that was written. */
  readonly onEvent: (event: OutgoingEvent) => void;
  /** Receives each payment that is captured and whose card asks for a dispute; the plan is taken from the payment. */
  readonly onDisputed: (entry: LedgerEntry, plan: DisputePlan) => void;
  /** Receives the error when a scheduled step failed. */
  readonly onError: (error: unknown) => void;
}

export function createPaymentWriter(dependencies: PaymentWriterDependencies): PaymentWriter {
  const { ledger, delays, onEvent, onDisputed, onError } = dependencies;
  const timerByKey = new Map<string, NodeJS.Timeout>();

  const save = (entry: LedgerEntry, event: OutgoingEvent | null) => {
    const { record } = entry;
    const plan = record?.payment.status === 'captured' ? record.disputePlan : null;
    const saved = record === null || plan === null ? entry : { ...entry, record: { ...record, disputePlan: null } };
    ledger.save(saved, event);
    if (event !== null) onEvent(event);
    if (plan !== null) onDisputed(saved, plan);
    scheduleStep(saved);
  };

  const scheduleStep = ({ key, record }: LedgerEntry) => {
    clearTimeout(timerByKey.get(key));
    timerByKey.delete(key);
    const settlesAt = record?.settlesAt ?? null;
    if (settlesAt === null) return;
    const delayMs = Math.max(0, Date.parse(settlesAt) - Date.now());
    timerByKey.set(
      key,
      setTimeout(() => {
        advance(key);
      }, delayMs),
    );
  };

  const advance = (key: string) => {
    timerByKey.delete(key);
    const entry = ledger.find(key);
    try {
      if (entry?.record == null || !isOpen(entry.record)) return;
      const record = advancePayment(entry.record, delays, new Date());
      save({ ...entry, record }, paymentEvent(record));
    } catch (error) {
      onError(error);
    }
  };

  return {
    save,
    saveChange(entry, record) {
      save({ ...entry, record }, paymentEvent(record));
      return reportedPayment(record);
    },
    resume() {
      for (const entry of ledger.entries()) scheduleStep(entry);
    },
    stop() {
      for (const timer of timerByKey.values()) clearTimeout(timer);
      timerByKey.clear();
    },
  };
}
