import type { Books } from './ledger.ts';
import {
  captureBooking,
  closeBooking,
  concealBooking,
  isConcealed,
  isOpen,
  openBooking,
  settleBooking,
  settleByHand,
  takeStep,
  type Delays,
} from './payment-state-machine.ts';
import { fingerprintOf } from './fingerprint.ts';
import { newId } from './new-id.ts';
import { paymentEvent } from './outgoing-events.ts';
import type { PaymentRequest, Settlement, SettleRequest } from './protocol.ts';
import type { Booking, Entry, OutgoingEvent, Payment } from './records.ts';
import { isMisreported, reportedPayment } from './reported-payment.ts';
import { scenarioFor, type Scenario } from './scenarios.ts';

/** What a payment request comes to. Only `payment` and `lost` are booked. */
export type PaymentVerdict =
  | { readonly kind: 'payment'; readonly payment: Payment }
  | { readonly kind: 'lost' | 'server_error' | 'unknown_shape' | 'key_closed' | 'idempotency_conflict' };

export type CaptureVerdict =
  | { readonly kind: 'payment'; readonly payment: Payment }
  | { readonly kind: 'not_found' | 'not_authorized' | 'amount_exceeded' };

type SettleVerdict =
  { readonly kind: 'settled'; readonly payment: Payment } | { readonly kind: 'not_found' | 'not_open' };

/**
 * Takes, looks up, captures and settles payments. Each method reads, decides and books in one go, without waiting in between,
 * so that requests at the same time cannot charge twice.
 */
export interface PaymentDesk {
  take(key: string, request: PaymentRequest): PaymentVerdict;
  /** The payment of a key, or null; then the key is closed for good. */
  inquire(key: string): Payment | null;
  /** Calls off the payment of a key and shows what became of it, or null; then the key is closed for good. */
  close(key: string): Payment | null;
  /** Takes money that is held, once; a repeat, and a payment that was called off, are shown as they are. */
  capture(key: string, amountMinor: number): CaptureVerdict;
  /** Says what becomes of a payment that waits; `approved` also has a misreported payment reported as it is. */
  settle(request: SettleRequest): SettleVerdict;
  /** Settles one payment as its customer decided; false when it no longer waits. */
  decide(paymentId: string, settlement: Settlement): boolean;
  /** Takes up the waits of payments that go on by themselves. */
  resume(): void;
  stop(): void;
}

export interface PaymentDeskDependencies {
  readonly books: Books;
  readonly instanceName: string;
  /** Keys the fingerprints of requests. */
  readonly secret: string;
  /** Where customers reach this simulator. */
  readonly publicUrl: string;
  readonly delays: Delays;
  /** Whether keys are charged although they were closed. */
  readonly ignoresClosures: () => boolean;
  /** Told of each event that was booked. */
  readonly onEvent: (event: OutgoingEvent) => void;
  /** Told when a payment could not go on by itself. */
  readonly onError: (error: unknown) => void;
}

