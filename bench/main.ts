import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { UserError } from '../domain/user-error.ts';
import { MINUTE_MS } from '../domain/time.ts';
import { runScript } from '../sandbox/stack/explain-error.ts';
import { startTemporaryStack, type TemporaryStack } from '../sandbox/stack/temporary-stack.ts';
import { type Bench, type Benchmark, type Figure, type Size, SIZES } from './benchmark.ts';
import { figureTable, holds, isUndecided } from './figure-table.ts';
import { createKeptFigures } from './kept-figures.ts';
import { withKeyOnVersion1 } from './key-on-version-1.ts';
import { benchmarkIdle } from './idle/idle.ts';
import { benchmarkIsolation, ISOLATION_CASES } from './isolation/isolation.ts';
import { benchmarkLists } from './lists.ts';
import { benchmarkOpen } from './open/open.ts';
import { benchmarkOverload } from './overload/overload.ts';
import { benchmarkPayments } from './payments/payments.ts';
import { benchmarkReads } from './reads/reads.ts';
import { benchmarkScale } from './scale/scale.ts';
import { benchmarkStart } from './start/start.ts';
import { benchmarkSockets } from './sockets/sockets.ts';

const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  lists: benchmarkLists,
  payments: benchmarkPayments,
  reads: benchmarkReads,
  scale: benchmarkScale,
  open: benchmarkOpen,
  overload: benchmarkOverload,
  start: benchmarkStart,
  idle: benchmarkIdle,
  sockets: benchmarkSockets,
  isolation: benchmarkIsolation,
};
/** The parts of a benchmark that can be run by themselves. */
const CASES: Readonly<Record<string, Readonly<Record<string, Benchmark>>>> = { isolation: ISOLATION_CASES };
const NAMES = Object.keys(BENCHMARKS).join(', ');
const CASE_NAMES = Object.entries(CASES).map(([name, cases]) => `CASE of ${name}: ${Object.keys(cases).join(', ')}`);
const USAGE =
  `npm run bench -- NAME [CASE] [--json FILE] [--minutes N]${SIZES.map((size) => ` [--${size} N]`).join('')}\n` +
  `  NAME is one of: ${NAMES}\n  ${CASE_NAMES.join('\n  ')}`;
/** Raises the limits that would otherwise determine the figures. */
const SETTINGS = {
  RATE_LIMIT_SANDBOX: '10000000',
  RATE_LIMIT_UNAUTHENTICATED: '10000000',
  CONFIRM_TARGET_MS: '0',
  RATE_LIMIT_SOCKETS: '10000000',
  CONNECTIONS_PER_ADDRESS: '100000',
  DECLINES_PER_CARD: '1000000',
  DECLINES_PER_ADDRESS: '1000000',
  DECLINES_PER_BIN: '1000000',
  DECLINES_PER_ACCOUNT: '1000000',
  LOG_LEVEL: 'warn',
};
const DEFAULT_MINUTES = 3;

interface Request {
  /** With its case, where one is named: `isolation webhooks`. */
  readonly name: string;
  readonly benchmark: Benchmark;
  readonly file: string | undefined;
  readonly minutes: number;
  readonly sizes: Bench['sizes'];
}

/** Runs one benchmark, prints its figures, and exits with code 1 if one of them is certainly outside its bounds. */
async function main(): Promise<void> {
  const request = readArguments();
  const { name, file, benchmark } = request;
  const save = (figures: readonly Figure[], isComplete: boolean): void => {
    if (file === undefined) return;
    const result = { benchmark: name, at: new Date().toISOString(), isComplete, figures };
    writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
  };
  const { figures, problem } = await run(benchmark, request, (kept) => save(kept, false));
  if (problem === undefined) save(figures, true);
  console.log(`\n${figureTable(figures)}`);
  if (problem !== undefined) console.log(`\n${problem} These are the figures until then.`);
  if (problem !== undefined || !figures.every((figure) => isUndecided(figure) || holds(figure))) process.exitCode = 1;
}

const text = { type: 'string' } as const;

function readArguments(): Request {
  try {
    const options = { json: text, minutes: text, ...Object.fromEntries(SIZES.map((size) => [size, text])) };
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const numberOf = (option: string) => wholeNumber(new Map(Object.entries(values)).get(option));
    const sizes: Partial<Record<Size, number>> = {};
    for (const size of SIZES) {
      const value = numberOf(size);
      if (value !== undefined) sizes[size] = value;
    }
    const name = positionals.join(' ');
    const benchmark = benchmarkNamed(positionals);
    if (benchmark === undefined) throw new UserError(`There is no benchmark "${name}". ${USAGE}`);
    return { name, benchmark, file: values.json, minutes: numberOf('minutes') ?? DEFAULT_MINUTES, sizes };
  } catch (error) {
    throw error instanceof UserError ? error : new UserError(USAGE);
  }
}

function benchmarkNamed([name = '', caseName, ...others]: readonly string[]): Benchmark | undefined {
  const of = (all: Readonly<Record<string, Benchmark>> = {}, key: string) =>
    Object.hasOwn(all, key) ? all[key] : undefined;
  if (others.length > 0) return undefined;
  return caseName === undefined ? of(BENCHMARKS, name) : of(Object.hasOwn(CASES, name) ? CASES[name] : {}, caseName);
}

function wholeNumber(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 1) throw new UserError(USAGE);
  return number;
}

interface Result {
  readonly figures: readonly Figure[];
  /** Why these are not all. */
  readonly problem?: string;
}

/** @param save called with the figures so far. @throws UserError where there is none when the time is over */
async function run(
  benchmark: Benchmark,
  { minutes, sizes }: Request,
  save: (figures: readonly Figure[]) => void,
): Promise<Result> {
  const kept = createKeptFigures(save);
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  // Kept in a variable: a timeout that only `AbortSignal.any` refers to may be collected before it fires.
  const timeout = AbortSignal.timeout(minutes * MINUTE_MS);
  const signal = AbortSignal.any([stop.signal, timeout]);
  const report = (line: string) => console.log(line);
  const engines: TemporaryStack[] = [];
  try {
    const figures = await benchmark({
      keep: (some) => kept.keep(some),
      signal,
      report,
      sizes,
      startEngine: async (overrides = {}, plan) => {
        const engine = await startTemporaryStack({
          overrides: { ...SETTINGS, ...overrides },
          signal,
          report,
          ...(plan === undefined ? {} : { plan }),
        });
        engines.push(engine);
        return withKeyOnVersion1(engine.stack);
      },
    });
    return { figures };
  } catch (error) {
    if (!signal.aborted) throw error;
    const problem = timeout.aborted ? `Not done within ${minutes} minutes.` : 'Stopped before everything was measured.';
    const figures = kept.all();
    if (figures.length === 0) throw new UserError(problem);
    return { figures, problem };
  } finally {
    await Promise.all(engines.map((engine) => engine.end()));
  }
}

await runScript(main);
process.exit();
