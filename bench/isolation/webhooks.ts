import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { newId } from '../../domain/new-id.ts';
import { SECOND_MS } from '../../domain/time.ts';
import type { Stack } from '../../sandbox/stack/stack.ts';
import type { Bench, Figure } from '../benchmark.ts';
import { enginePids } from '../engine-pids.ts';
import { percentile, type Samples } from '../interleave.ts';
import { cpuMsBetween, readCpuMs } from '../measures/cpu.ts';
import { addAccount, countPending, fillDeliveries } from './fill-backlogs.ts';
import { type MerchantReceiver, startMerchantReceiver } from './merchant-receiver.ts';
import { type BenchMerchant, createIntent, createMerchants, post } from './merchants.ts';

/** Failing endpoints of one merchant, and the deliveries that wait for each. */
const ENDPOINTS = 8;
const DELIVERIES_OF_EACH = 3_000;
/** What the API allows. */
const ENDPOINTS_OF_ACCOUNT = 20;
/** Events of the other merchant that are timed in each turn, and those before. */
export const EVENTS = 40;
export const WARM_UP_EVENTS = 5;
const POLL_MS = 5;
const IDLE_MS = 10 * SECOND_MS;
/** Time in which the endpoints fail so often that they count as failing. */
const FAIL_WITHIN_MS = 15 * SECOND_MS;

/** The aim for the webhooks of another merchant. */
export const WEBHOOK_BOUNDS = { p50: 1_000, p99: 3_000 };

/**
 * Times webhooks of one merchant beside endpoints of another that fail, and while these come back. `--clients` endpoints fail, and
 * `--rows` deliveries wait for each.
 */
export async function benchmarkWebhookIsolation(bench: Bench): Promise<readonly Figure[]> {
  const stack = await bench.startEngine();
  const client = new pg.Client({ connectionString: stack.superuserUrl });
  await client.connect();
  const [healthy, failing] = [await startMerchantReceiver(204), await startMerchantReceiver(500)];
  try {
    return await measure(bench, { stack, client, healthy, failing });
  } finally {
    for (const receiver of [healthy, failing]) receiver.close();
    await client.end();
  }
}

interface Subjects {
  readonly stack: Stack;
  readonly client: pg.Client;
  readonly healthy: MerchantReceiver;
  readonly failing: MerchantReceiver;
}

async function measure(bench: Bench, { stack, client, healthy, failing }: Subjects): Promise<readonly Figure[]> {
  const { report, signal, keep, sizes } = bench;
  const { other, troubled } = await createMerchants(stack);
  const figures: Figure[] = [];
  const note = (...some: readonly Figure[]): void => {
    figures.push(...some);
    keep(some);
  };
  await post(other, '/api/v1/webhook-endpoints', endpointAt(healthy.url));
  const accounts = await createEndpoints(client, troubled, failing.url, sizes.clients ?? ENDPOINTS);
  await timeWebhooks(other, healthy, WARM_UP_EVENTS, signal);
  report('Timing webhooks of a healthy endpoint alone …');
  note(...latencies('webhook alone', await timeWebhooks(other, healthy, EVENTS, signal), {}));
  report('Writing the deliveries of endpoints that fail …');
  await fillDeliveries(stack.superuserUrl, accounts, sizes.rows ?? DELIVERIES_OF_EACH);
  const total = await countPending(client, accounts);
  note({ what: 'deliveries that wait', value: total, unit: '' });
  report(`${total.toLocaleString('en')} deliveries wait. Timing webhooks of the healthy endpoint beside them …`);
  const bounds = WEBHOOK_BOUNDS;
  note(...latencies('webhook beside failing endpoints', await timeWebhooks(other, healthy, EVENTS, signal), bounds));
  await sleep(FAIL_WITHIN_MS, undefined, { signal });
  const idleCores = await processorShare(stack, signal);
  note({ what: 'processor of the engine beside failing endpoints', value: idleCores, unit: ' cores' });
  report('The endpoints answer again …');
  failing.setStatus(204);
  const during = timeWebhooks(other, healthy, EVENTS, signal).then((samples) =>
    note(...latencies('webhook while they come back', samples, bounds)),
  );
  const [delivered] = await Promise.all([untilDelivered(bench, { client, accounts, total }), during]);
  return [...figures, ...delivered];
}

