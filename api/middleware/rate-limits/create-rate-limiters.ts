import type { Logger } from 'pino';
import type { Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRedis } from 'rate-limiter-flexible';
import { MINUTE_MS, SECOND_MS } from '../../../domain/time.ts';
import type { RateLimiters, RateLimits, RateLimitStatus } from './rate-limit.ts';
import { callerOfAddress } from './caller-address.ts';
import type { Counter } from './counter.ts';
import { createFallbackCounter } from './insured-counter.ts';
import { createLocalCounter } from './local-counter.ts';
import type { RedisStore } from './redis-store.ts';
import { createStoredCounter } from './stored-counter.ts';

export interface RateLimiterDependencies {
  readonly pool: Pool;
  /** Null: PostgreSQL counts. */
  readonly redis: RedisStore | null;
  readonly limits: RateLimits;
  readonly logger: Logger;
}

const WINDOW_SECONDS = MINUTE_MS / SECOND_MS;
const REDIS_PREFIX = 'payment-engine:rate-limit';
/** Without any store each process counts alone, so that all of them together are to stay near the limit. */
const LOCAL_SHARE = 0.1;
const MAXIMUM_LOCAL_CALLERS = 10_000;

/**
 * Limits that hold exactly over all API processes while they reach their store: Redis where there is one, else
 * PostgreSQL. While Redis is away PostgreSQL counts, from zero; while that is away too, each process by itself.
 */
export function createRateLimiters(dependencies: RateLimiterDependencies): RateLimiters {
  const { limits } = dependencies;
  const limiterOf = (kind: string, limit: number) => {
    const count = counterOf(kind, limit, dependencies);
    return async (caller: string): Promise<RateLimitStatus> => {
      const { remaining, msBeforeReset, exceeded } = await count(caller);
      return { limit, remaining, resetAtMs: Date.now() + msBeforeReset, exceeded };
    };
  };
  const byKey = {
    sandbox: limiterOf('sandbox', limits.sandbox),
    production: limiterOf('production', limits.production),
  };
  const byAddress = limiterOf('address', limits.unauthenticated);

  return {
    countKey: (environment, apiKeyId) => byKey[environment](apiKeyId),
    inDatabase: dependencies.redis === null ? limits : null,
    countAddress: (address) => byAddress(callerOfAddress(address)),
    uncounted: () => ({
      limit: limits.unauthenticated,
      remaining: limits.unauthenticated,
      resetAtMs: Date.now() + MINUTE_MS,
      exceeded: false,
    }),
  };
}

function counterOf(kind: string, limit: number, { pool, redis, logger }: RateLimiterDependencies): Counter {
  const insured = (store: string, counter: Counter, insurance: Counter): Counter =>
    createFallbackCounter({
      counter,
      insurance,
      onAway: (err) => logger.warn({ err, store, limit: kind }, 'the store of a rate limit is away'),
      onBack: () => logger.info({ store, limit: kind }, 'the store of a rate limit is back'),
    });
  const local = createLocalCounter({
    limit: Math.ceil(limit * LOCAL_SHARE),
    windowMs: MINUTE_MS,
    maximumCallers: MAXIMUM_LOCAL_CALLERS,
  });
  const inPostgres = insured(
    'PostgreSQL',
    createStoredCounter({ limiter: postgresLimiter(pool, kind, limit), limit }),
    local,
  );
  if (redis === null) return inPostgres;
  return insured('Redis', createStoredCounter({ limiter: redisLimiter(redis, kind, limit), limit }), inPostgres);
}

/**
 * The store is not asked again for a caller who has used up the limit until the window ends: a flood from one caller
 * would queue for the lock of that one row, and everybody else behind it.
 */
function windowOf(points: number) {
  return { points, duration: WINDOW_SECONDS, inMemoryBlockOnConsumed: points };
}

function postgresLimiter(storeClient: Pool, keyPrefix: string, points: number): RateLimiterPostgres {
  const table = { storeType: 'pool', tableName: 'rate_limit', tableCreated: true };
  return new RateLimiterPostgres({ storeClient, ...table, keyPrefix, ...windowOf(points) });
}

function redisLimiter(storeClient: RedisStore, kind: string, points: number): RateLimiterRedis {
  return new RateLimiterRedis({
    storeClient,
    useRedisPackage: true,
    rejectIfRedisNotReady: true,
    keyPrefix: `${REDIS_PREFIX}:${kind}`,
    ...windowOf(points),
  });
}
