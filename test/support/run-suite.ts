import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Mocha, { type RootHookObject } from 'mocha';
import { SECOND_MS } from '../../domain/time.ts';

/** The root hooks of suites that need a shared server. */
const ROOT_HOOKS: Readonly<Record<string, () => Promise<RootHookObject>>> = {
  'end-to-end': async () => (await import('./stack.ts')).mochaHooks,
  browser: async () => (await import('./demo-shop.ts')).mochaHooks,
  time: async () => ({ afterAll: (await import('./time-skipping-server.ts')).closeTimeSkippingServer }),
};

/**
 * The files of end-to-end tests that the core leaves out, with what takes long in them. The others cover every resource and every
 * state of a payment.
 */
const SLOW_FILES: Readonly<Record<string, string>> = {
  captures: 'waits through outages of a provider',
  'ended-workflows': 'waits until a sweeper finds each workflow that was ended',
  'encrypted-payloads': 'starts an engine of its own',
  gateways: 'starts gateways of their own, and kills one under load',
  'hostile-frames': 'sends hostile frames for ten seconds',
  package: 'installs the production packages',
  'python-client': 'installs a package of Python',
  'provider-webhooks': 'sends a webhook a thousand times, and others late',
  'simulator-outage': 'kills simulators, and waits through every try',
  stack: 'kills each process of the engine in turn',
  start: 'runs `npm start` several times',
  'stray-charges': 'waits for charges that arrive late and are reversed',
  traces: 'starts an engine of its own',
  'whole-catalogue': 'waits for each error code, outages included',
  'without-secrets': 'reads all histories, logs and files',
  'worker-versions': 'starts workers of other versions',
};

/** It reads what the others have left behind. */
const IN_EVERY_SHARD = 'without-secrets';

/**
 * `node run-suite.js <suite> [--core] [--shard=1/2] [words]`: runs the tests of one folder; with `--core` without the slow files, with
 * `--shard` one part of its files, with words the tests whose title contains them. It tells the process that started it how many
 * passed, what failed, and what was skipped. Without words, a folder in which there is no test is a failure.
 */
// Exits, which also ends its child processes, on a signal or when its parent is gone.
for (const event of ['SIGTERM', 'SIGHUP', 'disconnect']) process.once(event, () => process.exit(1));

const { values, positionals } = parseArgs({
  options: { core: { type: 'boolean', default: false }, shard: { type: 'string', default: '1/1' } },
  allowPositionals: true,
});
const [suite = '', ...words] = positionals;
const [shard = 1, shards = 1] = values.shard.split('/').map(Number);
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
    if (words.length === 0 && this.total === 0) failed.push(`No test of the suite "${suite}" ran.`);
    const exit = () => process.exit(failed.length === 0 ? 0 : 1);
    // Without a parent there is nobody to report to.
    if (process.send === undefined) exit();
    else process.send({ passes, failed, skipped }, exit);
  });

function testFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.js') && !(values.core && isSlow(name)))
    .sort()
    .filter((name, index) => index % shards === shard - 1 || nameOf(name) === IN_EVERY_SHARD)
    .map((name) => path.join(directory, name));
}

function isSlow(name: string): boolean {
  return suite === 'end-to-end' && Object.hasOwn(SLOW_FILES, nameOf(name));
}

function nameOf(file: string): string {
  return path.basename(file, '.test.js');
}