export function createPaymentDesk(dependencies: PaymentDeskDependencies): PaymentDesk {
  const { books, instanceName, secret, delays, ignoresClosures, onEvent, onError } = dependencies;
  const timerByKey = new Map<string, NodeJS.Timeout>();

  const book = (entry: Entry, event: OutgoingEvent | null) => {
    books.record(entry, event);
    if (event !== null) onEvent(event);
    scheduleStep(entry);
  };

  const scheduleStep = ({ key, booking }: Entry) => {
    clearTimeout(timerByKey.get(key));
    timerByKey.delete(key);
    const settlesAt = booking?.settlesAt ?? null;
    if (settlesAt === null) return;
    const delayMs = Math.max(0, Date.parse(settlesAt) - Date.now());
    timerByKey.set(
      key,
      setTimeout(() => {
        goOnByItself(key);
      }, delayMs),
    );
  };

  const goOnByItself = (key: string) => {
    timerByKey.delete(key);
    const entry = books.find(key);
    try {
      if (entry?.booking == null || !isOpen(entry.booking)) return;
      const booking = takeStep(entry.booking, delays, new Date());
      book({ ...entry, booking }, paymentEvent(booking));
    } catch (error) {
      onError(error);
    }
  };

  /** Books what became of a payment, tells of it, and shows it. */
  const bookChange = (entry: Entry, booking: Booking): Payment => {
    book({ ...entry, booking }, paymentEvent(booking));
    return reportedPayment(booking);
  };

  /** Says of a key that there is no payment, and closes it for good. */
  const deny = (key: string, entry: Entry | undefined): null => {
    const booking = entry?.booking == null ? null : concealBooking(entry.booking, new Date());
    book({ ...(entry ?? blankEntry(key)), closed: true, booking }, null);
    return null;
  };

  const openPayment = (request: PaymentRequest, scenario: BookedScenario, isClosed: boolean): Booking => {
    const at = new Date();
    const blank = blankBooking(request, fingerprintOf(request, secret), scenario, at.toISOString());
    const pageUrl = new URL(`/3ds/${blank.payment.id}`, dependencies.publicUrl).href;
    const booking = openBooking(blank, scenario.opening, { pageUrl, delays, at });
    return isClosed ? concealBooking(booking, at) : booking;
  };

  return {
    take(key, request) {
      const known = books.find(key);
      const { reference, paymentIntentId } = request;
      const asked = {
        ...(known ?? { ...blankEntry(key), reference, paymentIntentId }),
        requests: (known?.requests ?? 0) + 1,
      };
      if (asked.booking !== null) {
        book(asked, null);
        const repeated = asked.booking.fingerprint === fingerprintOf(request, secret);
        return repeated ? verdictOf(asked.booking, asked.closed) : { kind: 'idempotency_conflict' };
      }
      if (asked.closed && !ignoresClosures()) {
        book({ ...asked, reference, paymentIntentId }, null);
        return { kind: 'key_closed' };
      }
      const scenario = scenarioFor(request, instanceName);
      if (scenario.kind !== 'booked') {
        book(asked, null);
        return { kind: scenario.kind };
      }
      const booking = openPayment(request, scenario, asked.closed);
      const entry = { ...asked, reference, paymentIntentId, booking };
      book(entry, isOpen(booking) ? null : paymentEvent(booking));
      return verdictOf(booking, asked.closed);
    },

    inquire(key) {
      const entry = books.find(key);
      if (entry?.booking == null || isConcealed(entry.booking)) return deny(key, entry);
      return reportedPayment(entry.booking);
    },

    close(key) {
      const entry = books.find(key);
      if (entry?.booking == null || isConcealed(entry.booking)) return deny(key, entry);
      const booking = closeBooking(entry.booking, now());
      if (booking === entry.booking) return reportedPayment(booking);
      if (isOpen(entry.booking) && ignoresClosures()) return deny(key, entry);
      return bookChange(entry, booking);
    },

    capture(key, amountMinor) {
      const entry = books.find(key);
      if (entry?.booking == null || isConcealed(entry.booking)) return { kind: 'not_found' };
      const { payment } = entry.booking;
      if (payment.status === 'captured' || payment.status === 'voided') {
        return { kind: 'payment', payment: reportedPayment(entry.booking) };
      }
      if (payment.status !== 'authorized') return { kind: 'not_authorized' };
      if (amountMinor > payment.amount) return { kind: 'amount_exceeded' };
      const booking = captureBooking(entry.booking, amountMinor, now());
      return { kind: 'payment', payment: bookChange(entry, booking) };
    },

    settle({ reference, paymentIntentId, outcome }) {
      const entries =
        reference === undefined ? books.ofPaymentIntent(paymentIntentId ?? '') : books.ofReference(reference);
      const booked = entries.filter(({ booking }) => booking !== null);
      const entry = booked.findLast(({ booking }) => booking !== null && canSettle(booking, outcome));
      if (entry?.booking == null) return { kind: booked.length === 0 ? 'not_found' : 'not_open' };
      return { kind: 'settled', payment: bookChange(entry, settleByHand(entry.booking, outcome, now())) };
    },

    decide(paymentId, settlement) {
      const entry = books.findPayment(paymentId);
      if (entry?.booking == null || !isOpen(entry.booking)) return false;
      bookChange(entry, settleBooking(entry.booking, settlement, now()));
      return true;
    },

    resume() {
      for (const entry of books.entries()) scheduleStep(entry);
    },

    stop() {
      for (const timer of timerByKey.values()) clearTimeout(timer);
      timerByKey.clear();
    },
  };
}

function now(): string {
  return new Date().toISOString();
}

type BookedScenario = Extract<Scenario, { kind: 'booked' }>;

function blankBooking(request: PaymentRequest, fingerprint: string, scenario: BookedScenario, at: string): Booking {
  const { reference, amount, currency, capture, returnUrl, method } = request;
  const id = newId('sim');
  return {
    payment: {
      id,
      reference,
      status: 'pending',
      amount,
      currency,
      amountCaptured: 0,
      amountVoided: 0,
      amountRefunded: 0,
      createdAt: at,
    },
    charges: [],
    fingerprint,
    // A deposit moves the money at once: there is nothing that could be held.
    capture: capture || method.type === 'crypto',
    returnUrl,
    methodType: method.type,
    reply: scenario.reply,
    refundScript: scenario.refundScript,
    misreport: scenario.misreport ?? null,
    concealed: false,
    lateChargeDelayMs: null,
    deposit: null,
    settlesAt: null,
  };
}

function blankEntry(key: string): Entry {
  return { key, reference: null, paymentIntentId: null, requests: 0, closed: false, booking: null };
}

/** Whether somebody still has to say what becomes of a payment, or what is said of it. */
function canSettle(booking: Booking, settlement: Settlement): boolean {
  return isOpen(booking) || (settlement === 'approved' && isMisreported(booking));
}

function verdictOf(booking: Booking, isClosed: boolean): PaymentVerdict {
  if (isConcealed(booking)) return { kind: isClosed ? 'key_closed' : 'lost' };
  return booking.reply === 'lost' ? { kind: 'lost' } : { kind: 'payment', payment: reportedPayment(booking) };
}
