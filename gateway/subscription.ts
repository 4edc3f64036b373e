import type { EventRow } from './event-row.ts';

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

export interface Subscriber {
  deliver(event: EventRow): void;
}

/** Who watches what in this process: an intent, or all that a merchant account has. */
export interface FanOut {
  /** Subscribers of everything. */
  readonly size: number;
  /**
   * @param topic the id of an intent or of a merchant account
   * @returns false when the topic has `maximum` subscribers already
   */
  add(topic: string, subscriber: Subscriber, maximum: number): boolean;
  remove(topic: string, subscriber: Subscriber): void;
  publish(event: EventRow): void;
}

export function createFanOut(): FanOut {
  const subscribers = new Map<string, Set<Subscriber>>();
  let size = 0;
  const deliverTo = (topic: string, event: EventRow): void => {
    for (const subscriber of subscribers.get(topic) ?? []) subscriber.deliver(event);
  };
  return {
    get size() {
      return size;
    },
    add(topic, subscriber, maximum) {
      const subscribing = subscribers.get(topic) ?? new Set();
      if (subscribing.size >= maximum) return false;
      subscribers.set(topic, subscribing.add(subscriber));
      size += 1;
      return true;
    },
    remove(topic, subscriber) {
      const subscribing = subscribers.get(topic);
      if (subscribing?.delete(subscriber) !== true) return;
      size -= 1;
      if (subscribing.size === 0) subscribers.delete(topic);
    },
    publish(event) {
      if (event.paymentIntentId !== null) deliverTo(event.paymentIntentId, event);
      deliverTo(event.merchantAccountId, event);
    },
  };
}
