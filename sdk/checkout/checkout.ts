import { type ApiClient, type ApiResult, createApiClient } from './api-client.ts';
import type { ClientCredentials } from './client-secret.ts';
import { confirmResult } from './confirm-result.ts';
import { createEmitter } from './emitter.ts';
import { type Cursor, openEventStream } from './event-stream.ts';
import { eventOfFrame } from './payment-events.ts';
import { PaymentTracker } from './payment-tracker.ts';
import type { Platform } from './platform.ts';
import { createRedirects } from './redirects.ts';
import { forgetCheckout, storeCheckout } from './stored-checkout.ts';
import type { Checkout, CheckoutEvents, ConfirmOptions, ConfirmResult, PaymentEvent, StatusResult } from './types.ts';

export interface CheckoutInput {
  readonly clientSecret: string;
  readonly credentials: ClientCredentials;
  readonly baseUrl: string;
  /** Where another page has stopped listening; null starts from now. */
  readonly cursor: Cursor | null;
  /** Whether `resumeCheckout` is to find the payment in this tab after a redirect. */
  readonly storesSecret: boolean;
}

/** Refusals of a confirm that comes too late, because the payment is under way or has ended; also from another page. */
const TOO_LATE_CODES = ['STATE_CONFLICT', 'PAYMENT_EXPIRED', 'API_KEY_EXPIRED'];

/** How long `status` waits for the socket to report a state, once the API does not. */
const STATE_WITHIN_MS = 5_000;

/** One payment on one page, on any platform. */
export function openCheckout(platform: Platform, input: CheckoutInput): Checkout {
  const { clientSecret, credentials, baseUrl } = input;
  const { paymentIntentId } = credentials;
  const api = createApiClient(platform, credentials, baseUrl);
  const emitter = createEmitter<CheckoutEvents>((error) => platform.report(error));

  const emit = (event: PaymentEvent): void => {
    redirects.onEvent(event);
    emitter.emit(event);
    if (event.terminal) end();
  };
  const tracker = new PaymentTracker({
    platform,
    api,
    paymentIntentId,
    isReturn: input.cursor !== null,
    emit,
    restartStream: () => stream.restart(),
  });
  const stream = openEventStream({
    platform,
    baseUrl,
    clientSecret,
    cursor: input.cursor,
    onReady: (status, isResumed) => tracker.onReady(status, isResumed),
    onEvent: (frame) => {
      const event = eventOfFrame(frame, paymentIntentId);
      if (event !== null) tracker.onEvent(event);
    },
    onConnection: (event) => emitter.emit({ type: 'connection', ...event }),
    onFrame: (event) => emitter.emit({ type: 'frame', ...event }),
  });
  const redirects = createRedirects(platform, () => {
    if (input.storesSecret) storeCheckout(platform.storage, { clientSecret, baseUrl, cursor: stream.cursor });
  });

  const close = (): void => {
    tracker.stopChecking();
    stream.close();
  };
  const end = (): void => {
    forgetCheckout(platform.storage, clientSecret);
    close();
  };

  return {
    paymentIntentId,
    on: (name, listener) => emitter.on(name, listener),
    async confirm({ redirect = 'page', ...body }: ConfirmOptions = {}): Promise<ConfirmResult> {
      tracker.beginConfirm();
      const response = tracker.withLaterEvents(await confirmOrRead(api, body));
      tracker.endConfirm(response);
      const result = confirmResult(response, tracker.emitted);
      if (result.nextAction?.type !== 'redirect') return result;
      return { ...result, action: redirects.start(redirect, tracker.latest, tracker.emitted) };
    },
    async status(): Promise<StatusResult> {
      const response = await tracker.read();
      if (response.payment === null) await tracker.stateWithin(STATE_WITHIN_MS);
      const { latest } = tracker;
      return { ...latest, payment: response.payment, error: latest.status === null ? response.error : null };
    },
    savedCards: () => api.savedCards(),
    startAction: (mode = 'page') => redirects.start(mode, tracker.latest, tracker.emitted),
    close,
  };
}

/** The response to a confirm; if it came too late, with the payment as it is. */
async function confirmOrRead(api: ApiClient, body: Parameters<ApiClient['confirm']>[0]): Promise<ApiResult> {
  const response = await api.confirm(body);
  const { payment: confirmed, error } = response;
  if (confirmed !== null || error === null || !TOO_LATE_CODES.includes(error.code)) return response;
  const { payment } = await api.read();
  return payment === null || payment.status === 'requires_payment_method' ? response : { ...response, payment };
}
