import { createEmitter } from './emitter.ts';
import { asFrameMessage, type ColorScheme, CONNECT, type FrameMessage, type PageMessage } from './frame-messages.ts';
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
  /** Stores the card for the payment of that client secret, to be confirmed with `paymentMethodId`. */
  createPaymentMethod(clientSecret: string): Promise<StoredCard>;
  on<Name extends keyof CardFieldsEvents>(name: Name, listener: (event: CardFieldsEvents[Name]) => void): Unsubscribe;
}

type Answer = Extract<FrameMessage, { readonly requestId: number }>;

interface Mounted {
  readonly frame: HTMLIFrameElement;
  readonly colorScheme: ColorScheme;
  /** What is sent before the frame has loaded waits in it. */
  port: MessagePort;
  /** The other end, until the frame has it. */
  framePort: MessagePort | null;
  readonly loadTimer: number;
}

const UNAVAILABLE = 'CARD_FIELDS_UNAVAILABLE';

/** Card fields in a frame of the API's own origin, which the page can neither read nor write. */
export function openCardFields({
  baseUrl,
  language,
  theme = {},
}: CardFieldsOptions & { readonly baseUrl: string }): CardFields {
  const address = `${baseUrl.replace(/\/+$/, '')}${FRAME_PATH}`;
  const tag = languageOf(language ?? (document.documentElement.lang || navigator.language));
  const messages = messagesOf(tag);
  const emitter = createEmitter<CardFieldsEvents>((error) => console.error(error));
  const waiting = new Map<number, (answer: Answer | null) => void>();
  let mounted: Mounted | null = null;
  let lastRequestId = 0;

  const errorOf = (code: 'CARD_FIELDS_UNAVAILABLE' | 'CARD_FIELDS_INVALID'): CheckoutError => ({
    code,
    message: messages.failures[code],
    details: null,
  });

  const abandonRequests = (): void => {
    for (const answer of [...waiting.values()]) answer(null);
  };
  const request = (message: (requestId: number) => PageMessage, withinMs: number): Promise<Answer | null> => {
    const port = mounted?.port;
    if (port === undefined) return Promise.resolve(null);
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
      port.postMessage(message(requestId));
    });
  };

  const onMessage = (frame: HTMLIFrameElement, message: FrameMessage): void => {
    switch (message.type) {
      case 'ready':
        clearTimeout(mounted?.loadTimer);
        if (message.refusedVariables.length > 0) {
          console.warn(
            `Card fields: these theme variables are not known or not valid: ${message.refusedVariables.join(', ')}`,
          );
        }
        return emitter.emit({ type: 'ready' });
      case 'resized':
        frame.style.height = `${message.heightPx}px`;
        return;
      case 'changed':
        return emitter.emit({ type: 'change', complete: message.complete, brand: message.brand });
      case 'submitted':
        return emitter.emit({ type: 'submit' });
      case 'validated':
      case 'stored':
        return waiting.get(message.requestId)?.(message);
    }
  };

  const openChannel = (frame: HTMLIFrameElement, colorScheme: ColorScheme): Pick<Mounted, 'port' | 'framePort'> => {
    const { port1: port, port2: framePort } = new MessageChannel();
    port.onmessage = ({ data }: MessageEvent<unknown>) => {
      const message = asFrameMessage(data);
      if (message !== null && mounted?.port === port) onMessage(frame, message);
    };
    port.postMessage({ type: 'configure', language: tag, theme, colorScheme } satisfies PageMessage);
    return { port, framePort };
  };

  /** Gives the port to the API's origin only. A frame that was loaded again knows nothing any more, and gets another one. */
  const connect = (frame: HTMLIFrameElement): void => {
    if (mounted?.frame !== frame) return;
    if (mounted.framePort === null) {
      mounted.port.close();
      abandonRequests();
      Object.assign(mounted, openChannel(frame, mounted.colorScheme));
    }
    const { framePort } = mounted;
    mounted.framePort = null;
    if (framePort !== null) frame.contentWindow?.postMessage(CONNECT, new URL(address).origin, [framePort]);
  };

  const unmount = (): void => {
    clearTimeout(mounted?.loadTimer);
    mounted?.port.close();
    mounted?.frame.remove();
    mounted = null;
    abandonRequests();
  };

  return {
    mount(element) {
      unmount();
      const colorScheme = colorSchemeOf(element);
      const frame = document.createElement('iframe');
      frame.title = messages.cardDetails;
      frame.setAttribute('sandbox', 'allow-scripts allow-same-origin');
      frame.referrerPolicy = 'no-referrer';
      Object.assign(frame.style, {
        width: '100%',
        border: '0',
        display: 'block',
        colorScheme: schemeOfFrame(colorScheme),
      });
      const loadTimer = window.setTimeout(() => {
        abandonRequests();
        emitter.emit({ type: 'error', error: errorOf(UNAVAILABLE) });
      }, LOAD_WITHIN_MS);
      mounted = { frame, colorScheme, ...openChannel(frame, colorScheme), loadTimer };
      frame.addEventListener('load', () => connect(frame));
      frame.src = address;
      element.append(frame);
    },
    unmount,
    focus: () => mounted?.port.postMessage({ type: 'focus' } satisfies PageMessage),
    async validate() {
      const answer = await request((requestId) => ({ type: 'validate', requestId }), VALIDATE_WITHIN_MS);
      return answer?.type === 'validated' && answer.valid;
    },
    async createPaymentMethod(clientSecret): Promise<StoredCard> {
      const answer = await request((requestId) => ({ type: 'store', requestId, clientSecret }), STORE_WITHIN_MS);
      if (answer?.type !== 'stored') return { paymentMethodId: null, error: errorOf(UNAVAILABLE) };
      const { paymentMethodId, error } = answer;
      if (paymentMethodId !== null) return { paymentMethodId, error: null };
      return { paymentMethodId, error: error ?? errorOf('CARD_FIELDS_INVALID') };
    },
    on: (name, listener) => emitter.on(name, listener),
  };
}

/** Light unless the page says otherwise, as browsers have it. */
function colorSchemeOf(element: HTMLElement): ColorScheme {
  const schemes = getComputedStyle(element).colorScheme.split(/\s+/);
  if (!schemes.includes('dark')) return 'light';
  return schemes.includes('light') ? 'auto' : 'dark';
}

/** The frame is transparent only where its color scheme is that of the document in it. */
function schemeOfFrame(colorScheme: ColorScheme): string {
  return colorScheme === 'auto' ? 'light dark' : colorScheme;
}
