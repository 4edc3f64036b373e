import { type ChildProcess, fork, spawn } from 'node:child_process';
import path from 'node:path';
import { z } from 'zod';
import { SECOND_MS } from '../domain/time.ts';
import { DIST_DIR } from '../sandbox/stack/project.ts';

/** A suite, which is a folder below `test`, or one of the parts into which its files are divided. */
interface Part {
  readonly suite: string;
  /** For example `1/2`. */
  readonly shard?: string;
}

/**
 * The lanes run side by side, for the tests of the whole engine wait more than they work; what a lane other than the first
 * prints is held back until its suite has ended.
 */
type Lanes = readonly (readonly Part[])[];

const ALL: Lanes = [
  [{ suite: 'end-to-end', shard: '1/2' }],
  [{ suite: 'end-to-end', shard: '2/2' }],
  wholeSuites('unit', 'database', 'replay', 'time'),
  wholeSuites('browser', 'crash'),
];
/** The lane after which the chaos run begins. */
const CHAOS_LANE = 2;

/** What a change is tested with while it is made: of `end-to-end` the quick files. */
const CORE: Lanes = [
  [{ suite: 'end-to-end', shard: '1/2' }],
  [{ suite: 'end-to-end', shard: '2/2' }],
  wholeSuites('replay', 'unit'),
  wholeSuites('database'),
  wholeSuites('time'),
];

const CHAOS = ['--minutes', '2', '--seed', '7'];

/** What a suite cannot run without, fetched while the ones before it run. */
const TOOLS: Readonly<Record<string, string>> = { time: 'test-server', 'end-to-end': 'temporal', crash: 'temporal' };

const countsSchema = z.object({ passes: z.number(), failed: z.array(z.string()), skipped: z.array(z.string()) });
type Counts = z.infer<typeof countsSchema>;

interface Choice {
  readonly lanes: Lanes;
  /** The options of each suite: which tests to run. */
  readonly options: readonly string[];
  readonly chaos: boolean;
}

/**
 * `npm test` runs the core, `npm run test:all` everything, chaos included; `npm test -- [<suite>] [words]` one suite, or the tests
 * whose title contains the words. Each suite has a process of its own. The last line is the total.
 */
const { lanes, options, chaos } = choose(process.argv.slice(2));

const fetching = new Map(
  [...new Set(lanes.flat().flatMap(({ suite }) => TOOLS[suite] ?? []))].map((tool) => [tool, fetchTool(tool)]),
);
const counts = (
  await Promise.all(
    lanes.map(async (parts, lane) => {
      const ended = await runLane(parts, lane === 0 ? 'inherit' : 'pipe');
      return chaos && lane === CHAOS_LANE ? [...ended, await runChaos()] : ended;
    }),
  )
).flat();
const total = sumOf(counts);
// Said again where it is found: between what the lanes print, a failure is thousands of lines away.
for (const failure of total.failed) console.log(`\nFailed: ${failure}\n`);
for (const title of total.skipped) console.log(`Skipped: ${title}`);
console.log(describeCounts(total));
process.exit(total.failed.length === 0 && total.passes > 0 ? 0 : 1);

function choose(args: readonly string[]): Choice {
  const [first, ...rest] = args;
  if (first === undefined) return { lanes: CORE, options: ['--core'], chaos: false };
  if (first === '--all') return { lanes: ALL, options: [], chaos: true };
  if (ALL.flat().some(({ suite }) => suite === first)) {
    return { lanes: [wholeSuites(first)], options: rest, chaos: false };
  }
  return { lanes: ALL, options: args, chaos: false };
}

function wholeSuites(...suites: readonly string[]): readonly Part[] {
  return suites.map((suite) => ({ suite }));
}

function sumOf(each: readonly Counts[]): Counts {
  return {
    passes: each.reduce((sumSoFar, { passes }) => sumSoFar + passes, 0),
    failed: each.flatMap(({ failed }) => failed),
    skipped: each.flatMap(({ skipped }) => skipped),
  };
}