interface Waiting {
  readonly client: pg.Client;
  readonly accounts: readonly string[];
  readonly total: number;
}

/** Waits until all was delivered, and keeps the rate so far. */
async function untilDelivered(
  { keep, signal }: Bench,
  { client, accounts, total }: Waiting,
): Promise<readonly Figure[]> {
  const startedAt = performance.now();
  let figures: readonly Figure[] = [];
  for (let left = total; left > 0;) {
    await sleep(2 * SECOND_MS, undefined, { signal });
    left = await countPending(client, accounts);
    const seconds = (performance.now() - startedAt) / SECOND_MS;
    figures = [
      { what: 'delivered once they answer, per second', value: (total - left) / seconds, unit: '/s' },
      { what: 'still to be delivered', value: left, unit: '' },
      { what: 'time since they answer', value: seconds, unit: 's' },
    ];
    keep(figures);
  }
  return figures;
}

/** The body of a request that makes an endpoint. */
export const endpointAt = (url: string) => ({ url, enabledEvents: ['payment_intent.created'] });

/** Makes the endpoints, in as many accounts as they need, with an event in each account. @returns the accounts */
export async function createEndpoints(
  client: pg.Client,
  troubled: BenchMerchant,
  url: string,
  count: number,
): Promise<readonly string[]> {
  const accounts = [troubled.merchantAccountId];
  await createIntent(troubled);
  for (let made = 0; made < count; made += 1) {
    if (made > 0 && made % ENDPOINTS_OF_ACCOUNT === 0) {
      const account = newId('merchantAccount');
      await addAccount(client, { like: troubled.merchantAccountId, account });
      accounts.push(account);
      await createIntent(troubled, account);
    }
    await post(troubled, '/api/v1/webhook-endpoints', endpointAt(url), accounts.at(-1));
  }
  return accounts;
}

/** The cores that worker, Temporal and PostgreSQL use together while nothing is requested. */
export async function processorShare(stack: Stack, signal: AbortSignal): Promise<number> {
  const { worker = 0, Temporal = 0, PostgreSQL = 0 } = enginePids(stack, 0);
  const pids = { worker, Temporal, PostgreSQL };
  const before = readCpuMs(pids);
  await sleep(IDLE_MS, undefined, { signal });
  const used = cpuMsBetween(before, readCpuMs(pids));
  return used === null ? Number.NaN : Object.values(used).reduce((sum, ms) => sum + ms, 0) / IDLE_MS;
}

/** The time from the answer of each creation to its webhook, in milliseconds. */
export async function timeWebhooks(
  merchant: BenchMerchant,
  receiver: MerchantReceiver,
  count: number,
  signal: AbortSignal,
): Promise<Samples> {
  const samples: number[] = [];
  for (let number = 0; number < count; number += 1) {
    const id = await createIntent(merchant);
    const createdAt = performance.now();
    while (receiver.takenAt(id) === undefined) await sleep(POLL_MS, undefined, { signal });
    samples.push(Math.max(0, (receiver.takenAt(id) ?? 0) - createdAt));
  }
  return samples;
}

interface Bounds {
  readonly p50?: number;
  readonly p99?: number;
}

/** The percentiles of times, with their bounds. */
export function latencies(what: string, samples: Samples, { p50, p99 }: Bounds): Figure[] {
  const bounded = (atMost: number | undefined) => (atMost === undefined ? {} : { atMost });
  return [
    { what: `${what}, p50`, value: percentile(samples, 0.5), unit: 'ms', ...bounded(p50) },
    { what: `${what}, p99`, value: percentile(samples, 0.99), unit: 'ms', ...bounded(p99) },
  ];
}
