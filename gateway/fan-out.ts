import type { EventRow } from './event-row.ts';

export interface Subscriber {
  deliver(event: EventRow): void;
}

/** Who watches which intent in this process. */
export interface FanOut {
  /** Subscribers of all intents. */
  readonly size: number;
  /** @returns false when the intent has as many subscribers as it may have */
  add(paymentIntentId: string, subscriber: Subscriber): boolean;
  remove(paymentIntentId: string, subscriber: Subscriber): void;
  publish(event: EventRow): void;
}

export function createFanOut(maximumPerIntent: number): FanOut {
  const subscribers = new Map<string, Set<Subscriber>>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    add(paymentIntentId, subscriber) {
      const watching = subscribers.get(paymentIntentId) ?? new Set();
      if (watching.size >= maximumPerIntent) return false;
      subscribers.set(paymentIntentId, watching.add(subscriber));
      size += 1;
      return true;
    },
    remove(paymentIntentId, subscriber) {
      const watching = subscribers.get(paymentIntentId);
      if (watching?.delete(subscriber) !== true) return;
      size -= 1;
      if (watching.size === 0) subscribers.delete(paymentIntentId);
    },
    publish(event) {
      if (event.paymentIntentId === null) return;
      for (const subscriber of subscribers.get(event.paymentIntentId) ?? []) subscriber.deliver(event);
    },
  };
}
