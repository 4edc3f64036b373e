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
  /** Reads the payment; once more, if meanwhile the socket has told another state, which is newer. */
  read(): Promise<ApiResult>;
  beginConfirm(): void;
  /** Notes the response to a confirm. Where the socket has told another state meanwhile, an event follows with what holds now. */
  endConfirm(response: ApiResult): void;
  /** Events may overtake the response to a confirm; the page gets the state that the later ones led to. */
  withLaterEvents(response: ApiResult): ApiResult;
  /** Settles once a state is known, at the latest after that time. */
  stateWithin(milliseconds: number): Promise<void>;
  stopChecking(): void;
}

/** A socket can be dead without anybody noticing; while an outcome is awaited, the API is asked now and then. */
const CHECK_EVERY_MS = 25_000;
const MAX_READS = 3;
const AWAITING: readonly PaymentStatus[] = ['processing', 'requires_action'];
/** The states that the socket alone does not tell in full: the API knows what to do next, or why the payment failed. */
const READ_IN_FULL: readonly PaymentStatus[] = ['requires_payment_method', 'requires_action', 'failed', 'canceled'];

export function createPaymentTracker(options: PaymentTrackerOptions): PaymentTracker {
  const { platform, api, paymentIntentId, emit } = options;
  const latest = createLatestState(platform);
  let emitted: PaymentStatus | null = null;
  /** What the socket has told last, and how often it has told anything. */
  let streamed: { readonly count: number; readonly status: PaymentStatus | null } = { count: 0, status: null };
  let countBeforeConfirm = 0;
  let eventsSinceConfirm: PaymentEvent[] = [];

  const noteStreamed = (status: PaymentStatus): void => {
    streamed = { count: streamed.count + 1, status };
  };

  const isOvertaken = ({ payment }: ApiResult, countBefore: number): boolean =>
    streamed.count !== countBefore && streamed.status !== payment?.status;

  const noteResponse = ({ payment }: ApiResult): void => {
    if (payment !== null && !hasEnded(latest.state.status)) latest.update(payment.status, payment.nextAction);
  };

  const onEvent = (event: PaymentEvent): void => {
    noteStreamed(event.status);
    eventsSinceConfirm.push(event);
    emitted = event.status;
    latest.update(event.status, event.nextAction);
    emit(event);
  };

  /** The payment, or null if the API does not return it; `overtaken` if the socket has told something meanwhile, which is newer. */
  const readUnlessOvertaken = async (): Promise<Payment | null | 'overtaken'> => {
    const countBefore = streamed.count;
    const { payment } = await api.read();
    return streamed.count === countBefore ? payment : 'overtaken';
  };

  const at = () => ({ paymentIntentId, createdAt: new Date(platform.nowMs()).toISOString() });

  /** The events that led here came before the page listened, or were purged: an event made of the state replaces them. */
  const catchUp = async (status: PaymentStatus): Promise<void> => {
    const payment = READ_IN_FULL.includes(status) ? await readUnlessOvertaken() : null;
    if (payment === 'overtaken') return;
    emitState(payment ?? { status, nextAction: null, lastError: null });
    if (status === 'processing') await catchUpOnAdvisory();
  };

  /** A response and the socket have told different states, and either may be the newer one. */
  const settleDifference = async (): Promise<void> => {
    const payment = await readUnlessOvertaken();
    if (payment === null || payment === 'overtaken' || payment.status === latest.state.status) return;
    emitState(payment);
  };

  const emitState = ({ status, nextAction, lastError }: Pick<Payment, 'status' | 'nextAction' | 'lastError'>): void =>
    onEvent(eventOfState({ status, nextAction, error: errorOf(status, lastError) }, at()));

  const catchUpOnAdvisory = async (): Promise<void> => {
    const payment = await readUnlessOvertaken();
    if (payment === null || payment === 'overtaken' || !payment.isStuck) return;
    onEvent(advisoryOfState(at()));
  };

  const check = async (): Promise<void> => {
    const { status } = latest.state;
    if (status === null || !AWAITING.includes(status)) return;
    const countBefore = streamed.count;
    const { payment } = await api.read();
    if (streamed.count !== countBefore) return;
    if (payment?.status !== status || payment.status !== (emitted ?? status)) options.restartStream();
  };

  return {
    get latest() {
      return latest.state;
    },
    get emitted() {
      return emitted;
    },
    onReady(status, isResumed) {
      noteStreamed(status);
      const { state } = latest;
      const isExpected = status === emitted || (emitted === null && status === 'requires_payment_method');
      if (isExpected && state.status !== null && state.status !== status) return void settleDifference();
      if (isExpected) emitted = status;
      if (isExpected || isResumed) latest.update(status, state.status === status ? state.nextAction : null);
      else void catchUp(status);
    },
    onEvent,
    async read() {
      for (let reads = 1; ; reads += 1) {
        const countBefore = streamed.count;
        const response = await api.read();
        const overtaken = isOvertaken(response, countBefore);
        if (!overtaken) noteResponse(response);
        if (!overtaken || reads === MAX_READS) return response;
      }
    },
    beginConfirm() {
      eventsSinceConfirm = [];
      countBeforeConfirm = streamed.count;
    },
    endConfirm(response) {
      noteResponse(response);
      const status = response.payment?.status;
      if (status !== undefined && AWAITING.includes(status) && isOvertaken(response, countBeforeConfirm))
        void settleDifference();
    },
    withLaterEvents: (response) => withLaterEvents(response, eventsSinceConfirm),
    stateWithin: latest.within,
    stopChecking: repeat(platform, CHECK_EVERY_MS, check),
  };
}

function errorOf(status: PaymentStatus, lastError: CheckoutError | null): CheckoutError | null {
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
