import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { WebSocket } from 'ws';
import { EVENTS_SOCKET_PATH } from '../../gateway/attach-gateway.ts';
import { SECOND_MS } from '../../domain/time.ts';
import { sendSigned } from '../../sandbox/signed-request.ts';
import { signRequest } from '../../sdk/server/sign.ts';
import type { Stack } from '../../sandbox/stack/stack.ts';
import type { Bench, Figure } from '../benchmark.ts';
import { fillAccounts } from '../fill-accounts.ts';
import { type LoadProcess, startLoadProcess } from '../load/load-process.ts';
import { type Condition, figuresOfComparison } from './alone-and-beside.ts';
import { fillEvents } from './fill-backlogs.ts';
import { type BenchMerchant, createIntent, createMerchants } from './merchants.ts';

const ROWS = 100_000;
const TURN_MS = 10 * SECOND_MS;
const TURNS = 2;
const READS_PER_SECOND = 40;
/** What a merchant may have at a time. */
const EXPORTS = 2;
const SOCKETS = 8;
const RATIO_AT_MOST = 1.5;

const NEWLINE = 0x0a;
const POLL_MS = 100;
const NOT_PLANNED = `
  SELECT FROM event WHERE position IS NULL UNION ALL
  SELECT FROM webhook_cursor JOIN event_counter ON scope = '*' AND last_value > position LIMIT 1`;

/** What the other merchant does meanwhile, again and again. @returns how many rows or events it got */
type Bulk = (merchant: BenchMerchant, signal: AbortSignal) => Promise<number>;

interface BulkWork {
  readonly name: string;
  readonly atOnce: number;
  readonly run: Bulk;
  /** Writes so many rows for it. @returns what is measured of that */
  readonly prepare: (stack: Stack, merchantAccountId: string, count: number, signal: AbortSignal) => Promise<Figure[]>;
}

/**
 * Times reads and confirms of one merchant while another exports `--rows` payments: `--turns` of `--seconds` each, alone and beside
 * it in turns.
 */
export function benchmarkExportIsolation(bench: Bench): Promise<readonly Figure[]> {
  const prepare: BulkWork['prepare'] = async (stack, merchantAccountId, count) => {
    await fillAccounts(stack.superuserUrl, [{ merchantAccountId, count }]);
    return [];
  };
  return measureBulk(bench, { name: 'exports', atOnce: EXPORTS, run: exportAll, prepare });
}

/** The same while another merchant replays `--rows` events by eight sockets at a time. */
export function benchmarkReplayIsolation(bench: Bench): Promise<readonly Figure[]> {
  const prepare: BulkWork['prepare'] = async (stack, merchantAccountId, count, signal) => {
    const writtenFrom = performance.now();
    await fillEvents(stack.superuserUrl, merchantAccountId, count);
    await untilPlanned(stack.superuserUrl, signal);
    const seconds = (performance.now() - writtenFrom) / SECOND_MS;
    return [{ what: 'events written, numbered and planned, per second', value: count / seconds, unit: '/s' }];
  };
  return measureBulk(bench, { name: 'replays', atOnce: SOCKETS, run: replayAll, prepare });
}

