import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../../domain/time.ts';
import type { EngineProcess } from '../../sandbox/stack/engine-processes.ts';
import { findFreePorts } from '../../sandbox/stack/ports.ts';
import { SANDBOX_ACCOUNTS } from '../../sandbox/stack/sandbox-data.ts';
import type { Stack } from '../../sandbox/stack/stack.ts';
import type { StackPlace } from '../../sandbox/stack/temporary-stack.ts';
import type { Bench, Figure } from '../benchmark.ts';
import { createMerchantCalls } from '../load/merchant-calls.ts';
import { type LoadProcess, startLoadProcess } from '../load/load-process.ts';
import { cpuMsBetween, readCpuMs } from '../measures/cpu.ts';
import { eventRates } from './event-rate.ts';
import { createProcessorShares, type ProcessorShares } from './processor-share.ts';

/** Numbers of workers, and of APIs; each has an engine of its own, and all are loaded in turns. */
const COUNTS = [1, 2, 4] as const;
/** Of one core, for each worker or API. With a half each, four workers leave nothing of two cores for what serves them. */
const DEFAULT_PERCENT = 10;
const TURNS = 4;
const TURN_SECONDS = 5;
/** For each process: enough that none of several workers has nothing to do by chance. */
const CLIENTS = 10;
const WARM_UP_MS = 6 * SECOND_MS;
/** What a turn leaves behind is done before the next engine is loaded. */
const SETTLE_MS = SECOND_MS / 2;
const PERCENT = 100;

interface Engine {
  readonly count: number;
  readonly stack: Stack;
  readonly workers: readonly number[];
  readonly apis: readonly number[];
  readonly payments: LoadProcess;
  /** One for each API. */
  readonly reads: readonly LoadProcess[];
}

/** What an engine did in its turns. */
interface Tally {
  done: number;
  elapsedMs: number;
  /** Of the processes that were limited to a share of a core. */
  heldCpuMs: number;
  /** Of the engine's other processes. */
  otherCpuMs: number;
}

/**
 * Measures payments a second with 1, 2 and 4 workers that are held to a share of a core each, and reads a second with 1, 2 and 4
 * APIs. Everything else uses what is left of the machine, and the benchmark says how much that was.
 */
export async function benchmarkScale(bench: Bench): Promise<readonly Figure[]> {
  const { report, sizes } = bench;
  const share = (sizes.percent ?? DEFAULT_PERCENT) / PERCENT;
  const shares = createProcessorShares();
  const engines: Engine[] = [];
  try {
    for (const count of COUNTS) engines.push(await startEngineOf(count, bench));
    report('Warming up …');
    for (const engine of engines) await warmUp(engine);
    report(`Payments, with workers of ${share} of a core each …`);
    const payments = await takeTurns(bench, engines, {
      held: (engine) => engine.workers,
      load: (engine, durationMs) => [clients(engine.payments, engine.count * CLIENTS, durationMs)],
      shares,
      share,
      figuresOf: (tallies) => figuresOf('payments', 'workers', tallies),
    });
    report(`Reads, with APIs of ${share} of a core each …`);
    const reads = await takeTurns(bench, engines, {
      held: (engine) => engine.apis,
      load: (engine, durationMs) => engine.reads.map((load) => clients(load, CLIENTS, durationMs)),
      shares,
      share,
      figuresOf: (tallies) => figuresOf('reads', 'APIs', tallies),
    });
    report('Events …');
    const events = await eventRates(engines[0]?.stack.superuserUrl ?? '');
    return [...payments, ...reads, ...events];
  } finally {
    shares.end();
    await Promise.all(engines.flatMap(({ payments, reads }) => [payments, ...reads]).map((load) => load.end()));
  }
}

async function startEngineOf(count: number, { startEngine, signal, report }: Bench): Promise<Engine> {
  report(`Starting an engine with ${count} of each …`);
  let ports: readonly number[] = [];
  const stack = await startEngine({}, async (place) => {
    const processes = await processesOf(count, place);
    ports = processes.flatMap(({ kind, port }) => (kind === 'api' && port !== undefined ? [port] : []));
    return { processes, companions: [] };
  });
  const { sandbox } = stack;
  const id = await createMerchantCalls(sandbox).create();
  const [{ id: merchantId }] = SANDBOX_ACCOUNTS;
  const { apiKey, secretSalt } = sandbox;
  const reads = await Promise.all(
    ports.map((port) =>
      startLoadProcess(
        'reads/read-load',
        {
          url: `http://127.0.0.1:${port}/api/v1/payment-intents/${id}`,
          credentials: { apiKey, secretSalt, merchantId },
        },
        signal,
      ),
    ),
  );
  const payments = await startLoadProcess('load/payments-load', sandbox, signal);
  const pids = (kind: 'worker' | 'api') =>
    Array.from({ length: count }, (_, index) => stack.pidOf(nameOf(kind, index)) ?? 0);
  return { count, stack, workers: pids('worker'), apis: pids('api'), payments, reads };
}

