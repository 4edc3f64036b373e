import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import { SECOND_MS } from '../../domain/time.ts';
import { type Credentials, sendSigned } from '../../sandbox/signed-request.ts';
import { SANDBOX_ACCOUNTS } from '../../sandbox/stack/sandbox-data.ts';
import type { Stack } from '../../sandbox/stack/stack.ts';
import type { Bench, Figure } from '../benchmark.ts';
import { enginePids } from '../engine-pids.ts';
import { fillAccounts } from '../fill-accounts.ts';
import { percentile, type Samples } from '../interleave.ts';
import { cpuMsBetween, readCpuMs } from '../measures/cpu.ts';
import { countDue, countPending, fillDeliveries, makeAllDue } from './fill-backlogs.ts';
import { type MerchantReceiver, startMerchantReceiver } from './merchant-receiver.ts';

/** Failing endpoints of one account, and the deliveries that wait for each. */
const ENDPOINTS = 8;
const DELIVERIES_OF_EACH = 3_000;
/** Events of the other account that are timed in each turn. */
const EVENTS = 60;
const DUE_PAYMENTS = 50_000;
const DUE_OF_OTHER = 20;
const POLL_MS = 5;
const IDLE_MS = 20 * SECOND_MS;
/** Time in which the endpoints fail so often that they count as failing. */
const FAIL_WITHIN_MS = 20 * SECOND_MS;

const P50_AT_MOST_MS = 1_000;
const P99_AT_MOST_MS = 3_000;
const SWEPT_AT_MOST_S = 30;

const [OTHER, TROUBLED] = SANDBOX_ACCOUNTS;
const idOf = z.object({ data: z.object({ id: z.string() }) });

/**
 * Measures what one account's trouble costs another: webhooks beside endpoints that fail and that come back, and a sweep beside very
 * many payments that are due. `--clients` endpoints fail, and `--rows` deliveries wait for each; `--intents` payments are due.
 */
export async function benchmarkIsolation(bench: Bench): Promise<readonly Figure[]> {
  const { report, signal, sizes } = bench;
  const stack = await bench.startEngine();
  const client = new pg.Client({ connectionString: stack.superuserUrl });
  await client.connect();
  const receivers = [await startMerchantReceiver(204), await startMerchantReceiver(500)] as const;
  try {
    const webhooks = await measureWebhooks({ stack, client, receivers, report, signal, sizes });
    const swept = await measureSweep({ stack, client, report, signal, sizes });
    return [...webhooks, ...swept];
  } finally {
    for (const receiver of receivers) receiver.close();
    await client.end();
  }
}

interface Context extends Pick<Bench, 'report' | 'signal' | 'sizes'> {
  readonly stack: Stack;
  readonly client: pg.Client;
}

interface WebhookContext extends Context {
  /** Of the other account, and of the one in trouble. */
  readonly receivers: readonly [MerchantReceiver, MerchantReceiver];
}

async function measureWebhooks(context: WebhookContext): Promise<readonly Figure[]> {
  const { stack, client, receivers, report, signal, sizes } = context;
  const [healthy, failing] = receivers;
  const ofEach = sizes.rows ?? DELIVERIES_OF_EACH;
  const { sandbox, superuserUrl } = stack;
  await createEndpoint(sandbox, OTHER.id, healthy.url);
  await createIntent(sandbox, TROUBLED.id);
  for (let number = 0; number < (sizes.clients ?? ENDPOINTS); number += 1) {
    await createEndpoint(sandbox, TROUBLED.id, failing.url);
  }
  await timeWebhooks(sandbox, healthy, { count: 10, signal });
  report('Timing webhooks of a healthy endpoint alone …');
  const alone = await timeWebhooks(sandbox, healthy, { count: EVENTS, signal });
  report('Writing the deliveries of endpoints that fail …');
  await fillDeliveries(superuserUrl, TROUBLED.id, ofEach);
  const total = await countPending(client, TROUBLED.id);
  report(`${total.toLocaleString('en')} deliveries wait. Timing webhooks of the healthy endpoint beside them …`);
  const beside = await timeWebhooks(sandbox, healthy, { count: EVENTS, signal });
  await sleep(FAIL_WITHIN_MS, undefined, { signal });
  const idleShare = await processorShare(stack, signal);
  report('The endpoints answer again …');
  failing.setStatus(204);
  const startedAt = performance.now();
  const during = timeWebhooks(sandbox, healthy, { count: EVENTS, signal });
  while ((await countPending(client, TROUBLED.id)) > 0) await sleep(SECOND_MS, undefined, { signal });
  const seconds = (performance.now() - startedAt) / SECOND_MS;
  return [
    ...latencies('webhook alone', alone, {}),
    ...latencies('webhook beside failing endpoints', beside, { p50: P50_AT_MOST_MS, p99: P99_AT_MOST_MS }),
    ...latencies('webhook while they come back', await during, { p50: P50_AT_MOST_MS, p99: P99_AT_MOST_MS }),
    { what: 'processor of the engine beside failing endpoints', value: idleShare, unit: ' cores' },
    { what: 'deliveries that waited', value: total, unit: '' },
    { what: 'all delivered after the endpoints answer', value: seconds, unit: 's' },
    { what: 'delivered, once they answer', value: total / seconds, unit: '/s' },
  ];
}