async function measureBulk(bench: Bench, { name, atOnce, run, prepare }: BulkWork): Promise<readonly Figure[]> {
  const { startEngine, report, signal, sizes, keep } = bench;
  const stack = await startEngine();
  const { other, troubled } = await createMerchants(stack);
  const count = sizes.rows ?? ROWS;
  report(`Writing ${count.toLocaleString('en')} rows for ${name} …`);
  const figures = await prepare(stack, troubled.merchantAccountId, count, signal);
  keep(figures);
  const url = `${other.baseUrl}/api/v1/payment-intents/${await createIntent(other)}`;
  const reads = await startLoadProcess(
    'reads/read-load',
    { url, credentials: { ...other, merchantId: other.merchantAccountId } },
    signal,
  );
  const payments = await startLoadProcess('load/payments-load', other, signal);
  const durationMs = sizes.seconds === undefined ? TURN_MS : sizes.seconds * SECOND_MS;
  try {
    await measureTurn({ reads, payments }, durationMs);
    const measured = { read: { alone: [], beside: [] }, confirm: { alone: [], beside: [] } } as Measured;
    let rows = 0;
    for (let turn = 0; turn < (sizes.turns ?? TURNS); turn += 1) {
      add(measured, 'alone', await measureTurn({ reads, payments }, durationMs));
      report(`Reads and confirms beside ${name} …`);
      const over = new AbortController();
      const until = AbortSignal.any([signal, over.signal]);
      const bulk = Promise.all(Array.from({ length: atOnce }, () => repeat(run, troubled, until)));
      add(measured, 'beside', await measureTurn({ reads, payments }, durationMs));
      over.abort();
      rows += (await bulk).reduce((sum, each) => sum + each, 0);
    }
    const measuredSeconds = (durationMs * (sizes.turns ?? TURNS)) / SECOND_MS;
    return [
      ...figures,
      { what: `${name}: rows or events that it got, per second`, value: rows / measuredSeconds, unit: '/s' },
      ...figuresOfComparison({ what: `read beside ${name}`, samples: measured.read, atMost: RATIO_AT_MOST }),
      ...figuresOfComparison({ what: `confirm beside ${name}`, samples: measured.confirm, atMost: RATIO_AT_MOST }),
    ];
  } finally {
    await Promise.all([reads.end(), payments.end()]);
  }
}

type Measured = Readonly<Record<'read' | 'confirm', Record<Condition, number[]>>>;

interface Turn {
  readonly read: readonly number[];
  readonly confirm: readonly number[];
}

async function measureTurn(
  { reads, payments }: { readonly reads: LoadProcess; readonly payments: LoadProcess },
  durationMs: number,
): Promise<Turn> {
  const [read, paid] = await Promise.all([
    reads.run({ kind: 'arrivals', perSecond: READS_PER_SECOND, durationMs }),
    payments.run({ kind: 'clients', clients: 1, durationMs }),
  ]);
  return { read: read.steps.read ?? [], confirm: paid.steps.confirm ?? [] };
}

function add(measured: Measured, condition: Condition, { read, confirm }: Turn): void {
  measured.read[condition].push(...read);
  measured.confirm[condition].push(...confirm);
}

async function repeat(run: Bulk, merchant: BenchMerchant, signal: AbortSignal): Promise<number> {
  let rows = 0;
  while (!signal.aborted) rows += await run(merchant, signal);
  return rows;
}

async function exportAll(merchant: BenchMerchant, signal: AbortSignal): Promise<number> {
  const headers = { Accept: 'text/csv' };
  const answer = await sendSigned(merchant, { method: 'GET', path: '/api/v1/payment-intents', headers });
  if (answer.status === 429) await sleep(SECOND_MS);
  let lines = 0;
  const chunks: AsyncIterable<Uint8Array> | null = answer.body;
  for await (const chunk of chunks ?? []) {
    lines += chunk.filter((byte) => byte === NEWLINE).length;
    if (signal.aborted) break;
  }
  return lines;
}

/** Follows the account from its first event, until all that it missed was sent. */
function replayAll(merchant: BenchMerchant, signal: AbortSignal): Promise<number> {
  const target = EVENTS_SOCKET_PATH;
  const headers = signRequest(merchant, { method: 'GET', target, body: undefined });
  const socket = new WebSocket(`${merchant.baseUrl.replace('http', 'ws')}${target}`, {
    headers,
    perMessageDeflate: false,
  });
  let events = 0;
  return new Promise((resolve, reject) => {
    const end = (): void => {
      socket.terminate();
      resolve(events);
    };
    signal.addEventListener('abort', end, { once: true });
    socket.on('open', () => socket.send(JSON.stringify({ type: 'subscribe', after: 'evt_bench_1' })));
    socket.on('message', () => {
      events += 1;
    });
    socket.on('close', end);
    socket.on('error', (error) => (signal.aborted ? end() : reject(error)));
  });
}

/** Waits until all events have their numbers, and their deliveries are planned. */
async function untilPlanned(superuserUrl: string, signal: AbortSignal): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    for (;;) {
      const { rowCount } = await client.query(NOT_PLANNED);
      if (rowCount === 0) break;
      await sleep(POLL_MS, undefined, { signal });
    }
    await client.query('VACUUM ANALYZE event');
  } finally {
    await client.end();
  }
}
