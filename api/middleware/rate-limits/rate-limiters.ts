import type { Logger } from 'pino';
import { Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRedis } from 'rate-limiter-flexible';
import { MINUTE_MS, SECOND_MS } from '../../../domain/time.ts';
import type { RateLimiters, RateLimits, RateLimitStatus } from './rate-limit.ts';
import { callerOfAddress } from '../client-address.ts';
import { type Counter, createFallbackCounter, createLocalCounter, createStoredCounter } from './counters.ts';
import type { RedisStore } from './redis-store.ts';

export interface RateLimiterDependencies {
  readonly pool: Pool;
  /** Null if PostgreSQL counts. */
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
 * Limits that hold exactly over all API processes while their store is available: Redis where it is configured, else
 * PostgreSQL. While Redis is unavailable PostgreSQL counts, from zero; while that is unavailable too, each process by itself.
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
  const withFallback = (store: string, primary: Counter, fallback: Counter): Counter =>
    createFallbackCounter({
      primary,
      fallback,
      onUnavailable: (err) => logger.warn({ err, store, limit: kind }, 'the store of a rate limit is unavailable'),
      onRecovered: () => logger.info({ store, limit: kind }, 'the store of a rate limit has recovered'),
    });
  const local = createLocalCounter({
    limit: Math.ceil(limit * LOCAL_SHARE),
    windowMs: MINUTE_MS,
    maximumCallers: MAXIMUM_LOCAL_CALLERS,
  });
  const inPostgres = withFallback(
    'PostgreSQL',
    createStoredCounter({ limiter: postgresLimiter(pool, kind, limit), limit }),
    local,
  );
  if (redis === null) return inPostgres;
  return withFallback('Redis', createStoredCounter({ limiter: redisLimiter(redis, kind, limit), limit }), inPostgres);
}

/**
 * Until the window ends, a caller who has used up the limit is rejected from memory: a flood from one caller would queue
 * for the lock of that one row, and block everybody else.
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

export interface RateLimiterSettings {
  readonly databaseUrl: string;
  /** Null if PostgreSQL counts. */
  readonly redis: { readonly url: string; readonly timeoutMs: number } | null;
  readonly rateLimits: RateLimits;
}

/** The limiter's own connections: each use is one short statement. */
const POOL_SIZE = 4;
const TIMEOUT_MS = 5 * SECOND_MS;

/** Limiters with the connections that they need; to be closed at the end. */
export async function openRateLimiters(
  { databaseUrl, redis, rateLimits }: RateLimiterSettings,
  logger: Logger,
): Promise<{ readonly rateLimiters: RateLimiters; close(): Promise<void> }> {
  const store = await openRedis(redis, logger);
  const pool = createPool(databaseUrl, logger);
  return {
    rateLimiters: createRateLimiters({ pool, redis: store, limits: rateLimits, logger }),
    async close() {
      store?.close();
      await pool.end();
    },
  };
}

function createPool(connectionString: string, logger: Logger): Pool {
  const pool = new Pool({
    connectionString,
    max: POOL_SIZE,
    keepAlive: true,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    statement_timeout: TIMEOUT_MS,
  });
  // An idle connection that breaks would otherwise end the process.
  pool.on('error', (error) => logger.warn({ err: error }, 'an idle database connection was lost'));
  return pool;
}

/** Its client is hundreds of files, loaded only where it is used. */
async function openRedis(redis: RateLimiterSettings['redis'], logger: Logger): Promise<RedisStore | null> {
  if (redis === null) return null;
  const { createRedisStore } = await import('./redis-store.ts');
  return createRedisStore({ ...redis, onLost: (err) => logger.warn({ err }, 'the connection to Redis is lost') });
}
