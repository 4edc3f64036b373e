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
  /** Whether the customer comes back from their bank: then `requires_payment_method` means that the payment was declined there. */
  readonly isReturn: boolean;
  /** Gets each event once, in order. */
  readonly emit: (event: PaymentEvent) => void;
  readonly restartStream: () => void;
}

/** A socket can be dead without anybody noticing, or blocked by a proxy; while an outcome is awaited, the API is asked now and then. */
const CHECK_EVERY_MS = 25_000;
const MAX_READS = 3;
const AWAITING: readonly PaymentStatus[] = ['processing', 'requires_action'];
/** The states that the socket alone does not tell in full: the API knows what to do next, or why the payment failed. */
const READ_IN_FULL: readonly PaymentStatus[] = ['requires_payment_method', 'requires_action', 'failed', 'canceled'];

/** Knows the state of one payment from events and responses, and checks that the socket is alive. */
export class PaymentTracker {
  readonly stopChecking: () => void;
  readonly #options: PaymentTrackerOptions;
  readonly #latest: ReturnType<typeof createLatestState>;
  #emitted: PaymentStatus | null = null;
  /** What the socket has told last, and how often it has told anything. */
  #streamed: { readonly count: number; readonly status: PaymentStatus | null } = { count: 0, status: null };
  /** How many events, or changes of state, the socket has reported. */
  #changeCount = 0;
  /** Whether the stream was restarted because the API knew more, and has reported nothing since. */
  #isStreamSilent = false;
  #countBeforeConfirm = 0;
  #eventsSinceConfirm: PaymentEvent[] = [];

  constructor(options: PaymentTrackerOptions) {
    this.#options = options;
    this.#latest = createLatestState(options.platform);
    this.stopChecking = repeat(options.platform, CHECK_EVERY_MS, () => this.#check());
  }

  get latest(): LatestState {
    return this.#latest.state;
  }

  /** The status that the last emitted event led to. */
  get emitted(): PaymentStatus | null {
    return this.#emitted;
  }

  onReady(status: PaymentStatus, isResumed: boolean): void {
    this.#noteStreamed(status, status !== this.#streamed.status);
    const { state } = this.#latest;
    const isExpected = status === this.#emitted || (this.#emitted === null && this.#isUnconfirmed(status));
    if (isExpected && state.status !== null && state.status !== status) return void this.#settleDifference();
    if (isExpected) this.#emitted = status;
    if (isExpected || isResumed) this.#latest.update(status, state.status === status ? state.nextAction : null);
    else void this.#catchUp(status);
  }

  onEvent(event: PaymentEvent): void {
    this.#noteStreamed(event.status, true);
    this.#eventsSinceConfirm.push(event);
    this.#emitted = event.status;
    this.#latest.update(event.status, event.nextAction);
    this.#options.emit(event);
  }

  /** Reads the payment; once more, if meanwhile the socket has told another state, which is newer. */
  async read(): Promise<ApiResult> {
    for (let reads = 1; ; reads += 1) {
      const countBefore = this.#streamed.count;
      const response = await this.#options.api.read();
      const overtaken = this.#isOvertaken(response, countBefore);
      if (!overtaken) this.#noteResponse(response);
      if (!overtaken || reads === MAX_READS) return response;
    }
  }

  beginConfirm(): void {
    this.#eventsSinceConfirm = [];
    this.#countBeforeConfirm = this.#streamed.count;
  }

  /** Notes the response to a confirm. Where the socket has told another state meanwhile, an event follows with what holds now. */
  endConfirm(response: ApiResult): void {
    this.#noteResponse(response);
    const status = response.payment?.status;
    if (status !== undefined && AWAITING.includes(status) && this.#isOvertaken(response, this.#countBeforeConfirm))
      void this.#settleDifference();
  }

  /** Events may overtake the response to a confirm; the page gets the state that the later ones led to. */
  withLaterEvents(response: ApiResult): ApiResult {
    return withLaterEvents(response, this.#eventsSinceConfirm);
  }

  /** Settles once a state is known, at the latest after that time. */
  stateWithin(milliseconds: number): Promise<void> {
    return this.#latest.within(milliseconds);
  }

  #noteStreamed(status: PaymentStatus, isChange: boolean): void {
    this.#streamed = { count: this.#streamed.count + 1, status };
    if (isChange) this.#changeCount += 1;
    this.#isStreamSilent = false;
  }

  #noteResponse({ payment }: ApiResult): void {
    if (payment !== null && !hasEnded(this.latest.status)) this.#latest.update(payment.status, payment.nextAction);
  }

  #isOvertaken({ payment }: ApiResult, countBefore: number): boolean {
    return this.#streamed.count !== countBefore && this.#streamed.status !== payment?.status;
  }