/** The cores that worker, Temporal and PostgreSQL use together while nothing is requested. */
async function processorShare(stack: Stack, signal: AbortSignal): Promise<number> {
  const { worker = 0, Temporal = 0, PostgreSQL = 0 } = enginePids(stack, 0);
  const pids = { worker, Temporal, PostgreSQL };
  const before = readCpuMs(pids);
  await sleep(IDLE_MS, undefined, { signal });
  const used = cpuMsBetween(before, readCpuMs(pids));
  return used === null ? Number.NaN : Object.values(used).reduce((sum, ms) => sum + ms, 0) / IDLE_MS;
}

/** Times a sweep of a few payments beside very many of another account, which have been due for longer. */
async function measureSweep({ stack, client, report, signal, sizes }: Context): Promise<readonly Figure[]> {
  const { superuserUrl } = stack;
  const count = sizes.intents ?? DUE_PAYMENTS;
  report(`Writing ${count.toLocaleString('en')} payments that are due …`);
  await fillAccounts(superuserUrl, [
    { merchantAccountId: TROUBLED.id, count },
    { merchantAccountId: OTHER.id, count: DUE_OF_OTHER },
  ]);
  await makeAllDue(superuserUrl, TROUBLED.id, '1 hour');
  await makeAllDue(superuserUrl, OTHER.id, '0 seconds');
  const startedAt = performance.now();
  while ((await countDue(client, OTHER.id)) > 0) await sleep(100, undefined, { signal });
  const seconds = (performance.now() - startedAt) / SECOND_MS;
  const left = await countDue(client, TROUBLED.id);
  return [
    { what: "another account's due payments are swept after", value: seconds, unit: 's', atMost: SWEPT_AT_MOST_S },
    { what: 'of the account with very many, still due then', value: left, unit: '' },
  ];
}

interface TimedEvents {
  readonly count: number;
  readonly signal: AbortSignal;
}

/** The time from the answer of each creation to its webhook, in milliseconds. */
async function timeWebhooks(
  credentials: Credentials,
  receiver: MerchantReceiver,
  { count, signal }: TimedEvents,
): Promise<Samples> {
  const samples: number[] = [];
  for (let number = 0; number < count; number += 1) {
    const id = await createIntent(credentials, OTHER.id);
    const createdAt = performance.now();
    while (receiver.takenAt(id) === undefined) await sleep(POLL_MS, undefined, { signal });
    samples.push(Math.max(0, (receiver.takenAt(id) ?? 0) - createdAt));
  }
  return samples;
}

async function createEndpoint(credentials: Credentials, accountId: string, url: string): Promise<void> {
  await post(credentials, accountId, '/api/v1/webhook-endpoints', { url, enabledEvents: ['payment_intent.created'] });
}

function createIntent(credentials: Credentials, accountId: string): Promise<string> {
  return post(credentials, accountId, '/api/v1/payment-intents', { amount: 1999, currency: 'USD' });
}

async function post(credentials: Credentials, accountId: string, path: string, body: object): Promise<string> {
  const answer = await sendSigned(credentials, {
    method: 'POST',
    path,
    body,
    headers: { 'X-Merchant-ID': accountId, 'X-Idempotency-Key': crypto.randomUUID() },
  });
  const text = await answer.text();
  if (answer.status !== 201) throw new Error(`${path} was answered with ${answer.status}: ${text}`);
  return idOf.parse(JSON.parse(text)).data.id;
}

interface Bounds {
  readonly p50?: number;
  readonly p99?: number;
}

function latencies(what: string, samples: Samples, { p50, p99 }: Bounds): Figure[] {
  const bounded = (atMost: number | undefined) => (atMost === undefined ? {} : { atMost });
  return [
    { what: `${what}, p50`, value: percentile(samples, 0.5), unit: 'ms', ...bounded(p50) },
    { what: `${what}, p99`, value: percentile(samples, 0.99), unit: 'ms', ...bounded(p99) },
  ];
}
