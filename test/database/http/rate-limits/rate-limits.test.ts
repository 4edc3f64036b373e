import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import { Pool } from 'pg';
import pino from 'pino';
import type { RateLimiters, RateLimitStatus } from '../../../../http/rate-limits/rate-limit.ts';
import { createRateLimiters } from '../../../../http/rate-limits/rate-limiters.ts';
import { createRedisStore, type RedisStore } from '../../../../http/rate-limits/redis-store.ts';
import { findFreePorts } from '../../../../sandbox/stack/ports.ts';
import { useTestDatabase } from '../../../support/database.ts';
import { eventually } from '../../../support/eventually.ts';
import { type RedisServer, startRedisServer } from '../../../support/redis-server.ts';

const LIMIT = 40;
/** Without any store. */
const LOCAL_LIMIT = LIMIT / 10;
const SILENT = pino({ level: 'silent' });
const LIMITS = { sandbox: LIMIT, production: LIMIT, unauthenticated: LIMIT, person: LIMIT };
/** Long enough that a busy machine causes no timeout. */
const PATIENT_MS = 10_000;
const IMPATIENT_MS = 100;

describe('rate limits of several processes', () => {
  const test = useTestDatabase();
  let toClose: (() => unknown)[] = [];
  let callers = 0;

  afterEach(async () => {
    await Promise.all(toClose.map((close) => close()));
    toClose = [];
  });

  /** What one process has: connections and limiters of its own. */
  function createProcess(databaseUrl: string, redis: RedisStore | null = null, logger = SILENT): RateLimiters {
    return createRateLimiters({ pool: openPool(databaseUrl), redis, limits: LIMITS, logger });
  }

  function openPool(databaseUrl: string): Pool {
    const pool = new Pool({ connectionString: databaseUrl, max: 2, connectionTimeoutMillis: PATIENT_MS });
    pool.on('error', () => undefined);
    toClose.push(() => pool.end());
    return pool;
  }

  function connectRedis({ url }: RedisServer, timeoutMs = PATIENT_MS): RedisStore {
    const store = createRedisStore({ url, timeoutMs, onUnavailable: () => undefined, onRecovered: () => undefined });
    toClose.push(() => store.close());
    return store;
  }

  const newCaller = (): string => `key_${(callers += 1)}`;

  /** Makes concurrent requests of one caller, alternating between the processes. */
  function ask(processes: readonly RateLimiters[], caller: string, requests: number): Promise<RateLimitStatus>[] {
    return Array.from({ length: requests }, (_, index) => {
      const chosen = processes[index % processes.length];
      assert.ok(chosen);
      return chosen.countKey('sandbox', caller);
    });
  }

  const passed = (statuses: readonly RateLimitStatus[]): number => statuses.filter(({ exceeded }) => !exceeded).length;

  async function assertExact(processes: readonly RateLimiters[]): Promise<void> {
    const statuses = await Promise.all(ask(processes, newCaller(), 2 * LIMIT));
    const taken = statuses.filter(({ exceeded }) => !exceeded);
    assert.deepEqual(
      taken.map(({ remaining }) => remaining).sort((a, b) => a - b),
      Array.from({ length: LIMIT }, (_, remaining) => remaining),
    );
    for (const { limit, remaining, exceeded } of statuses) {
      assert.ok(limit === LIMIT && (!exceeded || remaining === 0));
    }
  }

  it('are exact in PostgreSQL', () => assertExact([createProcess(test.url), createProcess(test.url)]));

  it('count simultaneous requests of one caller with one statement', async () => {
    const pool = openPool(test.url);
    let statements = 0;
    pool.on('acquire', () => (statements += 1));
    const alone = createRateLimiters({ pool, redis: null, limits: LIMITS, logger: SILENT });
    const statuses = await Promise.all(ask([alone], newCaller(), LIMIT + 1));
    assert.equal(statements, 1);
    assert.deepEqual(
      statuses.map(({ remaining, exceeded }) => ({ remaining, exceeded })),
      Array.from({ length: LIMIT + 1 }, (_, place) => ({
        remaining: Math.max(LIMIT - 1 - place, 0),
        exceeded: place === LIMIT,
      })),
    );
  });

  it('do not query PostgreSQL again for a caller that they have rejected', async () => {
    const alone = createProcess(test.url);
    const caller = newCaller();
    await Promise.all(ask([alone], caller, LIMIT));
    const refused = await Promise.all(ask([alone], caller, LIMIT));
    assert.ok(
      refused.every(({ exceeded, remaining, resetAtMs }) => exceeded && remaining === 0 && resetAtMs > Date.now()),
    );
    const { points } = await test.database.rateLimit.findUniqueOrThrow({ where: { key: `sandbox:${caller}` } });
    assert.equal(points, LIMIT);
  });

  it('know an address that is over its limit, with no query more, until its window ends', async () => {
    const pool = openPool(test.url);
    let statements = 0;
    pool.on('acquire', () => (statements += 1));
    const alone = createRateLimiters({ pool, redis: null, limits: LIMITS, logger: SILENT });
    const address = '2001:db8:9:9::1';
    await Promise.all(Array.from({ length: LIMIT }, () => alone.countAddress(address)));
    assert.equal(alone.blockedAddress(address), null);
    const { resetAtMs } = await alone.countAddress(address);
    const before = statements;
    const blocked = { limit: LIMIT, remaining: 0, resetAtMs, exceeded: true };
    assert.deepEqual(alone.blockedAddress('2001:db8:9:9::2'), blocked);
    assert.deepEqual(await alone.countAddress('2001:db8:9:9::3'), blocked);
    assert.equal(alone.blockedAddress('2001:db8:9:8::1'), null);
    assert.equal(statements, before);
  });

  it('reject no caller wrongly and accept few too many when PostgreSQL cuts every connection', async () => {
    const processes = [createProcess(test.url), createProcess(test.url)];
    await Promise.all(ask(processes, newCaller(), processes.length));
    const caller = newCaller();
    const asked = ask(processes, caller, 2 * LIMIT);
    await test.cutConnections();
    const statuses = await Promise.all(asked);
    assert.ok(passed(statuses) <= LIMIT + processes.length * LOCAL_LIMIT, String(passed(statuses)));
    await eventually(() => assertExact(processes));
  });

  it('stay within a share of the limit while no store is available', async () => {
    const [port = 0] = await findFreePorts(1);
    const alone = createProcess(`postgresql://nobody:none@127.0.0.1:${port}/none`);
    const statuses = await Promise.all(ask([alone], newCaller(), LIMIT));
    assert.equal(passed(statuses), LOCAL_LIMIT);
    assert.ok(statuses.every(({ limit, resetAtMs }) => limit === LIMIT && resetAtMs > Date.now()));
  });

  it('log the beginning and the end of an outage once', async () => {
    const lines: string[] = [];
    const logger = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
    const alone = createProcess(test.url, null, logger);
    const askOften = () => Promise.all(ask([alone], newCaller(), 2));
    await askOften();
    await test.database.$executeRaw`ALTER TABLE rate_limit RENAME TO elsewhere`;
    await askOften();
    await test.database.$executeRaw`ALTER TABLE elsewhere RENAME TO rate_limit`;
    await askOften();
    const messages = lines.map((line) => (JSON.parse(line) as { readonly msg: string }).msg);
    assert.deepEqual(messages, ['PostgreSQL cannot count requests', 'PostgreSQL counts requests again']);
  });

  it('keep callers apart while there is no store at all', async () => {
    const [port = 0] = await findFreePorts(1);
    const alone = createProcess(`postgresql://nobody:none@127.0.0.1:${port}/none`);
    const many = Array.from({ length: 1_000 }, () => ask([alone], newCaller(), 1)).flat();
    for (const { remaining } of await Promise.all(many)) assert.equal(remaining, LOCAL_LIMIT - 1);
    const [first, second] = [newCaller(), newCaller()];
    await Promise.all(ask([alone], first, LOCAL_LIMIT));
    const statuses = await Promise.all([...ask([alone], first, 1), ...ask([alone], second, 1)]);
    assert.deepEqual(
      statuses.map(({ exceeded, remaining }) => ({ exceeded, remaining })),
      [
        { exceeded: true, remaining: 0 },
        { exceeded: false, remaining: LOCAL_LIMIT - 1 },
      ],
    );
  });

  it('count the addresses of one IPv6 network as one caller', async () => {
    const limiters = createProcess(test.url);
    await limiters.countAddress('2001:db8:1:2::1');
    const status = await limiters.countAddress('2001:db8:1:2:ffff:ffff:ffff:ffff');
    const other = await limiters.countAddress('2001:db8:1:3::1');
    assert.deepEqual([status.remaining, other.remaining], [LIMIT - 2, LIMIT - 1]);
  });

  describe('with Redis', () => {
    let redis: RedisServer;

    before(async function () {
      redis = await startRedisServer(this);
    });
    after(() => redis?.kill());

    const createProcesses = async (timeoutMs?: number): Promise<RateLimiters[]> => {
      const stores = [connectRedis(redis, timeoutMs), connectRedis(redis, timeoutMs)];
      await allReady(stores);
      return stores.map((store) => createProcess(test.url, store));
    };

    const allReady = (stores: readonly RedisStore[]): Promise<void> =>
      eventually(async () => assert.ok(stores.every(({ isReady }) => isReady)));

    const inPostgres = (caller: string): Promise<number> =>
      test.database.rateLimit.count({ where: { key: `sandbox:${caller}` } });

    it('are exact, and do not query PostgreSQL', async () => {
      const processes = await createProcesses();
      await assertExact(processes);
      assert.equal(await inPostgres(`key_${callers}`), 0);
    });

    it('fall back to PostgreSQL when Redis dies amid requests, and return to Redis with it', async () => {
      const processes = await createProcesses();
      const caller = newCaller();
      const asked = ask(processes, caller, LIMIT);
      const killed = redis.kill();
      const later = ask(processes, caller, 2 * LIMIT);
      await killed;
      const statuses = await Promise.all([...asked, ...later, ...ask(processes, caller, LIMIT)]);
      assert.ok(passed(statuses) >= LIMIT && passed(statuses) <= 2 * LIMIT, String(passed(statuses)));
      await assertExact(processes);

      await redis.start();
      await eventually(async () => {
        const next = newCaller();
        await Promise.all(ask(processes, next, processes.length));
        assert.equal(await inPostgres(next), 0);
      });
      await assertExact(processes);
    });

    it('fall back to PostgreSQL while Redis hangs, and return to Redis when it answers again', async () => {
      const processes = await createProcesses(IMPATIENT_MS);
      redis.pause();
      try {
        const caller = newCaller();
        const statuses = await Promise.all(ask(processes, caller, 2 * LIMIT));
        assert.equal(passed(statuses), LIMIT);
        assert.equal(await inPostgres(caller), 1);
      } finally {
        redis.resume();
      }
      await eventually(async () => {
        const next = newCaller();
        await Promise.all(ask(processes, next, processes.length));
        assert.equal(await inPostgres(next), 0);
      });
    });

    it('log when Redis rejects commands, each time, and when it accepts them again', async () => {
      const logged: string[] = [];
      const store = createRedisStore({
        url: redis.url,
        timeoutMs: PATIENT_MS,
        onUnavailable: (error) => logged.push(String(error)),
        onRecovered: () => logged.push('recovered'),
      });
      toClose.push(() => store.close());
      await allReady([store]);
      const run = (script: string) => store.eval(script, { keys: [], arguments: [] }).catch(() => undefined);
      const refusal = "return redis.error_reply('READONLY')";
      for (const script of ['return 1', refusal, refusal, 'return 1', 'return 1', refusal]) await run(script);
      assert.deepEqual(
        logged.map((line) => /READONLY|recovered/.exec(line)?.[0]),
        ['READONLY', 'recovered', 'READONLY'],
      );
    });

    it('stay within a share of the limit while PostgreSQL is unavailable too', async () => {
      const [port = 0] = await findFreePorts(1);
      const store = connectRedis(redis);
      await allReady([store]);
      const alone = createProcess(`postgresql://nobody:none@127.0.0.1:${port}/none`, store);
      assert.equal(passed(await Promise.all(ask([alone], newCaller(), 2 * LIMIT))), LIMIT);
      await redis.kill();
      assert.equal(passed(await Promise.all(ask([alone], newCaller(), 2 * LIMIT))), LOCAL_LIMIT);
    });
  });
});
