import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import { UserError } from '../../domain/user-error.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { EVENTS_SOCKET_PATH } from '../../gateway/attach-gateway.ts';
import { findFreePorts } from '../../sandbox/stack/ports.ts';
import { SANDBOX_ACCOUNTS } from '../../sandbox/stack/sandbox-data.ts';
import type { Bench, Figure } from '../benchmark.ts';
import { fillAccounts } from '../fill-accounts.ts';
import { percentile } from '../interleave.ts';
import { type LoadProcess, startLoadProcess } from '../load/load-process.ts';
import { createMerchantCalls, type MerchantCalls } from '../load/merchant-calls.ts';
import { memoryOfTree } from '../../sandbox/process-tree.ts';
import { type Clients, openClients } from './client-processes.ts';

const SOCKETS = 5_000;
const CLIENT_PROCESSES = 5;
const PAYMENTS_PER_MINUTE = 1_000;
/** How long payments are made. */
const FLOW_MS = 30 * SECOND_MS;
const PAYMENTS = Math.round((PAYMENTS_PER_MINUTE * FLOW_MS) / MINUTE_MS);
const WARM_UP_PAYMENTS = 20;
const CREATED_TOGETHER = 8;
/** Time for the last events to arrive. */
const SETTLE_MS = 2 * SECOND_MS;
/** Open files of a process besides its sockets. */
const OTHER_FILES = 200;
const KIB = 1_024;

/** Measures the memory of a gateway with many sockets, and the latency of events. */
export async function benchmarkSockets(bench: Bench): Promise<readonly Figure[]> {
  const { report, signal, sizes, keep } = bench;
  const count = Math.max(sizes.sockets ?? SOCKETS, PAYMENTS + WARM_UP_PAYMENTS);
  await assertEnoughFiles(count + OTHER_FILES);
  const { sandbox, superuserUrl } = await bench.startEngine();
  const { databaseUrl } = sandbox;
  const calls = createMerchantCalls(sandbox);
  report(`Creating ${PAYMENTS + WARM_UP_PAYMENTS} intents to be paid and writing others that only are watched …`);
  const ids = await createSome(calls, PAYMENTS + WARM_UP_PAYMENTS, signal);
  await fillAccounts(superuserUrl, [{ merchantAccountId: SANDBOX_ACCOUNTS[1].id, count: count - ids.length }]);
  const secrets = await assignSecrets(databaseUrl);
  const [port = 0] = await findFreePorts(1);
  const gateway = await startLoadProcess('sockets/gateway-process', { databaseUrl, port, sockets: count }, signal);
  let clients: Clients | undefined;
  try {
    const before = await memoryOf(gateway, port);
    report(`Opening ${count.toLocaleString('en')} sockets …`);
    const url = `ws://127.0.0.1:${port}${EVENTS_SOCKET_PATH}`;
    clients = await openClients({ url, secrets }, CLIENT_PROCESSES, signal);
    const after = await memoryOf(gateway, port);
    const perSocket = (name: 'rss' | 'heapUsed', then: Memory) => (then[name] - before[name]) / count / KIB;
    const opened = [
      { what: 'sockets on one gateway', value: count, unit: '' },
      { what: 'resident memory of a socket', value: perSocket('rss', after), unit: 'KiB' },
      { what: 'heap of a socket', value: perSocket('heapUsed', after), unit: 'KiB' },
    ];
    keep(opened);
    await payAtRate(calls, ids.slice(PAYMENTS), signal);
    await sleep(SETTLE_MS);
    const uncounted = clients.latencies.length;
    report(`Paying ${PAYMENTS_PER_MINUTE.toLocaleString('en')} a minute for ${FLOW_MS / SECOND_MS} s …`);
    const { succeeded, elapsedMs, lastFailure } = await payAtRate(calls, ids.slice(0, PAYMENTS), signal);
    if (lastFailure !== null)
      report(`${PAYMENTS - succeeded} payments have no outcome yet, the last one: ${lastFailure}`);
    await sleep(SETTLE_MS);
    const flown = await memoryOf(gateway, port);
    if (clients.lost() > 0) throw new Error(`${clients.lost()} sockets were lost`);
    const latencies = clients.latencies.slice(uncounted);
    return [
      ...opened,
      { what: 'resident memory of a socket, after events', value: perSocket('rss', flown), unit: 'KiB' },
      { what: 'heap of a socket, after events', value: perSocket('heapUsed', flown), unit: 'KiB' },
      { what: 'resident memory of the gateway', value: flown.rss / KIB / KIB, unit: 'MiB' },
      { what: 'payments made meanwhile', value: (succeeded / elapsedMs) * MINUTE_MS, unit: '/min' },
      { what: 'events received', value: latencies.length, unit: '' },
      { what: 'event to client, median', value: percentile(latencies, 0.5), unit: 'ms' },
      { what: 'event to client, 99 %', value: percentile(latencies, 0.99), unit: 'ms' },
    ];
  } finally {
    await Promise.all([clients?.end(), gateway.end()]);
  }
}

