import type { Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Environment } from '../domain/payment.ts';
import { MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import { ApiError } from './errors.ts';

/** Requests per minute. */
export interface RateLimits {
  readonly sandbox: number;
  readonly production: number;
  readonly unauthenticated: number;
}

/** Where a caller stands after a request was counted. */
export interface RateLimitStanding {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAtMs: number;
  readonly exceeded: boolean;
}

/** Limits that hold exactly over all API processes. Every call may throw what the database throws. */
export interface RateLimiters {
  countKey(environment: Environment, apiKeyId: string): Promise<RateLimitStanding>;
  countAddress(address: string): Promise<RateLimitStanding>;
  /** What is shown to a caller that no limit has counted. */
  uncounted(): RateLimitStanding;
}

const WINDOW_SECONDS = MINUTE_MS / SECOND_MS;

export function createRateLimiters(pool: Pool, limits: RateLimits): RateLimiters {
  const limiterOf = (keyPrefix: string, points: number) =>
    new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      tableName: 'rate_limit',
      tableCreated: true,
      keyPrefix,
      points,
      duration: WINDOW_SECONDS,
    });
  const byKey = {
    sandbox: limiterOf('sandbox', limits.sandbox),
    production: limiterOf('production', limits.production),
  };
  const byAddress = limiterOf('address', limits.unauthenticated);

  return {
    countKey: (environment, apiKeyId) => count(byKey[environment], apiKeyId, limits[environment]),
    countAddress: (address) => count(byAddress, address, limits.unauthenticated),
    uncounted: () => ({
      limit: limits.unauthenticated,
      remaining: limits.unauthenticated,
      resetAtMs: Date.now() + MINUTE_MS,
      exceeded: false,
    }),
  };
}

async function count(limiter: RateLimiterPostgres, key: string, limit: number): Promise<RateLimitStanding> {
  try {
    return standingOf(await limiter.consume(key), limit, false);
  } catch (thrown) {
    if (thrown instanceof RateLimiterRes) return standingOf(thrown, limit, true);
    throw thrown;
  }
}

function standingOf({ remainingPoints, msBeforeNext }: RateLimiterRes, limit: number, exceeded: boolean) {
  return { limit, remaining: remainingPoints, resetAtMs: Date.now() + msBeforeNext, exceeded };
}

/** The three headers that every response carries; the reset is in Unix seconds. */
export function rateLimitHeaders({ limit, remaining, resetAtMs }: RateLimitStanding): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil(resetAtMs / SECOND_MS)),
  };
}

/** The refusal of a request beyond the limit. */
export function rateLimitExceeded({ limit, remaining, resetAtMs }: RateLimitStanding): ApiError {
  return new ApiError('RATE_LIMIT_EXCEEDED', {
    details: { limit, remaining, resetAt: new Date(resetAtMs).toISOString() },
    retryAfterSeconds: Math.max(1, Math.ceil((resetAtMs - Date.now()) / SECOND_MS)),
  });
}
