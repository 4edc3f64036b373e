import type { Checkout } from '@payment-engine/checkout';
import { element, make } from '../../../sdk/payment-page/elements.ts';
import { readTimeline } from './shop-api.ts';

const MAXIMUM_FRAMES = 100;
/** Lines of the timeline that only name an event; the socket's frames tell of those. */
const EVENT_NAME = /^[a-z_]+\.[a-z_]+$/;
const SYMBOLS = { sent: '↑', received: '↓' } as const;

const frames = element('frames', HTMLOListElement);
const connection = element('connection', HTMLParagraphElement);
const timeline = element('timeline', HTMLOListElement);

/** Shows every frame of the checkout's socket, and whether it is connected. */
export function showLive(checkout: Checkout): void {
  checkout.on('frame', ({ direction, frame }) => {
    element('no-frames', HTMLParagraphElement).hidden = true;
    const name = String(frame.event ?? frame.type);
    const code = typeof frame.code === 'string' ? ` ${frame.code}` : '';
    const now = new Date();
    frames.prepend(
      make(
        'li',
        {},
        make(
          'details',
          {},
          make(
            'summary',
            {},
            make('span', { 'aria-label': direction, role: 'img' }, SYMBOLS[direction]),
            make('code', {}, `${name}${code}`),
            make('time', { datetime: now.toISOString() }, now.toLocaleTimeString()),
          ),
          make('pre', {}, JSON.stringify(frame, null, 2)),
        ),
      ),
    );
    while (frames.children.length > MAXIMUM_FRAMES) frames.lastElementChild?.remove();
  });
  checkout.on('connection', ({ state, error }) => {
    connection.dataset.state = state;
    connection.textContent = error === null ? state : `${state}: ${error.code}`;
    element('lost', HTMLParagraphElement).hidden = state !== 'reconnecting';
  });
}

/** Shows what the engine did for the order's payment, as its merchant can read it. */
export async function showTimeline(orderNumber: string): Promise<void> {
  try {
    const lines = await readTimeline(orderNumber);
    timeline.replaceChildren(...lines.map(({ summary }) => lineOf(summary)));
    element('timeline-part', HTMLDivElement).hidden = lines.length === 0;
  } catch (error) {
    console.warn(error);
  }
}

function lineOf(summary: string): HTMLLIElement {
  return EVENT_NAME.test(summary) ? make('li', { class: 'event' }, make('code', {}, summary)) : make('li', {}, summary);
}
