import { type CardFrame, openCardFrame } from './card-frame.ts';
import { createEmitter } from './emitter.ts';
import type { FrameMessage, PageMessage } from './frame-messages.ts';
import { languageOf, messagesOf } from './languages/index.ts';
import type { CardFieldsEvents, CardFieldsOptions, CheckoutError, StoredCard, Unsubscribe } from './types.ts';

const FRAME_PATH = '/sdk/checkout/v1/card-fields';
/** How long a page on a slow line may take to load the frame. */
const LOAD_WITHIN_MS = 30_000;
/** A frame that is still loading answers as soon as it has loaded. */
const VALIDATE_WITHIN_MS = LOAD_WITHIN_MS + 10_000;
/** Longer than all tries of the frame's request. */
const STORE_WITHIN_MS = 150_000;

/** Fields for a card, in a frame of the API's origin: the page never has the card's number. No promise rejects. */
export interface CardFields {
  /** Shows the fields in an element of the page. */
  mount(element: HTMLElement): void;
  /** Removes them. */
  unmount(): void;
  focus(): void;
  /** Whether the card can be sent; if not, says at each field why, and focuses the first one. */
  validate(): Promise<boolean>;
  /** Stores the card, or the saved one with its security code, for the payment of that client secret, to be confirmed with `paymentMethodId`. */
  createPaymentMethod(clientSecret: string): Promise<StoredCard>;
  on<Name extends keyof CardFieldsEvents>(name: Name, listener: (event: CardFieldsEvents[Name]) => void): Unsubscribe;
}

const UNAVAILABLE = 'CARD_FIELDS_UNAVAILABLE';

/** Card fields in a frame of the API's own origin, which the page can neither read nor write. */
export function openCardFields({
  baseUrl,
  language,
  theme = {},
  savedCard,
}: CardFieldsOptions & { readonly baseUrl: string }): CardFields {
  const address = `${baseUrl.replace(/\/+$/, '')}${FRAME_PATH}`;
  const tag = languageOf(language ?? (document.documentElement.lang || navigator.language));
  const messages = messagesOf(tag);
  const emitter = createEmitter<CardFieldsEvents>((error) => console.error(error));
  const requests = createFrameRequests();
  let frame: CardFrame | null = null;
  let loadTimer: number | undefined;

  const errorOf = (code: 'CARD_FIELDS_UNAVAILABLE' | 'CARD_FIELDS_INVALID'): CheckoutError => ({
    code,
    message: messages.failures[code],
    details: null,
  });

  const onMessage = (message: FrameMessage): void => {
    switch (message.type) {
      case 'ready':
        clearTimeout(loadTimer);
        warnOfVariables(message.refusedVariables);
        return emitter.emit({ type: 'ready' });
      case 'resized':
        return frame?.setHeight(message.heightPx);
      case 'changed':
        return emitter.emit({ type: 'change', complete: message.complete, brand: message.brand });
      case 'submitted':
        return emitter.emit({ type: 'submit' });
      case 'validated':
      case 'stored':
        return requests.settle(message);
    }
  };

  const unmount = (): void => {
    clearTimeout(loadTimer);
    frame?.remove();
    frame = null;
    requests.abandon();
  };

  return {
    mount(element) {
      unmount();
      frame = openCardFrame(element, {
        address,
        title: savedCard === undefined ? messages.cardDetails : messages.code,
        language: tag,
        theme,
        // Only what the frame needs: the page may have put more into the object.
        savedCard: savedCard === undefined ? null : { id: savedCard.id, brand: savedCard.brand },
        onMessage,
        onReload: requests.abandon,
      });
      loadTimer = window.setTimeout(() => {
        requests.abandon();
        emitter.emit({ type: 'error', error: errorOf(UNAVAILABLE) });
      }, LOAD_WITHIN_MS);
    },
    unmount,
    focus: () => frame?.send({ type: 'focus' }),
    async validate() {
      const answer = await requests.send(frame, { type: 'validate' }, VALIDATE_WITHIN_MS);
      return answer?.type === 'validated' && answer.valid;
    },
    async createPaymentMethod(clientSecret): Promise<StoredCard> {
      const answer = await requests.send(frame, { type: 'store', clientSecret }, STORE_WITHIN_MS);
      if (answer?.type !== 'stored') return { paymentMethodId: null, error: errorOf(UNAVAILABLE) };
      const { paymentMethodId, error } = answer;
      if (paymentMethodId !== null) return { paymentMethodId, error: null };
      return { paymentMethodId, error: error ?? errorOf('CARD_FIELDS_INVALID') };
    },
    on: (name, listener) => emitter.on(name, listener),
  };
}

function warnOfVariables(refused: readonly string[]): void {
  if (refused.length === 0) return;
  console.warn(`Card fields: these theme variables are not known or not valid: ${refused.join(', ')}`);
}

type Answer = Extract<FrameMessage, { readonly requestId: number }>;
type FrameRequest =
  | Omit<Extract<PageMessage, { readonly type: 'validate' }>, 'requestId'>
  | Omit<Extract<PageMessage, { readonly type: 'store' }>, 'requestId'>;

/** The requests that wait for an answer of the frame. */
interface FrameRequests {
  /** Null without a frame, if no answer comes within that time, and if the requests are abandoned. */
  send(frame: CardFrame | null, request: FrameRequest, withinMs: number): Promise<Answer | null>;
  settle(answer: Answer): void;
  /** Gives all of them up. */
  abandon(): void;
}

function createFrameRequests(): FrameRequests {
  const waiting = new Map<number, (answer: Answer | null) => void>();
  let lastRequestId = 0;
  return {
    send(frame, request, withinMs) {
      if (frame === null) return Promise.resolve(null);
      lastRequestId += 1;
      const requestId = lastRequestId;
      return new Promise((resolve) => {
        const timer = setTimeout(() => settle(null), withinMs);
        const settle = (answer: Answer | null): void => {
          clearTimeout(timer);
          waiting.delete(requestId);
          resolve(answer);
        };
        waiting.set(requestId, settle);
        frame.send({ ...request, requestId });
      });
    },
    settle: (answer) => waiting.get(answer.requestId)?.(answer),
    abandon() {
      for (const settle of [...waiting.values()]) settle(null);
    },
  };
}
