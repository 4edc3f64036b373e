import type { ApiClient, ApiResult } from './api-client.ts';
import { advisoryOfState, eventOfState, hasEnded } from './payment-events.ts';
import type { Cancel, Platform } from './platform.ts';
import type { CheckoutError, NextAction, Payment, PaymentEvent, PaymentStatus } from './types.ts';

/** The newest state and action from any source: an event, the socket's `ready`, or a response of the API. */
export interface LatestState {
  readonly status: PaymentStatus | null;
  readonly nextAction: NextAction | null;
}

export interface PaymentTrackerOptions {
  readonly platform: Platform;
  readonly api: ApiClient;
  readonly paymentIntentId: string;
  /** Gets each event once, in order. */
  readonly emit: (event: PaymentEvent) => void;
  readonly restartStream: () => void;
}

/** Knows the state of one payment from events and responses, and checks that the socket is alive. */
export interface PaymentTracker {
  readonly latest: LatestState;
  /** The status that the last emitted event led to. */
  readonly emitted: PaymentStatus | null;
  onReady(status: PaymentStatus, isResumed: boolean): void;
  onEvent(event: PaymentEvent): void;
  noteResponse(response: ApiResult): void;
  beginConfirm(): void;
  /** Events may overtake the response to a confirm; the page gets the state that the later ones led to. */
  withLaterEvents(response: ApiResult): ApiResult;
  /** Settles once a state is known, at the latest after that time. */
  stateWithin(milliseconds: number): Promise<void>;
  stopChecking(): void;
}

/** A socket can be dead without anybody noticing; while an outcome is awaited, the API is asked now and then. */
const CHECK_EVERY_MS = 25_000;
const AWAITING: readonly PaymentStatus[] = ['processing', 'requires_action'];
/** The states that the socket alone does not tell in full: the API knows what to do next, or why the payment failed. */
const READ_IN_FULL: readonly PaymentStatus[] = ['requires_payment_method', 'requires_action', 'failed', 'canceled'];

export function createPaymentTracker(options: PaymentTrackerOptions): PaymentTracker {
  const { platform, api, paymentIntentId, emit } = options;
  const latest = createLatestState(platform);
  let emitted: PaymentStatus | null = null;
  let eventCount = 0;
  let eventsSinceConfirm: PaymentEvent[] = [];

  const onEvent = (event: PaymentEvent): void => {
    eventCount += 1;
    eventsSinceConfirm.push(event);
    emitted = event.status;
    latest.update(event.status, event.nextAction);
    emit(event);
  };

  /** The payment, or null if the API does not return it; `overtaken` if an event has come meanwhile, which is newer. */
  const readUnlessOvertaken = async (): Promise<Payment | null | 'overtaken'> => {
    const countBefore = eventCount;
    const { payment } = await api.read();
    return eventCount === countBefore ? payment : 'overtaken';
  };

  const at = () => ({ paymentIntentId, createdAt: new Date(platform.nowMs()).toISOString() });

  /** The events that led here came before the page listened, or were purged: an event made of the state replaces them. */
  const catchUp = async (status: PaymentStatus): Promise<void> => {
    const payment = READ_IN_FULL.includes(status) ? await readUnlessOvertaken() : null;
    if (payment === 'overtaken') return;
    const state = { status, nextAction: payment?.nextAction ?? null, error: errorOf(status, payment) };
    onEvent(eventOfState(state, at()));
    if (status === 'processing') await catchUpOnAdvisory();
  };

  const catchUpOnAdvisory = async (): Promise<void> => {
    const payment = await readUnlessOvertaken();
    if (payment === null || payment === 'overtaken' || !payment.isStuck) return;
    onEvent(advisoryOfState(at()));
  };

  const check = async (): Promise<void> => {
    const { status } = latest.state;
    if (status === null || !AWAITING.includes(status)) return;
    const countBefore = eventCount;
    const { payment } = await api.read();
    if (payment?.status !== (emitted ?? latest.state.status) && eventCount === countBefore) options.restartStream();
  };

  return {
    get latest() {
      return latest.state;
    },
    get emitted() {
      return emitted;
    },
    onReady(status, isResumed) {
      if (emitted === null && status === 'requires_payment_method') emitted = status;
      const { state } = latest;
      if (isResumed || status === emitted) latest.update(status, state.status === status ? state.nextAction : null);
      else void catchUp(status);
    },
    onEvent,
    noteResponse({ payment }) {
      if (payment !== null && !hasEnded(latest.state.status)) latest.update(payment.status, payment.nextAction);
    },
    beginConfirm() {
      eventsSinceConfirm = [];
    },
    withLaterEvents: (response) => withLaterEvents(response, eventsSinceConfirm),
    stateWithin: latest.within,
    stopChecking: repeat(platform, CHECK_EVERY_MS, check),
  };
}

function errorOf(status: PaymentStatus, payment: Payment | null): CheckoutError | null {
  const { lastError = null } = payment ?? {};
  if (status === 'failed' || status === 'requires_payment_method') return lastError;
  return status === 'canceled' && lastError?.code === 'PAYMENT_RETRIES_EXHAUSTED' ? lastError : null;
}

/** The latest state, and who waits for the first one. */
function createLatestState(platform: Platform) {
  let state: LatestState = { status: null, nextAction: null };
  const waiting = new Set<() => void>();
  return {
    get state() {
      return state;
    },
    update(status: PaymentStatus, nextAction: NextAction | null): void {
      state = { status, nextAction };
      for (const resolve of waiting) resolve();
    },
    within: (milliseconds: number): Promise<void> =>
      new Promise((resolve) => {
        if (state.status !== null) return resolve();
        const done = (): void => {
          waiting.delete(done);
          cancel();
          resolve();
        };
        const cancel = platform.schedule(milliseconds, done);
        waiting.add(done);
      }),
  };
}

function withLaterEvents(response: ApiResult, events: readonly PaymentEvent[]): ApiResult {
  const { payment } = response;
  const last = events.at(-1);
  if (payment === null || last === undefined || last.status === payment.status) return response;
  if (!events.some(({ status }) => status === payment.status)) return response;
  const { status, nextAction, error } = last;
  return { ...response, payment: { ...payment, status, nextAction }, error };
}

function repeat(platform: Platform, everyMs: number, run: () => Promise<void>): Cancel {
  const runAndSchedule = (): void => {
    cancel = platform.schedule(everyMs, runAndSchedule);
    void run();
  };
  let cancel = platform.schedule(everyMs, runAndSchedule);
  return () => cancel();
}