async function processesOf(count: number, { ports }: StackPlace): Promise<readonly EngineProcess[]> {
  const further = await findFreePorts(count - 1);
  return Array.from({ length: count }, (_, index): readonly EngineProcess[] => [
    { kind: 'worker', name: nameOf('worker', index) },
    { kind: 'api', name: nameOf('api', index), port: further[index - 1] ?? ports.api },
  ]).flat();
}

function nameOf<Kind extends 'worker' | 'api'>(kind: Kind, index: number): Kind | `${Kind}-${number}` {
  return index === 0 ? kind : `${kind}-${index + 1}`;
}

async function warmUp({ payments, reads, count }: Engine): Promise<void> {
  await clients(payments, count * CLIENTS, WARM_UP_MS);
  await Promise.all(reads.map((load) => clients(load, CLIENTS, WARM_UP_MS / 2)));
}

interface Held {
  /** The processes that are held to a share of a core each. */
  readonly held: (engine: Engine) => readonly number[];
  readonly load: (engine: Engine, durationMs: number) => readonly Promise<Done>[];
  readonly shares: ProcessorShares;
  readonly share: number;
  readonly figuresOf: (tallies: ReadonlyMap<number, Tally>) => Figure[];
}

/** The engines take turns, in an order that turns around, so that whatever disturbs the machine disturbs all of them. */
async function takeTurns(
  { sizes, signal, keep }: Bench,
  engines: readonly Engine[],
  held: Held,
): Promise<readonly Figure[]> {
  const tallies = new Map<number, Tally>();
  for (const engine of engines) {
    tallies.set(engine.count, { done: 0, elapsedMs: 0, heldCpuMs: 0, otherCpuMs: 0 });
    for (const pid of held.held(engine)) held.shares.hold(pid, held.share);
  }
  try {
    for (let turn = 0; turn < (sizes.turns ?? TURNS); turn += 1) {
      for (const engine of turn % 2 === 0 ? engines : engines.toReversed()) {
        signal.throwIfAborted();
        const tally = tallies.get(engine.count);
        if (tally !== undefined) await takeTurn(engine, tally, held, (sizes.seconds ?? TURN_SECONDS) * SECOND_MS);
      }
      keep(held.figuresOf(tallies));
    }
  } finally {
    for (const engine of engines) for (const pid of held.held(engine)) held.shares.hold(pid, null);
  }
  return held.figuresOf(tallies);
}

async function takeTurn(engine: Engine, tally: Tally, { held, load }: Held, durationMs: number): Promise<void> {
  const pids = held(engine);
  const before = readCpuMs(pidsOf(engine));
  const startedAt = performance.now();
  const results = await Promise.all(load(engine, durationMs));
  tally.elapsedMs += performance.now() - startedAt;
  await sleep(SETTLE_MS);
  const used = cpuMsBetween(before, readCpuMs(pidsOf(engine))) ?? {};
  tally.done += results.reduce((sum, { done }) => sum + done, 0);
  for (const [pid, ms] of Object.entries(used)) {
    if (pids.includes(Number(pid))) tally.heldCpuMs += ms;
    else tally.otherCpuMs += ms;
  }
}

/** All processes of an engine and of its load, by their ids. */
function pidsOf({ stack, workers, apis, payments, reads }: Engine): Readonly<Record<string, number>> {
  const servers = (['temporal', 'postgres', 'simulator-alpha'] as const).map((name) => stack.pidOf(name) ?? 0);
  const pids = [...servers, ...workers, ...apis, payments.pid, ...reads.map(({ pid }) => pid)];
  return Object.fromEntries(pids.map((pid) => [String(pid), pid]));
}

interface Done {
  readonly done: number;
}

/** @throws Error when something failed: a turn with failures measures something else */
async function clients(load: LoadProcess, count: number, durationMs: number): Promise<Done> {
  const { done, failed, lastFailure } = await load.run({ kind: 'clients', clients: count, durationMs });
  if (failed > 0) throw new Error(`${failed} of a turn failed: ${lastFailure}`);
  return { done };
}

function figuresOf(what: string, of: string, tallies: ReadonlyMap<number, Tally>): Figure[] {
  const rateOf = ({ done, elapsedMs }: Tally): number => (done / elapsedMs) * SECOND_MS;
  const single = tallies.get(1);
  return [...tallies].flatMap(([count, tally]) => {
    const at = `${count} of each`;
    const cores = (ms: number): number => ms / tally.elapsedMs;
    return [
      { what: `${what} a second`, value: rateOf(tally), unit: '/s', at },
      {
        what: `${what}, ÷ one of the ${of}`,
        value: rateOf(tally) / (single === undefined ? 0 : rateOf(single)),
        unit: '×',
        at,
      },
      { what: `cores that the ${of} used, ${what}`, value: cores(tally.heldCpuMs), unit: '', at },
      { what: `cores that the rest used, ${what}`, value: cores(tally.otherCpuMs), unit: '', at },
    ];
  });
}
