import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { createSingleFlight } from '../authentication/single-flight.ts';
import { type Counter, countAtPlace } from './counter.ts';

export interface StoredCounterOptions {
  readonly limiter: RateLimiterAbstract;
  /** Requests that a caller may make in one window, as the limiter knows them. */
  readonly limit: number;
}

/**
 * Counts in a store that all API processes share. Requests of one caller that come at once, or while the store is asked
 * about that caller, are counted by one question together; each has its own place in the count all the same.
 */
export function createStoredCounter({ limiter, limit }: StoredCounterOptions): Counter {
  const count = createSingleFlight<RateLimiterRes>();
  return async (caller) => {
    const round = await count(caller, (requests) => consume(limiter, caller, requests));
    const { consumedPoints, msBeforeNext } = round.result;
    // Known in memory to have used up the limit: the store was not asked.
    if (consumedPoints === 0) return { remaining: 0, msBeforeReset: msBeforeNext, exceeded: true };
    return { ...countAtPlace(round, consumedPoints, limit), msBeforeReset: msBeforeNext };
  };
}

async function consume(limiter: RateLimiterAbstract, caller: string, requests: number): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(caller, requests);
  } catch (thrown) {
    if (thrown instanceof RateLimiterRes) return thrown;
    throw thrown;
  }
}