  /**
   * The payment, or null if the API does not return it; `overtaken` if the socket has reported a change meanwhile, which is
   * newer. A new connection that repeats the same state is no change: no event would follow it.
   */
  async #readUnlessOvertaken(): Promise<Payment | null | 'overtaken'> {
    const countBefore = this.#changeCount;
    const { payment } = await this.#options.api.read();
    return this.#changeCount === countBefore ? payment : 'overtaken';
  }

  /** The events that led here came before the page listened, or were purged: an event made of the state replaces them. */
  async #catchUp(status: PaymentStatus): Promise<void> {
    const payment = READ_IN_FULL.includes(status) ? await this.#readUnlessOvertaken() : null;
    if (payment === 'overtaken') return;
    this.#emitState(payment ?? { status, nextAction: null, lastError: null });
    if (status === 'processing') await this.#catchUpOnAdvisory();
  }

  async #catchUpOnAdvisory(): Promise<void> {
    const payment = await this.#readUnlessOvertaken();
    if (payment === null || payment === 'overtaken' || !payment.isStuck) return;
    this.onEvent(advisoryOfState(this.#here()));
  }

  /** A response and the socket have told different states, and either may be the newer one. */
  async #settleDifference(): Promise<void> {
    const payment = await this.#readUnlessOvertaken();
    if (payment === null || payment === 'overtaken' || payment.status === this.latest.status) return;
    this.#emitState(payment);
  }

  #emitState({ status, nextAction, lastError }: Pick<Payment, 'status' | 'nextAction' | 'lastError'>): void {
    this.onEvent(eventOfState({ status, nextAction, error: errorOf(status, lastError) }, this.#here()));
  }

  /** The payment and the time of an event that is made here. */
  #here() {
    const { paymentIntentId, platform } = this.#options;
    return { paymentIntentId, createdAt: new Date(platform.nowMs()).toISOString() };
  }

  /**
   * Restarts the stream if the API knows more than the socket has reported. If the new connection reports nothing either, reports the
   * API's state itself.
   */
  async #check(): Promise<void> {
    const { status } = this.latest;
    if (status !== null && !AWAITING.includes(status)) return;
    const countBefore = this.#streamed.count;
    const { payment } = await this.#options.api.read();
    if (this.#streamed.count !== countBefore || this.latest.status !== status) return;
    if (payment?.status === status && status === (this.#emitted ?? status)) return;
    if (this.#isStreamSilent && payment !== null) return this.#reportFromApi(payment);
    this.#isStreamSilent = payment !== null;
    this.#options.restartStream();
  }

  /**
   * Reports the state that the API returned, in place of the socket. Like the socket, it emits no event when a payment becomes ready
   * to confirm.
   */
  #reportFromApi(payment: Payment): void {
    if (this.latest.status !== null || !this.#isUnconfirmed(payment.status)) return this.#emitState(payment);
    this.#latest.update(payment.status, null);
  }

  /** Whether this status, if it is the first that is known, means that nothing was tried yet. */
  #isUnconfirmed(status: PaymentStatus): boolean {
    return status === 'requires_payment_method' && !this.#options.isReturn;
  }
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
