import assert from 'node:assert/strict';
import { SECOND_MS } from '../../../domain/time.ts';
import { type EventFrame, openEventStream } from '../../../sdk/checkout/event-stream.ts';
import { createTestPage } from '../checkout-page.ts';
import { inTime } from '../eventually.ts';

/** A checkout page that follows one payment by the SDK's own event stream. */
export interface ObservingPage {
  /** Every event that the page received, in order. */
  readonly events: readonly EventFrame[];
  /** The ids of the events that the gateway has sent, repeats included. */
  readonly sent: readonly string[];
  /** Times that the connection was lost. */
  readonly losses: number;
  /** Waits for a matching event; one that has already arrived counts. */
  until(what: string, fits: (event: EventFrame) => boolean): Promise<void>;
  /** Loses its connection. */
  cut(): void;
  close(): void;
}

const WITHIN_MS = 150 * SECOND_MS;

/** Opens a page; resolves when the gateway has sent the status of its payment. */
export async function openPage(baseUrl: string, clientSecret: string): Promise<ObservingPage> {
  const events: EventFrame[] = [];
  const sent: string[] = [];
  const waiting = new Set<() => void>();
  let losses = 0;
  let isReady: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => (isReady = resolve));
  const { platform } = createTestPage({ schedule: scheduleInRealTime, random: Math.random });
  const stream = openEventStream({
    platform,
    baseUrl,
    clientSecret,
    cursor: null,
    onReady: () => isReady(),
    onEvent: (event) => {
      events.push(event);
      for (const look of waiting) look();
    },
    onConnection: ({ state }) => {
      if (state === 'reconnecting') losses += 1;
    },
    onFrame: ({ direction, frame }) => {
      assert.notEqual(frame.type, 'error', JSON.stringify(frame));
      if (direction === 'received' && typeof frame.id === 'string') sent.push(frame.id);
    },
  });
  const page: ObservingPage = {
    events,
    sent,
    get losses() {
      return losses;
    },
    async until(what, fits) {
      let look: () => void = () => undefined;
      const come = new Promise<void>((resolve) => {
        look = () => events.some(fits) && resolve();
        look();
      });
      waiting.add(look);
      await inTime(come, `${what}, on a page that had ${events.map(({ event }) => event).join()}`, WITHIN_MS).finally(
        () => waiting.delete(look),
      );
    },
    cut: () => stream.restart(),
    close: () => stream.close(),
  };
  await inTime(ready, 'ready', WITHIN_MS);
  return page;
}

function scheduleInRealTime(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
}
