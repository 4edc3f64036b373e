import { SECOND_MS } from '../domain/time.ts';

/** How many requests one worker may have open to one endpoint: fewer while the endpoint is slow or fails. */
export const SLOTS_PER_ENDPOINT = { prompt: 10, sluggish: 2 } as const;

/** An answer within this time is prompt. */
const PROMPT_WITHIN_MS = 2 * SECOND_MS;

/** The most slow or failing endpoints whose state is kept; the oldest is dropped first. */
const MAXIMUM_REMEMBERED = 10_000;

interface EndpointSlot {
  /** @param succeeded whether the endpoint accepted the event */
  release(succeeded: boolean): void;
}

export interface EndpointSlots {
  /** Acquires a slot for one request; null when all slots of the endpoint are in use. */
  acquire(webhookEndpointId: string): EndpointSlot | null;
}

/**
 * A semaphore for each endpoint, so that slow and dead endpoints cannot use all connections of the worker.
 * @param now milliseconds since the epoch
 */
export function createEndpointSlots(now: () => number = Date.now): EndpointSlots {
  const inUse = new Map<string, number>();
  const sluggish = new Set<string>();

  const markSluggish = (id: string, isSluggish: boolean): void => {
    sluggish.delete(id);
    if (!isSluggish) return;
    sluggish.add(id);
    const [oldest] = sluggish;
    if (sluggish.size > MAXIMUM_REMEMBERED && oldest !== undefined) sluggish.delete(oldest);
  };

  const changeInUse = (id: string, by: number): void => {
    const count = (inUse.get(id) ?? 0) + by;
    if (count === 0) inUse.delete(id);
    else inUse.set(id, count);
  };

  return {
    acquire(id) {
      const allowed = sluggish.has(id) ? SLOTS_PER_ENDPOINT.sluggish : SLOTS_PER_ENDPOINT.prompt;
      if ((inUse.get(id) ?? 0) >= allowed) return null;
      const acquiredAt = now();
      changeInUse(id, 1);
      return {
        release(succeeded) {
          changeInUse(id, -1);
          markSluggish(id, !succeeded || now() - acquiredAt > PROMPT_WITHIN_MS);
        },
      };
    },
  };
}
