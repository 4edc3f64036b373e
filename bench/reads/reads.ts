import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { z } from 'zod';
import { SECOND_MS } from '../../domain/time.ts';
import { findFreePorts } from '../../sandbox/stack/ports.ts';
import { raisePriority } from '../../sandbox/stack/raise-priority.ts';
import { SANDBOX_ACCOUNTS } from '../../sandbox/stack/sandbox-data.ts';
import { signedHeaders } from '../../sdk/server/sign.ts';
import type { Bench, Figure } from '../benchmark.ts';
import { fillAccounts } from '../fill-accounts.ts';
import { percentile } from '../interleave.ts';
import { type LoadProcess, startLoadProcess } from '../load/load-process.ts';

const FEW = 10_000;
const MANY = 1_000_000;
const CLIENTS = 8;
const ROUNDS = 38;
/** Enough for the JIT to compile the code of both subjects; the API has more. */
const WARM_UP_ROUNDS = 12;
/** Short, so that disturbances of the machine affect both subjects alike. */
const TURN_MS = 200;
/** The least share of a bare handler's rate that the API reaches with authentication, rate limits, validation and logs. */
const RATIO_AT_LEAST = 0.6;
/** The highest ratio of the time of a page at a million intents to that at ten thousand. */
const GROWTH_AT_MOST = 1.5;

const PATH = '/payment-intents';
const [SMALL, LARGE] = SANDBOX_ACCOUNTS;

/** A read that both the API and a bare handler serve. */
interface Case {
  readonly what: string;
  readonly api: string;
  readonly bare: string;
  readonly credentials: { readonly apiKey: string; readonly secretSalt: string; readonly merchantId: string };
}

/** The measurements of one subject of a case. */
interface Subject {
  readonly load: LoadProcess;
  done: number;
  elapsedMs: number;
  readonly times: number[];
}

/** A case with the measurements of both subjects. */
interface Measured extends Case {
  readonly subjects: { readonly api: Subject; readonly bare: Subject };
}

/** Measures reads of an intent and of a page, alternating with a bare handler that gives the same responses from one query. */
export async function benchmarkReads(bench: Bench): Promise<readonly Figure[]> {
  const { startEngine, report, sizes, signal, keep } = bench;
  const many = sizes.rows ?? MANY;
  const { sandbox, superuserUrl } = await startEngine();
  report(`Writing ${many.toLocaleString('en')} and ${FEW.toLocaleString('en')} intents (a minute for a million) …`);
  const targets = [
    { merchantAccountId: LARGE.id, count: many },
    { merchantAccountId: SMALL.id, count: FEW },
  ];
  await fillAccounts(superuserUrl, targets);
  signal.throwIfAborted();
  const loads: LoadProcess[] = [];
  const start = async (program: string, settings: object): Promise<LoadProcess> => {
    const load = await startLoadProcess(program, settings, signal);
    loads.push(load);
    return load;
  };
  try {
    const cases: Case[] = [];
    for (const { merchantAccountId, count } of targets) {
      const [port = 0] = await findFreePorts(1);
      const server = await start('reads/bare-server', { databaseUrl: sandbox.databaseUrl, port, merchantAccountId });
      // As the API's is.
      raisePriority(server.pid);
      const bare = `http://127.0.0.1:${port}${PATH}`;
      const api = `${sandbox.baseUrl}/api/v1${PATH}`;
      const { apiKey, secretSalt } = sandbox;
      const credentials = { apiKey, secretSalt, merchantId: merchantAccountId };
      const id = await someIntent(sandbox.databaseUrl, merchantAccountId);
      const of = `of ${count.toLocaleString('en')} intents`;
      cases.push({ what: `one ${of}`, api: `${api}/${id}`, bare: `${bare}/${id}`, credentials });
      cases.push({ what: `first page ${of}`, api, bare, credentials });
    }
    const measured: Measured[] = [];
    for (const each of cases) {
      await assertSame(each);
      measured.push({ ...each, subjects: await sidesOf(each, start) });
    }
    report('Warming up …');
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
      if (round === 0) report('Measuring (a minute) …');
      for (const { subjects } of measured) {
        const [first, second] = round % 2 === 0 ? [subjects.api, subjects.bare] : [subjects.bare, subjects.api];
        signal.throwIfAborted();
        await takeTurn(first, round >= 0);
        await takeTurn(second, round >= 0);
      }
      if (round >= 0) keep(allFiguresOf(measured));
    }
    return allFiguresOf(measured);
  } finally {
    await Promise.all(loads.map((load) => load.end()));
  }
}

