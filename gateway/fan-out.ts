import type { EventRow } from './event-row.ts';

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
      const watching = subscribers.get(topic) ?? new Set();
      if (watching.size >= maximum) return false;
      subscribers.set(topic, watching.add(subscriber));
      size += 1;
      return true;
    },
    remove(topic, subscriber) {
      const watching = subscribers.get(topic);
      if (watching?.delete(subscriber) !== true) return;
      size -= 1;
      if (watching.size === 0) subscribers.delete(topic);
    },
    publish(event) {
      if (event.paymentIntentId !== null) deliverTo(event.paymentIntentId, event);
      deliverTo(event.merchantAccountId, event);
    },
  };
}