function describeCounts({ passes, failed, skipped }: Counts): string {
  return `${passes} passed, ${failed.length} failed${skipped.length === 0 ? '' : `, ${skipped.length} skipped`}`;
}

async function runLane(parts: readonly Part[], output: 'inherit' | 'pipe'): Promise<Counts[]> {
  const ended: Counts[] = [];
  for (const part of parts) {
    await fetching.get(TOOLS[part.suite] ?? '')?.(part.suite);
    ended.push(await runPart(part, output));
  }
  return ended;
}

function runPart({ suite, shard }: Part, output: 'inherit' | 'pipe'): Promise<Counts> {
  const startedAt = Date.now();
  const name = shard === undefined ? suite : `${suite} ${shard}`;
  console.log(`\n── ${name} tests${output === 'pipe' ? ', beside the others' : ''}`);
  return new Promise((resolve) => {
    const args = [suite, ...(shard === undefined ? [] : [`--shard=${shard}`]), ...options];
    const child = fork(path.join(DIST_DIR, 'test', 'support', 'run-suite.js'), args, {
      execArgv: ['--enable-source-maps'],
      stdio: ['ignore', output, output, 'ipc'],
    });
    const printed = collectOutput(child);
    let counts: Counts | undefined;
    child.on('message', (message) => {
      counts = countsSchema.parse(message);
    });
    child.once('close', (code) => {
      process.stdout.write(Buffer.concat(printed));
      const checked = checkCounts(name, code, counts);
      console.log(`── ${name}: ${describeCounts(checked)}, in ${secondsSince(startedAt)} s`);
      resolve(checked);
    });
  });
}

/** What a child prints, as it grows. */
function collectOutput({ stdout, stderr }: ChildProcess): Buffer[] {
  const printed: Buffer[] = [];
  for (const stream of [stdout, stderr]) stream?.on('data', (chunk: Buffer) => printed.push(chunk));
  return printed;
}

/** A suite that ends without a count, or badly in spite of it, has one more failure. */
function checkCounts(suite: string, code: number | null, counts: Counts | undefined): Counts {
  const { passes, failed, skipped } = counts ?? { passes: 0, failed: [], skipped: [] };
  const isEarly = counts === undefined || (code !== 0 && failed.length === 0);
  const all = isEarly ? [...failed, `the ${suite} tests ended early (exit code ${code ?? 'none'}).`] : failed;
  return { passes, failed: all, skipped };
}

function runChaos(): Promise<Counts> {
  const startedAt = Date.now();
  console.log('\n── chaos, beside the others');
  return new Promise((resolve) => {
    const args = [path.join(DIST_DIR, 'chaos', 'main.js'), ...CHAOS];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const printed = collectOutput(child);
    child.once('close', (code) => {
      process.stdout.write(Buffer.concat(printed));
      const failed = code === 0 ? [] : [`chaos ${CHAOS.join(' ')} (exit code ${code ?? 'none'}).`];
      const checked = { passes: 1 - failed.length, failed, skipped: [] };
      console.log(`── chaos: ${describeCounts(checked)}, in ${secondsSince(startedAt)} s`);
      resolve(checked);
    });
  });
}

function secondsSince(startedAt: number): number {
  return Math.round((Date.now() - startedAt) / SECOND_MS);
}

/** Begins to fetch a tool; the answer waits for the end. What goes wrong shows in the suite, which tries again. */
function fetchTool(tool: string): (suite: string) => Promise<void> {
  const child = fork(path.join(DIST_DIR, 'scripts', 'fetch-tools.js'), [tool], { stdio: 'ignore' });
  let ended = false;
  const end = new Promise<void>((resolve) => {
    child.once('close', () => {
      ended = true;
      resolve();
    });
  });
  return (suite) => {
    if (!ended)
      console.log(`Waiting for what the ${suite} tests need (${tool}), which is still being fetched or built …`);
    return end;
  };
}
