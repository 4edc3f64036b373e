import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import type { Count, Counter } from './counter.ts';

/** Counts in a store that all API processes share. */
export function createStoredCounter(limiter: RateLimiterAbstract): Counter {
  return async (caller) => {
    try {
      return countOf(await limiter.consume(caller), false);
    } catch (thrown) {
      if (thrown instanceof RateLimiterRes) return countOf(thrown, true);
      throw thrown;
    }
  };
}

function countOf({ remainingPoints, msBeforeNext }: RateLimiterRes, exceeded: boolean): Count {
  return { remaining: remainingPoints, msBeforeReset: msBeforeNext, exceeded };
}