async function sidesOf(
  { api, bare, credentials }: Case,
  start: (program: string, settings: object) => Promise<LoadProcess>,
): Promise<Measured['subjects']> {
  const sideOf = async (settings: object): Promise<Subject> => ({
    load: await start('reads/read-load', settings),
    done: 0,
    elapsedMs: 0,
    times: [],
  });
  return {
    api: await sideOf({ url: api, credentials }),
    bare: await sideOf({ url: bare, credentials: null }),
  };
}

async function takeTurn(subject: Subject, isKept: boolean): Promise<void> {
  const turn = await subject.load.run({ kind: 'clients', clients: CLIENTS, durationMs: TURN_MS });
  if (turn.lastFailure !== null) throw new Error(turn.lastFailure);
  if (!isKept) return;
  subject.done += turn.done;
  subject.elapsedMs += turn.elapsedMs;
  subject.times.push(...(turn.steps.read ?? []));
}

function allFiguresOf(measured: readonly Measured[]): Figure[] {
  return [...measured.flatMap(figuresOf), ...growthOf(measured)];
}

function figuresOf({ what, subjects: { api, bare } }: Measured): Figure[] {
  const rate = ({ done, elapsedMs }: Subject) => (done / elapsedMs) * SECOND_MS;
  const figuresOfSide = (name: string, subject: Subject): Figure[] => [
    { what: `${what}, ${name}`, value: rate(subject), unit: '/s' },
    { what: `${what}, ${name}, median`, value: percentile(subject.times, 0.5), unit: 'ms' },
    { what: `${what}, ${name}, 99 %`, value: percentile(subject.times, 0.99), unit: 'ms' },
  ];
  return [
    ...figuresOfSide('API', api),
    ...figuresOfSide('bare handler', bare),
    { what: `${what}, ratio of rates`, value: rate(api) / rate(bare), unit: '×', atLeast: RATIO_AT_LEAST },
  ];
}

function growthOf(measured: readonly Measured[]): Figure[] {
  const [large, small] = measured.filter(({ api }) => api.endsWith(PATH)).map(({ subjects }) => subjects.api);
  if (large === undefined || small === undefined) return [];
  const value = percentile(large.times, 0.5) / percentile(small.times, 0.5);
  return [{ what: 'first page, many intents beside few, ratio of medians', value, unit: '×', atMost: GROWTH_AT_MOST }];
}

const answerSchema = z.object({ data: z.unknown() });

/** Checks that both subjects give the same responses. */
async function assertSame({ what, api, bare, credentials }: Case): Promise<void> {
  const [ours, theirs] = await Promise.all([read(api, signedHeaders(credentials, undefined)), read(bare, {})]);
  if (!isDeepStrictEqual(ours, theirs)) throw new Error(`the bare handler answers otherwise than the API: ${what}`);
}

async function read(url: string, headers: Readonly<Record<string, string>>): Promise<unknown> {
  const answer = await fetch(url, { headers, signal: AbortSignal.timeout(30 * SECOND_MS) });
  return answerSchema.parse(await answer.json()).data;
}

async function someIntent(databaseUrl: string, merchantAccountId: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl, query_timeout: 30 * SECOND_MS });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>(
      'SELECT id FROM payment_intent WHERE merchant_account_id = $1 ORDER BY created_at OFFSET 5000 LIMIT 1',
      [merchantAccountId],
    );
    return rows[0]?.id ?? '';
  } finally {
    await client.end();
  }
}
