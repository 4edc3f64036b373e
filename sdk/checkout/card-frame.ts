import {
  asFrameMessage,
  type ColorScheme,
  CONNECT,
  type FramedCard,
  type FrameMessage,
  type PageMessage,
} from './frame-messages.ts';
import type { CardFieldsTheme } from './types.ts';

/** The frame in the page, and the channel to the document in it. */
export interface CardFrame {
  /** What is sent before the document has loaded waits in the channel. */
  send(message: PageMessage): void;
  setHeight(heightPx: number): void;
  /** Takes the frame out of the page. No message comes from it any more. */
  remove(): void;
}

export interface CardFrameOptions {
  /** The document to load. */
  readonly address: string;
  /** For screen readers. */
  readonly title: string;
  readonly language: string;
  readonly theme: CardFieldsTheme;
  /** Null for the fields of a new card. */
  readonly savedCard: FramedCard | null;
  readonly onMessage: (message: FrameMessage) => void;
  /** The document was loaded again, and answers nothing that was sent to it before. */
  readonly onReload: () => void;
}

interface Channel {
  readonly port: MessagePort;
  /** The other end, until the document has it. */
  framePort: MessagePort | null;
}

/** Adds a frame to an element of the page. Only a document of the address's origin gets the messages. */
export function openCardFrame(
  parent: HTMLElement,
  { address, title, language, theme, savedCard, onMessage, onReload }: CardFrameOptions,
): CardFrame {
  const colorScheme = colorSchemeOf(parent);
  const frame = createFrame(title, colorScheme);
  let channel: Channel | null = openChannel();

  function openChannel(): Channel {
    const { port1: port, port2: framePort } = new MessageChannel();
    port.onmessage = ({ data }: MessageEvent<unknown>) => {
      const message = asFrameMessage(data);
      if (message !== null && channel?.port === port) onMessage(message);
    };
    port.postMessage({ type: 'configure', language, theme, colorScheme, savedCard } satisfies PageMessage);
    return { port, framePort };
  }

  /** Gives the port to the API's origin only. A frame that was loaded again knows nothing any more, and gets another one. */
  const connect = (): void => {
    if (channel === null) return;
    if (channel.framePort === null) {
      channel.port.close();
      onReload();
      channel = openChannel();
    }
    const { framePort } = channel;
    channel.framePort = null;
    if (framePort !== null) frame.contentWindow?.postMessage(CONNECT, new URL(address).origin, [framePort]);
  };

  frame.addEventListener('load', connect);
  frame.src = address;
  parent.append(frame);
  return {
    send: (message) => channel?.port.postMessage(message),
    setHeight(heightPx) {
      frame.style.height = `${heightPx}px`;
    },
    remove() {
      channel?.port.close();
      channel = null;
      frame.remove();
    },
  };
}

function createFrame(title: string, colorScheme: ColorScheme): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.title = title;
  frame.setAttribute('sandbox', 'allow-scripts allow-same-origin');
  frame.referrerPolicy = 'no-referrer';
  Object.assign(frame.style, {
    width: '100%',
    border: '0',
    display: 'block',
    colorScheme: schemeOfFrame(colorScheme),
  });
  return frame;
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
