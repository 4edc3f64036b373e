import { SECOND_MS } from '../domain/time.ts';

/** Requests that one worker has open to one endpoint at the same time: fewer while it is slow or fails. */
export const SLOTS_PER_ENDPOINT = { prompt: 10, sluggish: 2 } as const;

/** An answer within this time is prompt. */
const PROMPT_WITHIN_MS = 2 * SECOND_MS;

/** Sluggish endpoints that are remembered; the oldest is forgotten first. */
const MAXIMUM_REMEMBERED = 10_000;

interface EndpointSlot {
  /** @param wasGood whether the endpoint took the event */
  release(wasGood: boolean): void;
}

export interface EndpointSlots {
  /** A slot for one request, or null when the endpoint has as many as it may. */
  take(webhookEndpointId: string): EndpointSlot | null;
}

/** Keeps slow and dead endpoints from using up what all endpoints share. @param now milliseconds */
export function createEndpointSlots(now: () => number = Date.now): EndpointSlots {
  const inUse = new Map<string, number>();
  const sluggish = new Set<string>();

  const remember = (id: string, isSluggish: boolean): void => {
    sluggish.delete(id);
    if (!isSluggish) return;
    sluggish.add(id);
    const [oldest] = sluggish;
    if (sluggish.size > MAXIMUM_REMEMBERED && oldest !== undefined) sluggish.delete(oldest);
  };

  const give = (id: string, by: number): void => {
    const count = (inUse.get(id) ?? 0) + by;
    if (count === 0) inUse.delete(id);
    else inUse.set(id, count);
  };

  return {
    take(id) {
      const allowed = sluggish.has(id) ? SLOTS_PER_ENDPOINT.sluggish : SLOTS_PER_ENDPOINT.prompt;
      if ((inUse.get(id) ?? 0) >= allowed) return null;
      const takenAt = now();
      give(id, 1);
      return {
        release(wasGood) {
          give(id, -1);
          remember(id, !wasGood || now() - takenAt > PROMPT_WITHIN_MS);
        },
      };
    },
  };
}
