import { createSingleFlight, type SharedResult } from '../authentication/single-flight.ts';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';

/** The count of a caller after a request. */
export interface Count {
  readonly remaining: number;
  readonly msBeforeReset: number;
  readonly exceeded: boolean;
}

/** Counts one request of a caller. Throws when its store does not answer. */
export type Counter = (caller: string) => Promise<Count>;

/** The count after one of several requests that were counted together, by its place among them. */
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
  /** The most callers that are counted separately; all others are counted as one. */
  readonly maximumCallers: number;
  /** For tests; default: the real time. */
  readonly nowMs?: () => number;
}

interface Window {
  requests: number;
  readonly endsAtMs: number;
}

const ALL_OTHERS = '';

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
    if (windows.size >= maximumCallers && caller !== ALL_OTHERS) return windowOf(ALL_OTHERS, atMs);
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

/** The map holds windows in the order in which they end. */
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
 * Counts in a store that all API processes share. Requests of one caller at the same time are counted by one call to the
 * store; each still has its own place in the count.
 */
export function createStoredCounter({ limiter, limit }: StoredCounterOptions): Counter {
  const count = createSingleFlight<RateLimiterRes>();
  return async (caller) => {
    const flight = await count(caller, (requests) => consume(limiter, caller, requests));
    const { consumedPoints, msBeforeNext } = flight.result;
    // The limiter rejected the caller from memory: the store was not called.
    if (consumedPoints === 0) return { remaining: 0, msBeforeReset: msBeforeNext, exceeded: true };
    return { ...countAtPlace(flight, consumedPoints, limit), msBeforeReset: msBeforeNext };
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
  readonly primary: Counter;
  /** Counts whenever the primary counter fails. */
  readonly fallback: Counter;
  /** Called once when the primary counter fails, and again only after it has recovered. */
  readonly onUnavailable: (error: unknown) => void;
  readonly onRecovered: () => void;
}

/** A counter with a fallback. Each request tries the primary counter again, so it is used as soon as it recovers. */
export function createFallbackCounter({
  primary,
  fallback,
  onUnavailable,
  onRecovered,
}: FallbackCounterOptions): Counter {
  let isUnavailable = false;
  return async (caller) => {
    try {
      const count = await primary(caller);
      // A rejection may come from memory: it does not show that the store works.
      if (isUnavailable && !count.exceeded) {
        isUnavailable = false;
        onRecovered();
      }
      return count;
    } catch (error) {
      if (!isUnavailable) onUnavailable(error);
      isUnavailable = true;
      return fallback(caller);
    }
  };
}
