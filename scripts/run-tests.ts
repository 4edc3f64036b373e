import { type ChildProcess, fork, spawn } from 'node:child_process';
import path from 'node:path';
import { z } from 'zod';
import { SECOND_MS } from '../domain/time.ts';
import { DIST_DIR } from '../sandbox/stack/project.ts';
import { showHelp } from './command-arguments.ts';

/** A suite, which is a folder below `test`, or one of the parts into which its files are divided. */
interface Part {
  readonly suite: string;
  /** For example `1/2`. */
  readonly shard?: string;
}

const CHAOS = ['--minutes', '2', '--seed', '7'];

/**
 * The order in which the parts begin: first the unit tests, which need no Temporal server, because that may still be in its build;
 * then the long parts; last the short ones, which fill the time at the end.
 */
const ALL: readonly Part[] = [
  { suite: 'unit' },
  { suite: 'end-to-end', shard: '1/2' },
  { suite: 'end-to-end', shard: '2/2' },
  { suite: 'browser' },
  { suite: 'database' },
  { suite: 'crash' },
  { suite: 'chaos' },
  { suite: 'time' },
  { suite: 'replay' },
];

/** What a change is tested with while it is made: of `end-to-end` the quick files. */
const CORE = ALL.filter(({ suite }) => !['browser', 'chaos', 'crash'].includes(suite));
/** Chaos has no tests with titles to choose from. */
const WITH_TITLES = ALL.filter(({ suite }) => suite !== 'chaos');

const USAGE = `Use one of:
  npm test                        the core of the tests, in about five minutes
  npm run test:all                everything
  npm test -- SUITE [WORDS]       one suite, or its tests whose title contains the words
  npm test -- WORDS               the tests of every suite whose title contains the words
The suites are: ${[...new Set(WITH_TITLES.map(({ suite }) => suite))].join(', ')}.`;

/** How many parts run in parallel. Tests of the whole engine wait more than they compute. */
const LANES = 4;

/** What a suite cannot run without, fetched while the ones before it run. */
const TOOLS: Readonly<Record<string, string>> = {
  time: 'test-server',
  'end-to-end': 'temporal',
  browser: 'temporal',
  chaos: 'temporal',
  crash: 'temporal',
};

const countsSchema = z.object({ passes: z.number(), failed: z.array(z.string()), skipped: z.array(z.string()) });
type Counts = z.infer<typeof countsSchema>;

interface Choice {
  readonly parts: readonly Part[];
  /** The options of each suite: which tests to run. */
  readonly options: readonly string[];
}

/**
 * `npm test` runs the core, `npm run test:all` everything, chaos included; `npm test -- [<suite>] [words]` one suite, or the tests
 * whose title contains the words. Each suite has a process of its own. The last line is the total.
 */
showHelp(USAGE);
const { parts, options } = choose(process.argv.slice(2));

const fetching = new Map(
  [...new Set(parts.flatMap(({ suite }) => TOOLS[suite] ?? []))].map((tool) => [tool, fetchTool(tool)]),
);
const queue = [...parts];
const lanes = Array.from({ length: LANES }, (_, lane) => runLane(queue, lane === 0 ? 'inherit' : 'pipe'));
const counts = (await Promise.all(lanes)).flat();
const total = sumOf(counts);
// Repeated at the end, because thousands of lines may follow a failure.
for (const failure of total.failed) console.log(`\nFailed: ${failure}\n`);
for (const title of total.skipped) console.log(`Skipped: ${title}`);
console.log(describeCounts(total));
process.exit(total.failed.length === 0 && total.passes > 0 ? 0 : 1);

function choose(args: readonly string[]): Choice {
  const [first, ...rest] = args;
  const unknown = args.find((arg) => arg.startsWith('-') && arg !== '--all');
  if (unknown !== undefined) {
    console.error(`There is no option ${unknown}.\n${USAGE}`);
    process.exit(1);
  }
  if (first === undefined) return { parts: CORE, options: ['--core'] };
  if (first === '--all') return { parts: ALL, options: [] };
  if (WITH_TITLES.some(({ suite }) => suite === first)) return { parts: [{ suite: first }], options: rest };
  return { parts: WITH_TITLES, options: args };
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

/** Runs one part after another until none is left. With `pipe`, what a part prints is shown when the part has ended. */
async function runLane(queue: Part[], output: 'inherit' | 'pipe'): Promise<Counts[]> {
  const ended: Counts[] = [];
  for (let part = queue.shift(); part !== undefined; part = queue.shift()) {
    await fetching.get(TOOLS[part.suite] ?? '')?.(part.suite);
    ended.push(await (part.suite === 'chaos' ? runChaos() : runPart(part, output)));
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
