import { Pool } from 'pg';
import type { Logger } from 'pino';
import { SECOND_MS } from '../../../domain/time.ts';
import type { RateLimiters, RateLimits } from './rate-limit.ts';
import { createRateLimiters } from './create-rate-limiters.ts';
import type { RedisStore } from './redis-store.ts';

export interface RateLimiterSettings {
  readonly databaseUrl: string;
  /** Null: PostgreSQL counts. */
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
  return createRedisStore({ ...redis, onAway: (err) => logger.warn({ err }, 'the connection to Redis is away') });
}