/** Node raises its own limit of open files to the system's maximum. */
async function assertEnoughFiles(needed: number): Promise<void> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const [, hard] = /^Max open files\s+\d+\s+(\d+)/m.exec(limits) ?? [];
  if (hard !== undefined && Number(hard) < needed) {
    throw new UserError(
      `A process may have ${hard} files open here and ${needed} are needed: raise the limit with "ulimit -n ${needed}".`,
    );
  }
}

async function createSome(calls: MerchantCalls, count: number, signal: AbortSignal): Promise<readonly string[]> {
  const ids: string[] = [];
  const create = async (): Promise<void> => {
    while (ids.length < count) {
      signal.throwIfAborted();
      ids.push(await calls.create());
    }
  };
  await Promise.all(Array.from({ length: CREATED_TOGETHER }, create));
  return ids;
}

/** Gives every intent a known client secret. */
async function assignSecrets(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl, query_timeout: 30 * SECOND_MS });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>('SELECT id FROM payment_intent');
    const secrets = rows.map(({ id }) => `${id}_secret`);
    const hashes = secrets.map((secret) => createHash('sha256').update(secret).digest('hex'));
    await client.query(
      `UPDATE payment_intent SET client_secret_hash = given.hash
       FROM unnest($1::text[], $2::text[]) AS given (id, hash) WHERE payment_intent.id = given.id`,
      [rows.map(({ id }) => id), hashes],
    );
    return secrets;
  } finally {
    await client.end();
  }
}

interface Flow {
  readonly succeeded: number;
  readonly elapsedMs: number;
  readonly lastFailure: string | null;
}

/** Payments do not wait for one another; on a machine that is too slow for the rate, some end without an outcome. */
async function payAtRate(calls: MerchantCalls, ids: readonly string[], signal: AbortSignal): Promise<Flow> {
  const startedAt = performance.now();
  const inProgress: Promise<boolean>[] = [];
  let lastFailure: string | null = null;
  const pay = async (id: string): Promise<boolean> => {
    try {
      await calls.confirm(id);
      return true;
    } catch (error) {
      lastFailure = String(error);
      return false;
    }
  };
  for (const [index, id] of ids.entries()) {
    const dueMs = startedAt + (index * MINUTE_MS) / PAYMENTS_PER_MINUTE;
    await sleep(Math.max(0, dueMs - performance.now()), undefined, { signal });
    inProgress.push(pay(id));
  }
  const succeeded = (await Promise.all(inProgress)).filter(Boolean).length;
  return { succeeded, elapsedMs: performance.now() - startedAt, lastFailure };
}

const memorySchema = z.object({ heapUsed: z.number() });

interface Memory {
  readonly rss: number;
  readonly heapUsed: number;
}

/** In bytes, after a garbage collection. */
async function memoryOf(gateway: LoadProcess, port: number): Promise<Memory> {
  const answer = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(30 * SECOND_MS) });
  const { heapUsed } = memorySchema.parse(await answer.json());
  return { heapUsed, rss: memoryOfTree(gateway.pid) };
}
