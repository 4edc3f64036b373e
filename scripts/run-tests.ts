import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { SECOND_MS } from '../domain/time.ts';
import { DIST_DIR } from '../sandbox/stack/project.ts';

/**
 * The folders below `test`. The lanes run side by side, for the tests of the whole engine wait more than they work; what a lane other
 * than the first prints is held back until its suite has ended.
 */
const LANES = [
  ['end-to-end', 'crash'],
  ['unit', 'database', 'replay', 'browser', 'time'],
] as const;

/** What a suite cannot run without, fetched while the ones before it run. */
const TOOLS: Readonly<Record<string, string>> = { time: 'test-server', 'end-to-end': 'temporal', crash: 'temporal' };

const countsSchema = z.object({ passes: z.number(), failed: z.array(z.string()) });
type Counts = z.infer<typeof countsSchema>;

/** `npm test [-- <suite>] [words]`: runs all suites, or one, each in a process of its own; ends with the total. */
const [first, ...rest] = process.argv.slice(2);
const chosen = LANES.flat().filter((suite) => suite === first);
const words = first === undefined || chosen.length > 0 ? rest : [first, ...rest];
const lanes = (chosen.length > 0 ? [chosen] : LANES).map((suites) => suites.filter(isThere));

const fetching = new Map(
  [...new Set(lanes.flat().flatMap((suite) => TOOLS[suite] ?? []))].map((tool) => [tool, fetchTool(tool)]),
);
const counts = await Promise.all(lanes.map((suites, lane) => runLane(suites, lane === 0 ? 'inherit' : 'pipe')));
const total = sumOf(counts.flat());
// Said again where it is found: between what the lanes print, a failure is thousands of lines away.
for (const failure of total.failed) console.log(`\nFailed: ${failure}\n`);
console.log(`${total.passes} passed, ${total.failed.length} failed`);
process.exit(total.failed.length === 0 && total.passes > 0 ? 0 : 1);

function isThere(suite: string): boolean {
  return existsSync(path.join(DIST_DIR, 'test', suite));
}

function sumOf(each: readonly Counts[]): Counts {
  return {
    passes: each.reduce((sumSoFar, { passes }) => sumSoFar + passes, 0),
    failed: each.flatMap(({ failed }) => failed),
  };
}

async function runLane(suites: readonly string[], output: 'inherit' | 'pipe'): Promise<Counts[]> {
  const ended: Counts[] = [];
  for (const suite of suites) {
    await fetching.get(TOOLS[suite] ?? '')?.(suite);
    ended.push(await runSuite(suite, words, output));
  }
  return ended;
}

/** A suite that ends without a count, or badly in spite of it, counts as one more failure. */
function runSuite(suite: string, suiteWords: readonly string[], output: 'inherit' | 'pipe'): Promise<Counts> {
  const startedAt = Date.now();
  console.log(`\n── ${suite} tests${output === 'pipe' ? ', beside the others' : ''}`);
  return new Promise((resolve) => {
    const child = fork(path.join(DIST_DIR, 'test', 'support', 'run-suite.js'), [suite, ...suiteWords], {
      execArgv: ['--enable-source-maps'],
      stdio: ['ignore', output, output, 'ipc'],
    });
    const printed: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => printed.push(chunk));
    let counts: Counts | undefined;
    child.on('message', (message) => {
      counts = countsSchema.parse(message);
    });
    child.once('close', (code) => {
      process.stdout.write(Buffer.concat(printed));
      const { passes, failed } = counts ?? { passes: 0, failed: [] };
      const isEarly = counts === undefined || (code !== 0 && failed.length === 0);
      const all = isEarly ? [...failed, `the ${suite} tests ended early (exit code ${code ?? 'none'}).`] : failed;
      const seconds = Math.round((Date.now() - startedAt) / SECOND_MS);
      console.log(`── ${suite}: ${passes} passed, ${all.length} failed, in ${seconds} s`);
      resolve({ passes, failed: all });
    });
  });
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
