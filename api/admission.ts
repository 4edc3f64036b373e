import type { ShareUsage } from '../metrics/server-metrics.ts';
import { ApiError } from '../domain/api-error.ts';

/**
 * Limits how many operations that start work in workflows are in flight in this process, so that the accepted ones can be
 * answered in time. The limit adapts to what workers, Temporal and PostgreSQL can do at the moment.
 */
export interface Admission {
  /**
   * Admits an operation, before anything is written for it.
   * @returns a function to call at the operation's end
   * @throws ApiError `SERVICE_UNAVAILABLE` while the limit is reached and the merchant has its share of the operations in flight
   */
  acquire(merchantId: string): () => void;
  /**
   * Reports how long the engine took for an operation.
   * @param startedAtMs when the operation began, in ms since the epoch
   * @param engineMs without the time of providers: a slow provider is no reason to refuse payments
   */
  report(startedAtMs: number, engineMs: number): void;
  /** The operations in flight that count. */
  usage(): ShareUsage;
}

interface CountedOperation {
  readonly merchantId: string;
  readonly startedAtMs: number;
}

const INITIAL_LIMIT = 32;
/** This many are always accepted, so that the process notices when the engine is fast again. */
const LOWEST_LIMIT = 8;
const HIGHEST_LIMIT = 1_000;
/** The number of measured times after which the limit changes once. */
const SAMPLES = 8;
/** An operation that takes so many times the target waits for a provider, and no longer counts: it costs the engine nothing. */
const COUNTED_TARGETS = 4;
/** How far merchants that have less than their share may go beyond the limit. */
const SHARED_LIMIT = 2;
const LARGEST_CUT = 0.5;
const LARGEST_RAISE = 2;
const RETRY_AFTER_SECONDS = 2;

/** Admits every operation. */
export const UNLIMITED_ADMISSION: Admission = {
  acquire: () => () => undefined,
  report: () => undefined,
  usage: () => ({ byAll: 0, byOne: 0 }),
};

/**
 * After every few operations it multiplies the limit by `targetMs` ÷ their median time. By Little's law that is the number in
 * flight at which operations take the target time, if the engine works at full capacity. Operations that began before the last
 * change do not count, because they say nothing about it.
 * @param targetMs the time that the engine may take for an operation
 */
export function createAdmission(targetMs: number): Admission {
  let limit = INITIAL_LIMIT;
  let inFlight = 0;
  const inFlightByMerchant = new Map<string, number>();
  /** Those that count, the oldest first. */
  const counted = new Set<CountedOperation>();
  let wasReached = false;
  let changedAtMs = 0;
  let samples: number[] = [];

  const changeLimit = (): void => {
    const factor = within(targetMs / median(samples), LARGEST_CUT, LARGEST_RAISE);
    // A limit that was not reached says nothing about a higher one.
    if (factor < 1 || wasReached) limit = within(limit * factor, LOWEST_LIMIT, HIGHEST_LIMIT);
    changedAtMs = Date.now();
    wasReached = false;
    samples = [];
  };

  /** An equal part of the limit for each merchant with operations in flight, so that none can keep the others from paying. */
  const hasItsShare = (ofMerchant: number): boolean => {
    const merchants = inFlightByMerchant.size + (ofMerchant === 0 ? 1 : 0);
    return ofMerchant >= Math.max(1, Math.floor(limit / merchants));
  };

  const add = (merchantId: string, change: 1 | -1): void => {
    const ofMerchant = (inFlightByMerchant.get(merchantId) ?? 0) + change;
    if (ofMerchant === 0) inFlightByMerchant.delete(merchantId);
    else inFlightByMerchant.set(merchantId, ofMerchant);
    inFlight += change;
  };

  const stopCounting = (operation: CountedOperation): void => {
    if (counted.delete(operation)) add(operation.merchantId, -1);
  };

  /** A provider that hangs must not keep the payments of other providers from being accepted. */
  const leaveOutThoseThatWait = (): void => {
    for (const operation of counted) {
      if (Date.now() - operation.startedAtMs < COUNTED_TARGETS * targetMs) return;
      stopCounting(operation);
    }
  };

  return {
    acquire(merchantId) {
      leaveOutThoseThatWait();
      if (inFlight >= limit) {
        wasReached = true;
        const isFull = inFlight >= limit * SHARED_LIMIT;
        if (isFull || hasItsShare(inFlightByMerchant.get(merchantId) ?? 0)) throw overloaded();
      }
      add(merchantId, 1);
      const operation = { merchantId, startedAtMs: Date.now() };
      counted.add(operation);
      return () => stopCounting(operation);
    },
    report(startedAtMs, engineMs) {
      if (startedAtMs < changedAtMs) return;
      samples.push(engineMs);
      if (samples.length === SAMPLES) changeLimit();
    },
    usage() {
      leaveOutThoseThatWait();
      return { byAll: inFlight, byOne: Math.max(0, ...inFlightByMerchant.values()) };
    },
  };
}

function overloaded(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', {
    // The key is not looked up, so this may be the repeat of a request that was accepted.
    message:
      'Too much work is under way, so this request did nothing. An earlier try with the same idempotency key may have been ' +
      'accepted: repeat the request unchanged.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

function within(value: number, lowest: number, highest: number): number {
  return Math.min(Math.max(value, lowest), highest);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
