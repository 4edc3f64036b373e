import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Mocha, { type RootHookObject } from 'mocha';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import type { FileResult, Report, Time } from '../../scripts/tests/results.ts';
import { startTimes, startWatch } from './test-times.ts';

/** The root hooks of suites that need a shared server. */
const ROOT_HOOKS: Readonly<Record<string, () => Promise<RootHookObject>>> = {
  'end-to-end': async () => (await import('./stack.ts')).mochaHooks,
  browser: async () => (await import('./demo-shop.ts')).mochaHooks,
  time: async () => ({ afterAll: (await import('./time-skipping-server.ts')).closeTimeSkippingServer }),
};

/** It reads what the others have left behind. */
const IN_EVERY_SHARD = 'without-secrets.slow';

/** Only a test or hook that hangs takes so long, even on a busy machine. Each may set a longer timeout. */
const MINIMUM_TIMEOUT_MS = 5 * MINUTE_MS;

/**
 * `node run-suite.js <suite> [--core] [--shard=1/2] [--file=NAME] [words]`: runs the tests of one folder; with `--core` without the slow
 * files, with `--shard` one part of its files, with `--file` only these, with words the tests whose title contains them in any case. It
 * tells the process that started it, for each file, how many passed, what failed, what was skipped and how long it took. Without words,
 * a folder in which there is no test is a failure.
 */
// Exits, which also ends its child processes, on a signal or when its parent is gone.
for (const event of ['SIGTERM', 'SIGHUP', 'disconnect']) process.once(event, () => process.exit(1));

const { values, positionals } = parseArgs({
  options: {
    core: { type: 'boolean', default: false },
    shard: { type: 'string', default: '1/1' },
    file: { type: 'string', multiple: true },
  },
  allowPositionals: true,
});
const [suite = '', ...words] = positionals;
const REGEXP_SYNTAX = /[\\^$.*+?()[\]{}|]/g;
const [shard = 1, shards = 1] = values.shard.split('/').map(Number);
const folder = fileURLToPath(new URL(`../${suite}/`, import.meta.url));
const rootHooks = await ROOT_HOOKS[suite]?.();
const mocha = new Mocha({
  slow: 5 * SECOND_MS,
  forbidOnly: process.env.CI !== undefined,
  ...(words.length === 0 ? {} : { grep: new RegExp(words.join(' ').replaceAll(REGEXP_SYNTAX, String.raw`\$&`), 'i') }),
  ...(rootHooks === undefined ? {} : { rootHooks }),
});
const files = testFiles(folder);
if (files.length === 0 && values.file !== undefined)
  process.stderr.write(
    `The suite "${suite}" has no file ${values.file.join(', ')}: name it as in its folder, without .test.ts.\n`,
  );
for (const file of files) mocha.addFile(file);
const results = new Map<string | null, FileResult>();
const fileTimes: Time[] = [];
let endPhase = startWatch();
await mocha.loadFilesAsync();
beginPhase('(loading)');
mocha
  .run()
  .on('suite', ({ parent }: Mocha.Suite) => {
    if (parent?.root === true) beginPhase('(between files)');
  })
  .on('suite end', ({ file, parent }: Mocha.Suite) => {
    if (parent?.root === true) beginPhase(fileOf(file) ?? '(without file)');
  })
  .on('hook', raiseTimeout)
  .on('test', raiseTimeout)
  .on('pass', ({ file }: Mocha.Test) => {
    resultOf(file).passes += 1;
  })
  .on('fail', (test: Mocha.Runnable, error: Error) => fail(test.file, test.fullTitle(), error.stack ?? String(error)))
  .on('pending', (test: Mocha.Test) => {
    if (process.env.CI === 'true') fail(test.file, test.fullTitle(), 'It was skipped, which fails with CI=true.');
    else resultOf(test.file).skipped.push(test.fullTitle());
  })
  .once('end', function report(this: Mocha.Runner) {
    beginPhase('(between files)');
    if (words.length === 0 && values.file === undefined && this.total === 0)
      fail(undefined, `No test of the suite "${suite}" ran.`);
    const tested = [...results.values()];
    const exit = () => process.exit(tested.every(({ failed }) => failed.length === 0) ? 0 : 1);
    const message: Report = { files: tested, fileTimes, startTimes: [...startTimes()] };
    // Without a parent there is nobody to report to.
    if (process.send === undefined) exit();
    else process.send(message, exit);
  });

/** Ends what went on so far, under its name, and begins to measure what is next. */
function beginPhase(ended: string): void {
  fileTimes.push(endPhase(ended));
  endPhase = startWatch();
}

function fail(file: string | undefined, title: string, error = ''): void {
  resultOf(file).failed.push({ title, error });
}

/** @param file the path of a test's file; that of a hook outside all suites is undefined */
function resultOf(file: string | undefined): FileResult {
  const name = fileOf(file);
  const result = results.get(name) ?? { file: name, passes: 0, failed: [], skipped: [] };
  results.set(name, result);
  return result;
}

function fileOf(file: string | undefined): string | null {
  return file === undefined ? null : nameOf(path.relative(folder, file));
}

function raiseTimeout(runnable: Mocha.Runnable): void {
  runnable.timeout(Math.max(runnable.timeout(), MINIMUM_TIMEOUT_MS));
}

function testFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.js') && !(values.core && isSlow(name)))
    .filter((name) => values.file?.some((one) => [one, `${one}.slow`].includes(nameOf(name))) ?? true)
    .sort()
    .filter((name, index) => index % shards === shard - 1 || nameOf(name) === IN_EVERY_SHARD)
    .map((name) => path.join(directory, name));
}

/** The core leaves out what is named so. The others cover every resource and every state of a payment. */
function isSlow(name: string): boolean {
  return name.endsWith('.slow.test.js');
}

function nameOf(file: string): string {
  return file.replace(/\.test\.js$/, '');
}
