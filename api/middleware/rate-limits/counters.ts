import { createSingleFlight, type SharedResult } from '../authentication/single-flight.ts';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';

/** Where a caller stands after a request was counted. */
export interface Count {
  readonly remaining: number;
  readonly msBeforeReset: number;
  readonly exceeded: boolean;
}

/** Counts one request of a caller. Throws when what keeps the counts cannot be asked. */
export type Counter = (caller: string) => Promise<Count>;

/** Where one of several requests stands that were counted together, by its place among them. */
export function countAtPlace(
  { place, callers }: Pick<SharedResult<unknown>, 'place' | 'callers'>,
  consumed: number,
  limit: number,
): Pick<Count, 'remaining' | 'exceeded'> {
  const ownNumber = consumed - callers + place + 1;
  return { remaining: Math.max(limit - ownNumber, 0), exceeded: ownNumber > limit };
}

export interface LocalCounterOptions {
  /** Requests that a caller may make in one window. */
  readonly limit: number;
  readonly windowMs: number;
  /** Callers that are told apart; those beyond are counted as one. */
  readonly maximumCallers: number;
  /** For tests; default: the real time. */
  readonly nowMs?: () => number;
}

interface Window {
  requests: number;
  readonly endsAtMs: number;
}

const THE_REST = '';

/** Counts in this process alone, in windows that begin with a caller's first request. Never throws. */
export function createLocalCounter({
  limit,
  windowMs,
  maximumCallers,
  nowMs = Date.now,
}: LocalCounterOptions): Counter {
  const windows = new Map<string, Window>();

  const windowOf = (caller: string, atMs: number): Window => {
    const current = windows.get(caller);
    if (current !== undefined && current.endsAtMs > atMs) return current;
    windows.delete(caller);
    if (windows.size >= maximumCallers) removeEnded(windows, atMs);
    if (windows.size >= maximumCallers && caller !== THE_REST) return windowOf(THE_REST, atMs);
    const window = { requests: 0, endsAtMs: atMs + windowMs };
    windows.set(caller, window);
    return window;
  };

  return async (caller) => {
    const atMs = nowMs();
    const window = windowOf(caller, atMs);
    window.requests += 1;
    return Promise.resolve({
      remaining: Math.max(limit - window.requests, 0),
      msBeforeReset: window.endsAtMs - atMs,
      exceeded: window.requests > limit,
    });
  };
}

/** Windows are kept in the order in which they end. */
function removeEnded(windows: Map<string, Window>, atMs: number): void {
  for (const [caller, { endsAtMs }] of windows) {
    if (endsAtMs > atMs) return;
    windows.delete(caller);
  }
}

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
