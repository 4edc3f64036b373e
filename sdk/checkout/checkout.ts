import { type ApiResult, createApiClient } from './api-client.ts';
import type { ClientCredentials } from './client-secret.ts';
import { confirmResult } from './confirm-result.ts';
import { createEmitter } from './emitter.ts';
import type { Cancel, Platform, Popup } from './platform.ts';
import { type Cursor, openEventStream } from './event-stream.ts';
import { forgetCheckout, storeCheckout } from './stored-checkout.ts';
import { eventOfFrame, eventOfState, hasEnded, type PaymentState } from './payment-events.ts';
import type {
  ActionStart,
  Checkout,
  CheckoutError,
  ConfirmOptions,
  ConfirmResult,
  NextAction,
  PaymentEvent,
  PaymentStatus,
  RedirectMode,
  StatusResult,
} from './types.ts';

export interface CheckoutInput {
  readonly clientSecret: string;
  readonly credentials: ClientCredentials;
  readonly baseUrl: string;
  /** Where another page has stopped listening; null begins anew. */
  readonly cursor: Cursor | null;
}

/** A socket can be dead without anybody having noticed; while something is awaited, the API is asked now and then. */
const CHECK_EVERY_MS = 25_000;
/** How long a question for the state waits for the socket to tell it, once the API does not. */
const HEAR_WITHIN_MS = 5_000;
const AWAITING: readonly PaymentStatus[] = ['processing', 'requires_action'];

/** One payment on one page, in whatever world. */
export function openCheckout(platform: Platform, input: CheckoutInput): Checkout {
  const { clientSecret, credentials, baseUrl } = input;
  const { paymentIntentId } = credentials;
  const api = createApiClient(platform, credentials, baseUrl);
  const emitter = createEmitter((error) => platform.report(error));
  /** The state that the page was told last, by an event. */
  let told: PaymentStatus | null = null;
  /** The state and action heard of last, from wherever. */
  let latest: { readonly status: PaymentStatus | null; readonly nextAction: NextAction | null } = {
    status: null,
    nextAction: null,
  };
  let popup: Popup | null = null;
  /** Whether the event was told that asked for what the customer does in the window; those before it may come late. */
  let popupAskedFor = false;
  let eventsHeard = 0;
  /** The events told since the last confirm began. */
  let toldSinceConfirm: PaymentEvent[] = [];
  let cancelCheck: Cancel = () => undefined;
  const waitingToHear = new Set<() => void>();

  const hear = (status: PaymentStatus, nextAction: NextAction | null): void => {
    latest = { status, nextAction };
    for (const resolve of waitingToHear) resolve();
  };

  const closePopup = (): void => {
    popup?.close();
    popup = null;
  };

  const tell = (event: PaymentEvent): void => {
    eventsHeard += 1;
    toldSinceConfirm.push(event);
    told = event.status;
    hear(event.status, event.nextAction);
    if (event.type === 'payment-requires-action') popupAskedFor = true;
    else if (popupAskedFor || event.terminal) closePopup();
    emitter.emit(event);
    if (event.terminal) end();
  };

  /** The events that led here came before anybody listened, or are kept no longer: the state stands for them. */
  const catchUp = async (status: PaymentStatus): Promise<void> => {
    const heardBefore = eventsHeard;
    const { payment } = hasEnded(status) || status === 'processing' ? { payment: null } : await api.read();
    if (eventsHeard !== heardBefore) return;
    const standing: PaymentState = {
      status,
      nextAction: payment?.nextAction ?? null,
      error: status === 'failed' || status === 'requires_payment_method' ? (payment?.lastError ?? UNTOLD) : null,
    };
    tell(eventOfState(standing, { paymentIntentId, createdAt: new Date(platform.nowMs()).toISOString() }));
  };

  const stream = openEventStream({
    platform: platform,
    baseUrl,
    clientSecret,
    cursor: input.cursor,
    onReady: (status, isResumed) => {
      const isNew = told === null && status === 'requires_payment_method';
      if (isNew) told = status;
      if (isResumed || status === told) hear(status, latest.status === status ? latest.nextAction : null);
      else void catchUp(status);
    },
    onEvent: (frame) => {
      const event = eventOfFrame(frame, paymentIntentId);
      if (event !== null) tell(event);
    },
    onConnection: (event) => emitter.emit({ type: 'connection', ...event }),
    onFrame: (event) => emitter.emit({ type: 'frame', ...event }),
  });

  const end = (): void => {
    cancelCheck();
    forgetCheckout(platform.storage, clientSecret);
    stream.close();
  };

  const check = async (): Promise<void> => {
    scheduleCheck();
    if (latest.status === null || !AWAITING.includes(latest.status)) return;
    const heardBefore = eventsHeard;
    const { payment } = await api.read();
    if (payment?.status !== (told ?? latest.status) && eventsHeard === heardBefore) stream.restart();
  };
  const scheduleCheck = (): void => {
    cancelCheck = platform.schedule(CHECK_EVERY_MS, () => void check());
  };
  scheduleCheck();

  const heardWithin = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      if (latest.status !== null) return resolve();
      const done = (): void => {
        waitingToHear.delete(done);
        cancel();
        resolve();
      };
      const cancel = platform.schedule(milliseconds, done);
      waitingToHear.add(done);
    });

  const startAction = (mode: RedirectMode): ActionStart => {
    const { nextAction } = latest;
    if (mode === 'manual' || nextAction?.type !== 'redirect') return 'nothing_to_do';
    storeCheckout(platform.storage, { clientSecret, baseUrl, cursor: stream.cursor });
    if (mode === 'page') {
      platform.navigate(nextAction.url);
      return 'started';
    }
    closePopup();
    popupAskedFor = told === 'requires_action';
    popup = platform.openPopup(nextAction.url);
    return popup === null ? 'popup_blocked' : 'started';
  };

  /** Events may overtake the answer that they follow; the page is told where the payment stands by now. */
  const broughtUpToDate = (answer: ApiResult): ApiResult => {
    const { payment } = answer;
    const last = toldSinceConfirm.at(-1);
    if (payment === null || last === undefined || last.status === payment.status) return answer;
    if (!toldSinceConfirm.some(({ status }) => status === payment.status)) return answer;
    const { status, nextAction, error } = last;
    return { ...answer, payment: { ...payment, status, nextAction }, error };
  };

  const noteAnswer = ({ payment }: ApiResult): void => {
    if (payment !== null && !hasEnded(latest.status)) hear(payment.status, payment.nextAction);
  };

  return {
    paymentIntentId,
    on: (name, listener) => emitter.on(name, listener),
    async confirm({ redirect = 'page', ...body }: ConfirmOptions = {}): Promise<ConfirmResult> {
      toldSinceConfirm = [];
      const answer = broughtUpToDate(await api.confirm(body));
      noteAnswer(answer);
      const result = confirmResult(answer, told);
      return result.nextAction?.type === 'redirect' ? { ...result, action: startAction(redirect) } : result;
    },
    async status(): Promise<StatusResult> {
      const answer = await api.read();
      noteAnswer(answer);
      if (answer.payment === null) await heardWithin(HEAR_WITHIN_MS);
      return { ...latest, payment: answer.payment, error: latest.status === null ? answer.error : null };
    },
    startAction: (mode = 'page') => startAction(mode),
    close: () => {
      cancelCheck();
      stream.close();
    },
  };
}

/** Why a payment failed can be asked only until it has ended. */
const UNTOLD: CheckoutError = { code: 'PAYMENT_FAILED', message: 'The payment could not be processed.', details: null };
