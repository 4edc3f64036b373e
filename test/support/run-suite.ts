import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import Mocha, { type RootHookObject } from 'mocha';
import { SECOND_MS } from '../../domain/time.ts';

/** What suites have in common, by suite. */
const ROOT_HOOKS: Readonly<Record<string, () => Promise<RootHookObject>>> = {
  'end-to-end': async () => (await import('./stack.ts')).mochaHooks,
  browser: async () => (await import('./demo-shop.ts')).mochaHooks,
  time: async () => ({ afterAll: (await import('./time-skipping-server.ts')).closeTimeSkippingServer }),
};

/**
 * The end-to-end tests that take long, which the core leaves out. The others have every resource and every state of a payment,
 * and so has the core.
 */
const SLOW_FILES: readonly string[] = [];

/**
 * `node run-suite.js <suite> [--core | words]`: runs the tests of one folder, or those of them that are quick, or those whose title
 * contains the words. It tells the process that started it how many passed, what failed, and what was skipped.
 */
// What hangs on this process ends with it, also when it is told to end, or the one that started it is gone.
for (const event of ['SIGTERM', 'SIGHUP', 'disconnect']) process.once(event, () => process.exit(1));

const [suite = '', ...options] = process.argv.slice(2);
const isCore = options[0] === '--core';
const words = isCore ? [] : options;
const folder = fileURLToPath(new URL(`../${suite}/`, import.meta.url));
const rootHooks = await ROOT_HOOKS[suite]?.();
const mocha = new Mocha({
  timeout: 30 * SECOND_MS,
  slow: 5 * SECOND_MS,
  forbidOnly: process.env.CI !== undefined,
  ...(words.length === 0 ? {} : { fgrep: words.join(' ') }),
  ...(rootHooks === undefined ? {} : { rootHooks }),
});
for (const file of testFiles(folder)) mocha.addFile(file);
await mocha.loadFilesAsync();
const failed: string[] = [];
const skipped: string[] = [];
mocha
  .run()
  .on('fail', (test: Mocha.Runnable, error: Error) =>
    failed.push(`${test.fullTitle()}\n${error.stack ?? String(error)}`),
  )
  .on('pending', (test: Mocha.Test) => {
    if (process.env.CI === 'true') failed.push(`${test.fullTitle()}\nIt was skipped, which fails with CI=true.`);
    else skipped.push(test.fullTitle());
  })
  .once('end', function report(this: Mocha.Runner) {
    const { passes = 0 } = this.stats ?? {};
    const exit = () => process.exit(failed.length === 0 ? 0 : 1);
    // Started by hand, it has nobody to tell.
    if (process.send === undefined) exit();
    else process.send({ passes, failed, skipped }, exit);
  });

function testFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.js') && !(isCore && SLOW_FILES.includes(name.replace('.test.js', ''))))
    .sort()
    .map((name) => path.join(directory, name));
}
