import type { EventRow } from './event-row.ts';
import type { Subscriber } from './fan-out.ts';

export interface SubscriptionOptions {
  /** Passes an event on to the client. */
  readonly send: (event: EventRow) => void;
  /** Called once when more live events wait than may. */
  readonly overflow: () => void;
  readonly maximumWaitingEvents: number;
}

/**
 * One client's view of its events: each once, in order. Live events wait from the first moment until what the client
 * missed has been replayed; whatever the replay covered is then left out.
 */
export interface Subscription extends Subscriber {
  /** Leaves out what the client has, numbered or not. */
  skip(isKnown: (event: EventRow) => boolean): void;
  /** Sends an event read from the database. */
  replay(event: EventRow): void;
  /** Sends what waits; from now on events pass at once. */
  goLive(): void;
}

export function createSubscription({ send, overflow, maximumWaitingEvents }: SubscriptionOptions): Subscription {
  let waiting: EventRow[] | null = [];
  let lastPosition = 0;
  let isKnown = (_event: EventRow): boolean => false;

  const pass = (event: EventRow): void => {
    if (event.position <= lastPosition || isKnown(event)) return;
    lastPosition = event.position;
    send(event);
  };

  return {
    skip(known) {
      isKnown = known;
    },
    replay: pass,
    goLive() {
      const events = waiting ?? [];
      waiting = null;
      events.forEach(pass);
    },
    deliver(event) {
      if (waiting === null) return pass(event);
      if (waiting.length < maximumWaitingEvents) waiting.push(event);
      else if (waiting.length === maximumWaitingEvents) {
        waiting.push(event);
        overflow();
      }
    },
  };
}
