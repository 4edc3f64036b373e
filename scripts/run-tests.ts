import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { SECOND_MS } from '../domain/time.ts';
import { DIST_DIR } from './project.ts';

/** The folders below `test`, quick ones first. */
const SUITES = ['unit', 'database', 'replay', 'time', 'end-to-end', 'browser', 'crash'] as const;

/** What a suite cannot run without, fetched while the ones before it run. */
const TOOLS: Readonly<Record<string, string>> = { time: 'test-server', 'end-to-end': 'temporal', crash: 'temporal' };

const countsSchema = z.object({ passes: z.number(), failures: z.number() });
type Counts = z.infer<typeof countsSchema>;

/** `npm test [-- <suite>] [words]`: runs all suites, or one, each in a process of its own; ends with the total. */
const [first, ...rest] = process.argv.slice(2);
const chosen = SUITES.filter((suite) => suite === first);
const words = first === undefined || chosen.length > 0 ? rest : [first, ...rest];
const suites = (chosen.length > 0 ? chosen : SUITES).filter((suite) => existsSync(path.join(DIST_DIR, 'test', suite)));

const fetching = new Map(
  [...new Set(suites.flatMap((suite) => TOOLS[suite] ?? []))].map((tool) => [tool, fetchTool(tool)]),
);
const total = { passes: 0, failures: 0 };
for (const suite of suites) {
  await fetching.get(TOOLS[suite] ?? '')?.(suite);
  const { passes, failures } = await runSuite(suite, words);
  total.passes += passes;
  total.failures += failures;
}
console.log(`${total.passes} passed, ${total.failures} failed`);
process.exit(total.failures === 0 && total.passes > 0 ? 0 : 1);

/** A suite that ends without a count, or badly in spite of it, counts as one more failure. */
function runSuite(suite: string, suiteWords: readonly string[]): Promise<Counts> {
  const startedAt = Date.now();
  console.log(`\n── ${suite} tests`);
  return new Promise((resolve) => {
    const child = fork(path.join(DIST_DIR, 'test', 'support', 'run-suite.js'), [suite, ...suiteWords], {
      execArgv: ['--enable-source-maps'],
    });
    let counts: Counts | undefined;
    child.on('message', (message) => {
      counts = countsSchema.parse(message);
    });
    child.once('close', (code) => {
      const { passes, failures } = counts ?? { passes: 0, failures: 0 };
      const missed = counts === undefined || (code !== 0 && failures === 0) ? 1 : 0;
      if (missed > 0) console.log(`The ${suite} tests ended early (exit code ${code ?? 'none'}).`);
      const seconds = Math.round((Date.now() - startedAt) / SECOND_MS);
      console.log(`── ${suite}: ${passes} passed, ${failures + missed} failed, in ${seconds} s`);
      resolve({ passes, failures: failures + missed });
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
