import type { SocketEvent } from '../prisma/queries/event.ts';

export interface SubscriptionOptions {
  /** Sends an event to the client. */
  readonly send: (event: SocketEvent) => void;
  /** Called once when too many live events wait. */
  readonly overflow: () => void;
  readonly maximumWaitingEvents: number;
}

/**
 * The events of one client: each once, in order. Live events are buffered from the start until the events that the client
 * missed have been replayed (resume); live events that the replay covered are then dropped.
 */
export interface Subscription extends Subscriber {
  /** Skips events that the client has, numbered or not. */
  skip(isKnown: (event: SocketEvent) => boolean): void;
  /** Sends an event read from the database. */
  replay(event: SocketEvent): void;
  /** Sends the events that wait; later ones are sent at once. */
  goLive(): void;
}

export function createSubscription({ send, overflow, maximumWaitingEvents }: SubscriptionOptions): Subscription {
  let waiting: SocketEvent[] | null = [];
  let lastPosition = 0;
  let isKnown = (_event: SocketEvent): boolean => false;

  const pass = (event: SocketEvent): void => {
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
  deliver(event: SocketEvent): void;
}

/** The subscribers in this process by topic: an intent, or a merchant account. */
export interface FanOut {
  /** The number of subscribers of all topics. */
  readonly size: number;
  /**
   * @param topic the id of an intent or of a merchant account
   * @returns false when the topic has `maximum` subscribers already
   */
  add(topic: string, subscriber: Subscriber, maximum: number): boolean;
  remove(topic: string, subscriber: Subscriber): void;
  publish(event: SocketEvent): void;
}

export function createFanOut(): FanOut {
  const subscribers = new Map<string, Set<Subscriber>>();
  let size = 0;
  const deliverTo = (topic: string, event: SocketEvent): void => {
    for (const subscriber of subscribers.get(topic) ?? []) subscriber.deliver(event);
  };
  return {
    get size() {
      return size;
    },
    add(topic, subscriber, maximum) {
      const ofTopic = subscribers.get(topic) ?? new Set();
      if (ofTopic.size >= maximum) return false;
      subscribers.set(topic, ofTopic.add(subscriber));
      size += 1;
      return true;
    },
    remove(topic, subscriber) {
      const ofTopic = subscribers.get(topic);
      if (ofTopic?.delete(subscriber) !== true) return;
      size -= 1;
      if (ofTopic.size === 0) subscribers.delete(topic);
    },
    publish(event) {
      if (event.paymentIntentId !== null) deliverTo(event.paymentIntentId, event);
      deliverTo(event.merchantAccountId, event);
    },
  };
}
