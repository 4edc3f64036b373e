import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../../domain/time.ts';
import type { Stack } from '../../sandbox/stack/stack.ts';
import type { StackProcess } from '../../sandbox/stack/stack-options.ts';
import type { Bench, Figure } from '../benchmark.ts';
import { type LoadProcess, startLoadProcess } from '../load/load-process.ts';
import { median } from '../measures/median.ts';
import { cpuMsOfTree, memoryOfTree } from '../../sandbox/process-tree.ts';

/** As many as fit into the default time; `--intents 50000 --minutes 40` measures the full number. */
const INTENTS = 3_000;
const CLIENTS = 16;
const CREATE_TURN_MS = 2 * SECOND_MS;
const ROUNDS = 5;
const WARM_UP_ROUNDS = 1;
const TURN_MS = 3 * SECOND_MS;
/** How long the engines get no requests, to measure their idle load. */
const IDLE_MS = 6 * SECOND_MS;
/** Time for the work that creations leave behind their responses. */
const SETTLE_MS = 20 * SECOND_MS;
const BACKGROUND_PROCESSES = ['worker', 'temporal', 'postgres'] as const satisfies readonly StackProcess[];
const MIB = 1_048_576;
const WORKER_MIB_AT_MOST = 1_024;
const RATIO_AT_LEAST = 0.9;

/** An engine under test and its load process. */
interface Subject {
  readonly stack: Stack;
  readonly payments: LoadProcess;
  /** Payments per second in each turn. */
  readonly rates: number[];
}

/** Measures payments beside many open intents, alternating with another engine that has none. */
export async function benchmarkIdle(bench: Bench): Promise<readonly Figure[]> {
  const { report, sizes, signal, keep } = bench;
  const count = sizes.intents ?? INTENTS;
  const loads: LoadProcess[] = [];
  const start = async (program: string, stack: Stack): Promise<LoadProcess> => {
    const load = await startLoadProcess(program, stack.sandbox, signal);
    loads.push(load);
    return load;
  };
  const startSubject = async (): Promise<Subject> => {
    const stack = await bench.startEngine();
    return { stack, payments: await start('load/payments-load', stack), rates: [] };
  };
  const empty = await startSubject();
  try {
    const full = await startSubject();
    const before = memoryOf(full.stack);
    const creations = await start('load/creations-load', full.stack);
    const creationRate = await createIntents(creations, count, bench);
    const after = memoryOf(full.stack);
    keep(figuresOfCreations(count, creationRate, before, after));
    report('Watching both engines do nothing …');
    await sleep(SETTLE_MS, undefined, { signal });
    const [idleCpuOfEmpty = Number.NaN, idleCpuOfFull = Number.NaN] = await idleCpuOf([empty, full]);
    keep(figuresOfUpkeep(idleCpuOfEmpty, idleCpuOfFull));
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
      report(round < 0 ? 'Warming up …' : `Turn ${round + 1} of ${ROUNDS} …`);
      for (const subject of round % 2 === 0 ? [empty, full] : [full, empty]) {
        signal.throwIfAborted();
        const turn = await subject.payments.run({ kind: 'clients', clients: CLIENTS, durationMs: TURN_MS });
        if (round < 0) continue;
        if (turn.lastFailure !== null) throw new Error(turn.lastFailure);
        subject.rates.push((turn.done / turn.elapsedMs) * SECOND_MS);
      }
      if (round >= 0) keep(figuresOfPayments(empty, full));
    }
    const last = memoryOf(full.stack);
    return [
      ...figuresOfCreations(count, creationRate, before, after),
      { what: 'worker after payments', value: last.worker, unit: 'MiB', atMost: WORKER_MIB_AT_MOST },
      { what: 'Temporal server after payments', value: last.temporal, unit: 'MiB' },
      ...figuresOfUpkeep(idleCpuOfEmpty, idleCpuOfFull),
      ...figuresOfPayments(empty, full),
    ];
  } finally {
    await Promise.all(loads.map((load) => load.end()));
  }
}

function figuresOfCreations(count: number, perSecond: number, before: Memory, after: Memory): Figure[] {
  return [
    { what: `creation of ${count.toLocaleString('en')} intents`, value: perSecond, unit: '/s' },
    { what: 'worker before', value: before.worker, unit: 'MiB' },
    { what: 'worker with open intents', value: after.worker, unit: 'MiB' },
    { what: 'Temporal server before', value: before.temporal, unit: 'MiB' },
    { what: 'Temporal server with open intents', value: after.temporal, unit: 'MiB' },
  ];
}

function figuresOfUpkeep(ofEmpty: number, ofFull: number): Figure[] {
  return [
    { what: 'upkeep of the empty engine, a second', value: ofEmpty, unit: 'ms' },
    { what: 'upkeep with open intents, a second', value: ofFull, unit: 'ms' },
  ];
}

function figuresOfPayments(empty: Subject, full: Subject): Figure[] {
  return [
    { what: 'payments beside nothing', value: median(empty.rates), unit: '/s' },
    { what: 'payments beside open intents', value: median(full.rates), unit: '/s' },
    {
      what: 'ratio of payments, median of turns',
      value: median(full.rates.map((rate, turn) => rate / (empty.rates[turn] ?? Number.NaN))),
      unit: '×',
      atLeast: RATIO_AT_LEAST,
    },
  ];
}

/** @returns intents per second */
async function createIntents(creations: LoadProcess, count: number, { report, signal }: Bench): Promise<number> {
  let [created, elapsedMs] = [0, 0];
  report(`Creating ${count.toLocaleString('en')} intents …`);
  for (let turn = 1; created < count; turn += 1) {
    signal.throwIfAborted();
    const { done, lastFailure, ...result } = await creations.run({
      kind: 'clients',
      clients: CLIENTS,
      durationMs: CREATE_TURN_MS,
    });
    if (lastFailure !== null) throw new Error(lastFailure);
    created += done;
    elapsedMs += result.elapsedMs;
    if (turn % 10 === 0) report(`  … ${created.toLocaleString('en')}`);
  }
  return (created / elapsedMs) * SECOND_MS;
}

/** Processor time per second that each engine uses without requests, in milliseconds. */
async function idleCpuOf(subjects: readonly Subject[]): Promise<readonly number[]> {
  const usedBy = ({ stack }: Subject) =>
    BACKGROUND_PROCESSES.reduce((sum, name) => sum + cpuMsOfTree(stack.pidOf(name) ?? 0), 0);
  const before = subjects.map(usedBy);
  const startedAt = performance.now();
  await sleep(IDLE_MS);
  const seconds = (performance.now() - startedAt) / SECOND_MS;
  return subjects.map((subject, index) => (usedBy(subject) - (before[index] ?? 0)) / seconds);
}

/** In MiB. */
interface Memory {
  readonly worker: number;
  readonly temporal: number;
}

function memoryOf(stack: Stack): Memory {
  const of = (name: StackProcess) => memoryOfTree(stack.pidOf(name) ?? 0) / MIB;
  return { worker: of('worker'), temporal: of('temporal') };
}
