import { parseArgs } from 'node:util';
import { UserError } from '../../domain/user-error.ts';
import { readArguments } from '../../scripts/command-arguments.ts';
import { BREAKAGES, type BreakageName } from './breakages.ts';
import type { FaultLevel } from './schedule.ts';
import { type LeftOut, NOTHING } from './shorten.ts';
import { type Finding, Simulator } from './simulate.ts';

const USAGE =
  'npm run simulate -- [--seeds N] [--seed S] [--break NAME] [--trace] [--without 1,2] [--calm network,database,temporal]\n' +
  '  Runs the schedules of N seeds from S on (default: 10,000 from a random one), and shortens each that fails.\n' +
  '  --trace shows all that happens in one seed; --without and --calm leave out actions and faults of its schedule.\n' +
  `  --break breaks the engine on purpose: ${Object.keys(BREAKAGES)
    .map((name) => `"${name}"`)
    .join(', ')}.`;
const MAXIMUM_SEED = 2 ** 31;
const MAXIMUM_SHOWN = 5;
const PROGRESS_EVERY_MS = 10_000;
const FAULTS: readonly (keyof FaultLevel)[] = ['network', 'database', 'temporal'];
const text = { type: 'string' } as const;

const options = readOptions(process.argv.slice(2));
const simulator = new Simulator();
if (options.trace) await showTrace();
else await runSeeds();

async function runSeeds(): Promise<void> {
  const { seed, seeds, breakage } = options;
  const startedAtMs = performance.now();
  let shownAtMs = startedAtMs;
  const onProgress = (done: number): void => {
    if (performance.now() - shownAtMs < PROGRESS_EVERY_MS) return;
    shownAtMs = performance.now();
    console.log(`${done} schedules, ${perMinute(done, startedAtMs)} a minute`);
  };
  console.log(
    `Simulating the seeds ${seed} to ${seed + seeds - 1}${breakage === null ? '' : `, broken: ${breakage}`} …`,
  );
  const { findings, ends, returns } = await simulator.run({
    firstSeed: seed,
    seeds,
    breakage,
    stopsAtFirst: breakage !== null,
    onProgress,
  });
  for (const finding of findings.slice(0, MAXIMUM_SHOWN)) await report(finding);
  const done = breakage !== null && findings[0] !== undefined ? findings[0].seed - seed + 1 : seeds;
  console.log(`The payments: ${countsOf(ends)}.`);
  console.log(`Refunds and stray charges: ${countsOf(returns)}.`);
  console.log(`${done} schedules, ${perMinute(done, startedAtMs)} a minute, ${findings.length} failed.`);
  process.exit(findings.length === 0 ? 0 : 1);
}

function countsOf(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ');
}

async function report(finding: Finding): Promise<void> {
  const { seed, violations } = finding;
  const leftOut = await simulator.shorten(finding, options.breakage);
  const { schedule } = await simulator.explain(seed, leftOut, options.breakage);
  console.log(`\nSeed ${seed}: ${violations.join('\n  ')}`);
  console.log(
    `  Shortened: ${schedule.captureMethod} capture, ${schedule.attemptBudget} attempts, expires after ${schedule.expiresInMs / 1_000} s`,
  );
  for (const action of schedule.actions) console.log(`  ${JSON.stringify(action)}`);
  console.log(`  See all that happens: npm run simulate -- --trace --seed ${seed}${optionsOf(leftOut)}`);
}

function optionsOf({ actions, faults }: LeftOut): string {
  return [
    ...(actions.length === 0 ? [] : [` --without ${actions.join(',')}`]),
    ...(faults.length === 0 ? [] : [` --calm ${faults.join(',')}`]),
    ...(options.breakage === null ? [] : [` --break "${options.breakage}"`]),
  ].join('');
}

async function showTrace(): Promise<void> {
  const { trace, violations } = await simulator.explain(options.seed, options.leftOut, options.breakage);
  for (const line of trace) console.log(line);
  process.exit(violations.length === 0 ? 0 : 1);
}

function perMinute(done: number, sinceMs: number): number {
  return Math.round((done / (performance.now() - sinceMs)) * 60_000);
}

function readOptions(args: readonly string[]) {
  return readArguments(USAGE, () => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        seeds: text,
        seed: text,
        break: text,
        without: text,
        calm: text,
        trace: { type: 'boolean', default: false },
      },
    });
    const leftOut: LeftOut = {
      actions: (values.without?.split(',') ?? []).map(Number),
      faults: FAULTS.filter((name) => values.calm?.split(',').includes(name)),
    };
    return {
      seeds: wholeNumber(values.seeds, 'seeds', 10_000),
      seed: wholeNumber(values.seed, 'seed', Math.floor(Math.random() * MAXIMUM_SEED)),
      breakage: breakageOf(values.break),
      trace: values.trace,
      leftOut: values.without === undefined && values.calm === undefined ? NOTHING : leftOut,
    };
  });
}

function wholeNumber(value: string | undefined, name: string, fallback: number): number {
  if (value === undefined) return fallback;
  const number = Number(value);
  if (Number.isInteger(number) && number >= 0 && number <= MAXIMUM_SEED) return number;
  throw new UserError(`--${name} must be a whole number from 0 to ${MAXIMUM_SEED}.`);
}

function breakageOf(name: string | undefined): BreakageName | null {
  if (name === undefined) return null;
  if (!Object.hasOwn(BREAKAGES, name)) throw new UserError(`There is no breakage "${name}".`);
  return name as BreakageName;
}
