import type { Environment } from '../../domain/payment.ts';
import { SECOND_MS } from '../../domain/time.ts';
import type { CountedRejection } from '../rejection.ts';
import type { SharedResult } from '../authentication/single-flight.ts';
import { ApiError } from '../../domain/api-error.ts';

/** Requests per minute. */
export interface RateLimits {
  readonly sandbox: number;
  readonly production: number;
  readonly unauthenticated: number;
  /** Of a person in the dashboard, in both environments together. */
  readonly person: number;
}

/** The status of a caller's limit after a request was counted. */
export interface RateLimitStatus {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAtMs: number;
  readonly exceeded: boolean;
}

/** The count for one of several requests that were counted together, by its place among them. */
export function countAtPlace(
  { place, callers }: Pick<SharedResult<unknown>, 'place' | 'callers'>,
  consumed: number,
  limit: number,
): Pick<RateLimitStatus, 'remaining' | 'exceeded'> {
  const ownNumber = consumed - callers + place + 1;
  return { remaining: Math.max(limit - ownNumber, 0), exceeded: ownNumber > limit };
}

/** Limits over all API processes. No call throws: where a store is unavailable, a fallback counts. */
export interface RateLimiters {
  countKey(environment: Environment, apiKeyId: string): Promise<RateLimitStatus>;
  /** The status of a key that the store, asked by this process, has found over its limit, from memory; null for every other. */
  blockedKey(environment: Environment, apiKeyId: string): RateLimitStatus | null;
  /** Counts a request of a person in a session, apart from the keys of the person's merchant. */
  countPerson(personId: string): Promise<RateLimitStatus>;
  /** Requests per minute of a key, where PostgreSQL stores the counts; null where it is only the fallback of another store. */
  readonly inDatabase: Readonly<Record<Environment, number>> | null;
  /** Counts a request of a caller without a valid key. */
  countAddress(address: string): Promise<RateLimitStatus>;
  /** The status of an address that this process has found over its limit, from memory; null for every other. */
  blockedAddress(address: string): RateLimitStatus | null;
  /** The status of a caller that no limit has counted. */
  uncounted(): RateLimitStatus;
}

/** The three headers that every response carries; the reset is in Unix seconds. */
export function rateLimitHeaders({ limit, remaining, resetAtMs }: RateLimitStatus): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil(resetAtMs / SECOND_MS)),
  };
}

/** The error of a request beyond the limit. @param per what the limit counts requests by */
export function rateLimitExceeded(
  { limit, remaining, resetAtMs }: RateLimitStatus,
  per: 'a minute' | 'at a time' = 'a minute',
): ApiError {
  const resetAt = new Date(resetAtMs).toISOString();
  return new ApiError('RATE_LIMIT_EXCEEDED', {
    message: `Too many requests: expected at most ${limit} ${per}, and none is left. Send again after ${resetAt}, and fewer.`,
    details: { limit, remaining, resetAt },
    retryAfterSeconds: Math.max(1, Math.ceil((resetAtMs - Date.now()) / SECOND_MS)),
  });
}

/** The same for responses without the app: to rejected sockets, and to invalid HTTP. */
export function countedRejection(rateLimit: RateLimitStatus): CountedRejection {
  const headers = rateLimitHeaders(rateLimit);
  if (!rateLimit.exceeded) return { headers, exceeded: null };
  const { code, details, retryAfterSeconds } = rateLimitExceeded(rateLimit);
  return { headers, exceeded: { code, details, headers: { 'Retry-After': String(retryAfterSeconds) } } };
}
