import type { Counter } from './counter.ts';

export interface FallbackCounterOptions {
  readonly counter: Counter;
  /** Counts whenever the first one cannot. */
  readonly insurance: Counter;
  /** Told once when the first one fails, not again until it has worked in between. */
  readonly onAway: (error: unknown) => void;
  readonly onBack: () => void;
}

/** A counter with one that stands in for it. Each request asks the first one again, so it is back as soon as it can be. */
export function createFallbackCounter({ counter, insurance, onAway, onBack }: FallbackCounterOptions): Counter {
  let isAway = false;
  return async (caller) => {
    try {
      const count = await counter(caller);
      // A refusal may come from memory: it tells nothing of the store.
      if (isAway && !count.exceeded) {
        isAway = false;
        onBack();
      }
      return count;
    } catch (error) {
      if (!isAway) onAway(error);
      isAway = true;
      return insurance(caller);
    }
  };
}
