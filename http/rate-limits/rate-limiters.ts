import type { Logger } from 'pino';
import { Pool, type QueryConfig, type QueryResult } from 'pg';
import { type RateLimiterAbstract, RateLimiterPostgres, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { callerOfAddress } from '../../domain/ip-address.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { createSingleFlight } from '../authentication/single-flight.ts';
import { createExpiringSet } from '../expiring-set.ts';
import { countAtPlace, type RateLimiters, type RateLimits, type RateLimitStatus } from './rate-limit.ts';
import type { RedisStore } from './redis-store.ts';

export interface RateLimiterDependencies {
  readonly pool: Pool;
  /** Null if PostgreSQL counts. */
  readonly redis: RedisStore | null;
  readonly limits: RateLimits;
  readonly logger: Logger;
}

const WINDOW_SECONDS = MINUTE_MS / SECOND_MS;
/** The blocked callers, and as many blocked keys, take about 10 MB each. */
const MAXIMUM_BLOCKED_CALLERS = 100_000;
const REDIS_PREFIX = 'payment-engine:rate-limit';
/** Without any store each process counts alone, and allows this share of the limit, so that all processes together stay near it. */
const LOCAL_SHARE = 0.1;

/**
 * Limits that hold exactly over all API processes while their store is available: Redis where it is configured, else
 * PostgreSQL. While Redis is unavailable PostgreSQL counts, from zero; while that is unavailable too, each process by itself.
 */
export function createRateLimiters(dependencies: RateLimiterDependencies): RateLimiters {
  const { limits } = dependencies;
  const countWith = (
    kind: string,
    limit: number,
    onUsedUp = (_caller: string, _resetAtMs: number): void => undefined,
  ) => {
    const limiter = createLimiter(kind, limit, dependencies);
    const countLocally = createLocalCounter(Math.ceil(limit * LOCAL_SHARE));
    const count = (caller: string, requests: number): Promise<Count> =>
      consume(limiter, caller, requests).catch(() => countLocally(caller, requests));
    const flights = createSingleFlight<Count>();
    return async (caller: string): Promise<RateLimitStatus> => {
      // One call of the store counts simultaneous requests of a caller: each by itself would wait for the lock of the same row,
      // on connections that the requests of others need.
      const flight = await flights(caller, (requests) => count(caller, requests));
      const { consumed, msBeforeNext, allowed } = flight.result;
      const place = consumed === 0 ? { remaining: 0, exceeded: true } : countAtPlace(flight, consumed, allowed);
      const resetAtMs = Date.now() + msBeforeNext;
      // A process that counts by itself allows less than the limit, and asks the store again with each request.
      if (place.exceeded && allowed === limit) onUsedUp(caller, resetAtMs);
      return { ...place, limit, resetAtMs };
    };
  };
  const blockedKeys = createExpiringSet(MAXIMUM_BLOCKED_CALLERS);
  const byKey = {
    sandbox: countWith('sandbox', limits.sandbox, blockedKeys.add),
    production: countWith('production', limits.production, blockedKeys.add),
  };
  const countCaller = countWith('address', limits.unauthenticated);
  const blocked = createExpiringSet(MAXIMUM_BLOCKED_CALLERS);
  const statusOfBlocked = (caller: string) => usedUpUntil(blocked.expiryOf(caller), limits.unauthenticated);

  return {
    countKey: (environment, apiKeyId) => byKey[environment](apiKeyId),
    blockedKey: (environment, apiKeyId) => usedUpUntil(blockedKeys.expiryOf(apiKeyId), limits[environment]),
    countPerson: countWith('person', limits.person),
    inDatabase: dependencies.redis === null ? limits : null,
    async countAddress(address) {
      const caller = callerOfAddress(address);
      const status = statusOfBlocked(caller) ?? (await countCaller(caller));
      if (status.exceeded) blocked.add(caller, status.resetAtMs);
      return status;
    },
    // Parsing an address takes longer than everything else here, and nearly always no address is blocked.
    blockedAddress: (address) => (blocked.size === 0 ? null : statusOfBlocked(callerOfAddress(address))),
    uncounted: () => ({
      limit: limits.unauthenticated,
      remaining: limits.unauthenticated,
      resetAtMs: Date.now() + MINUTE_MS,
      exceeded: false,
    }),
  };
}

/** The status of a limit that is used up; null where it is not, which has no time of its end. */
function usedUpUntil(resetAtMs: number | undefined, limit: number): RateLimitStatus | null {
  return resetAtMs === undefined ? null : { limit, remaining: 0, resetAtMs, exceeded: true };
}

/** A count after some requests, by whoever counted them. */
interface Count {
  /** Requests of the window; 0 where the store knows from memory that the limit is used up. */
  readonly consumed: number;
  readonly msBeforeNext: number;
  /** Requests per window, as the counter allows them. */
  readonly allowed: number;
}

/** Counts requests in the store. @throws Error when it does not answer */
async function consume(limiter: RateLimiterAbstract, caller: string, requests: number): Promise<Count> {
  const { consumedPoints, msBeforeNext } = await limiter.consume(caller, requests).catch(resultOfRejection);
  return { consumed: consumedPoints, msBeforeNext, allowed: limiter.points };
}

/** A limiter rejects with its result where the limit is used up. */
function resultOfRejection(thrown: unknown): RateLimiterRes {
  if (thrown instanceof RateLimiterRes) return thrown;
  throw thrown;
}

/** The limiter that counts in Redis or PostgreSQL. It rejects with an Error when neither answers. */
function createLimiter(kind: string, points: number, { pool, redis, logger }: RateLimiterDependencies) {
  // Until the window ends, a caller who has used up the limit is rejected from memory: many requests of one caller would queue
  // for the lock of that one row, and block everybody else.
  const window = { points, duration: WINDOW_SECONDS, inMemoryBlockOnConsumed: points };
  const inPostgres = new RateLimiterPostgres({
    ...window,
    storeClient: withOutagesLogged(pool, logger.child({ limit: kind })),
    storeType: 'pool',
    tableName: 'rate_limit',
    tableCreated: true,
    keyPrefix: kind,
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

interface LocalWindow {
  requests: number;
  readonly endsAtMs: number;
}

/** Callers that one process counts at most; their counts take about 20 MB. */
const MAXIMUM_LOCAL_CALLERS = 100_000;

/**
 * Counts in this process alone. Each caller has a count of its own, so that none can use up another's limit; beyond the maximum,
 * a new caller replaces the one whose window ends first.
 */
export function createLocalCounter(
  allowed: number,
  maximumCallers = MAXIMUM_LOCAL_CALLERS,
): (caller: string, requests: number) => Count {
  /** In the order in which they end. */
  const windows = new Map<string, LocalWindow>();

  const open = (caller: string, nowMs: number): LocalWindow => {
    windows.delete(caller);
    for (const [first, { endsAtMs }] of windows) {
      if (endsAtMs > nowMs && windows.size < maximumCallers) break;
      windows.delete(first);
    }
    const window = { requests: 0, endsAtMs: nowMs + MINUTE_MS };
    windows.set(caller, window);
    return window;
  };

  return (caller, requests) => {
    const nowMs = Date.now();
    const current = windows.get(caller);
    const window = current === undefined || current.endsAtMs <= nowMs ? open(caller, nowMs) : current;
    window.requests += requests;
    return { consumed: window.requests, msBeforeNext: window.endsAtMs - nowMs, allowed };
  };
}

/** A limit of requests per minute that holds in this process alone. @returns a function that counts a request of a caller */
export function createLocalLimiter(limit: number): (caller: string) => RateLimitStatus {
  const count = createLocalCounter(limit);
  return (caller) => {
    const { consumed, msBeforeNext } = count(caller, 1);
    const place = { remaining: Math.max(limit - consumed, 0), exceeded: consumed > limit };
    return { ...place, limit, resetAtMs: Date.now() + msBeforeNext };
  };
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
  return createRedisStore({
    ...redis,
    onUnavailable: (err) => logger.warn({ err }, 'Redis cannot count requests'),
    onRecovered: () => logger.info('Redis counts requests again'),
  });
}
