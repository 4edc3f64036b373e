import { hash } from 'node:crypto';
import type { Logger } from 'pino';
import { Pool, type QueryConfig, type QueryResult } from 'pg';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { MINUTE_MS, SECOND_MS } from '../../../domain/time.ts';
import type { RateLimiters, RateLimits, RateLimitStatus } from './rate-limit.ts';
import { callerOfAddress } from '../client-address.ts';
import type { RedisStore } from './redis-store.ts';

/** Where limiters count. */
export interface LimiterStores {
  readonly pool: Pool;
  /** Null if PostgreSQL counts. */
  readonly redis: RedisStore | null;
  readonly logger: Logger;
}

export interface RateLimiterDependencies extends LimiterStores {
  readonly limits: RateLimits;
}

const WINDOW_SECONDS = MINUTE_MS / SECOND_MS;
const REDIS_PREFIX = 'payment-engine:rate-limit';
/** Without any store each process counts alone, so that all of them together are to stay near the limit. */
const LOCAL_SHARE = 0.1;

/**
 * Limits that hold exactly over all API processes while their store is available: Redis where it is configured, else
 * PostgreSQL. While Redis is unavailable PostgreSQL counts, from zero; while that is unavailable too, each process by itself.
 */
export function createRateLimiters(dependencies: RateLimiterDependencies): RateLimiters {
  const { limits } = dependencies;
  const countWith = (kind: string, limit: number) => {
    // Until the window ends, a caller who has used up the limit is rejected from memory: a flood from one caller would
    // queue for the lock of that one row, and block everybody else.
    const window = { points: limit, durationSeconds: WINDOW_SECONDS, inMemoryBlockOnConsumed: limit };
    const limiter = createLimiter(kind, window, dependencies);
    return async (caller: string): Promise<RateLimitStatus> => {
      const { remainingPoints, msBeforeNext, exceeded } = await consume(limiter, caller);
      return { limit, remaining: remainingPoints, resetAtMs: Date.now() + msBeforeNext, exceeded };
    };
  };
  const byKey = {
    sandbox: countWith('sandbox', limits.sandbox),
    production: countWith('production', limits.production),
  };
  const byAddress = countWith('address', limits.unauthenticated);

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

/** Counts one request; a limiter rejects with the same result where the limit is used up. */
async function consume(
  limiter: RateLimiterAbstract,
  caller: string,
): Promise<Pick<RateLimiterRes, 'remainingPoints' | 'msBeforeNext'> & { readonly exceeded: boolean }> {
  try {
    const { remainingPoints, msBeforeNext } = await limiter.consume(caller);
    return { remainingPoints, msBeforeNext, exceeded: false };
  } catch (thrown) {
    if (!(thrown instanceof RateLimiterRes)) throw thrown;
    return { remainingPoints: 0, msBeforeNext: thrown.msBeforeNext, exceeded: true };
  }
}

interface LimiterWindow {
  readonly points: number;
  readonly durationSeconds: number;
  /** From how many points on a caller is rejected from memory; default: never. */
  readonly inMemoryBlockOnConsumed?: number;
}

/** A limiter over all API processes. Its calls reject only where a limit is exceeded. */
export function createLimiter(
  kind: string,
  { points, durationSeconds: duration, ...options }: LimiterWindow,
  { pool, redis, logger }: LimiterStores,
) {
  const local = new LocalLimiter({ points: Math.ceil(points * LOCAL_SHARE), duration });
  const window = { points, duration, ...options };
  const inPostgres = new RateLimiterPostgres({
    ...window,
    storeClient: withOutagesLogged(pool, logger.child({ limit: kind })),
    storeType: 'pool',
    tableName: 'rate_limit',
    tableCreated: true,
    keyPrefix: kind,
    insuranceLimiter: local,
  });
  if (redis === null) return inPostgres;
  return new RateLimiterRedis({
    ...window,
    storeClient: redis,
    useRedisPackage: true,
    rejectIfRedisNotReady: true,
    keyPrefix: `${REDIS_PREFIX}:${kind}`,
    insuranceLimiter: inPostgres,
  });
}

/** Digits of a caller's hash: at most 65,536 counts, however many addresses a flood comes from. */
const LOCAL_KEY_DIGITS = 4;

/** Counts in this process. Callers whose hashes begin with the same digits share a count. */
class LocalLimiter extends RateLimiterMemory {
  override getKey(caller: string | number): string {
    return hash('sha256', String(caller), 'hex').slice(0, LOCAL_KEY_DIGITS);
  }
}

/** The pool as the limiter uses it. It logs the first query that fails, and the first that succeeds after that. */
function withOutagesLogged(pool: Pool, logger: Logger) {
  let isAvailable = true;
  return {
    async query(statement: QueryConfig): Promise<QueryResult> {
      try {
        const result = await pool.query(statement);
        if (!isAvailable) logger.info('PostgreSQL counts requests again');
        isAvailable = true;
        return result;
      } catch (error) {
        if (isAvailable) logger.warn({ err: error }, 'PostgreSQL cannot count requests');
        isAvailable = false;
        throw error;
      }
    },
  };
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
): Promise<{ readonly rateLimiters: RateLimiters; readonly stores: LimiterStores; close(): Promise<void> }> {
  const stores: LimiterStores = {
    pool: createPool(databaseUrl, logger),
    redis: await openRedis(redis, logger),
    logger,
  };
  const { pool } = stores;
  return {
    rateLimiters: createRateLimiters({ ...stores, limits: rateLimits }),
    stores,
    async close() {
      stores.redis?.close();
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
  return createRedisStore({ ...redis, onUnavailable: (err) => logger.warn({ err }, 'Redis cannot count requests') });
}
