import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { findFreePortVariables } from '../../sandbox/stack/ports.ts';
import { processRecordsSchema } from '../../sandbox/stack/process-records.ts';
import { type ProcessRecord, waitForEnd } from '../../sandbox/stack/processes.ts';
import { DIST_DIR } from '../../sandbox/stack/project.ts';
import { sendSigned } from '../../sandbox/signed-request.ts';
import { readSandbox } from '../../sandbox/stack/data-folder.ts';

const ENDED_WITHIN_MS = 60_000;

describe('npm start', function () {
  this.timeout(180_000);
  let environment: NodeJS.ProcessEnv;
  let dataDir: string;
  let engine: ChildProcess;

  before(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'payment-engine-start-'));
    environment = { ...process.env, ...(await findFreePortVariables()), DATA_DIR: dataDir };
  });
  after(async () => {
    engine.kill('SIGKILL');
    await Promise.all((await readProcesses()).map((record) => waitForEnd(record, ENDED_WITHIN_MS)));
    await rm(dataDir, { recursive: true, force: true });
  });

  function start(): ChildProcess & { readonly output: () => string } {
    const child = spawn(process.execPath, [path.join(DIST_DIR, 'scripts', 'start.js')], { env: environment });
    process.once('exit', () => child.kill());
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)));
    return Object.assign(child, { output: () => text });
  }

  /** Waits for the table. Returns what was printed. @throws Error with the output of an engine that ends without it */
  async function startAndWait(): Promise<string> {
    const child = start();
    engine = child;
    const ended = once(child, 'close').then(() => assert.fail(`it ended: ${child.output()}`));
    ended.catch(() => undefined);
    while (!child.output().includes('npm run pay')) await Promise.race([once(child.stdout ?? child, 'data'), ended]);
    return child.output();
  }

  async function readProcesses(): Promise<readonly ProcessRecord[]> {
    return processRecordsSchema.parse(JSON.parse(await readFile(path.join(dataDir, 'processes.json'), 'utf8')));
  }

  async function createIntent(): Promise<number> {
    const sandbox = await readSandbox(dataDir);
    const body = { amount: 1_000, currency: 'USD' };
    return (await sendSigned(sandbox, { method: 'POST', path: '/api/v1/payment-intents', body })).status;
  }

  it('prints a table of addresses at the end, and accepts payments', async () => {
    const output = await startAndWait();
    assert.ok(!output.includes('savedQuery='), 'each visit of such an address adds a view to the Temporal UI');
    for (const line of [/^ {2}Documentation +http:.*\/docs$/m, /^ {2}Sandbox key +svc_test_.*sandbox\.json\)$/m]) {
      assert.match(output, line);
    }
    assert.equal(await createIntent(), 201);
    assert.equal((await readProcesses()).length, 9);
  });

  it('rejects a second start with a user error', async () => {
    const second = start();
    const [code]: unknown[] = await once(second, 'close');
    assert.equal(code, 1);
    assert.match(second.output(), new RegExp(`^The payment engine already runs .* process ${engine.pid ?? ''}\\.`));
  });

  it('leaves no process running when it is killed, and starts again with its data', async () => {
    const processes = await readProcesses();
    assert.ok(processes.length > 0);
    engine.kill('SIGKILL');
    const ends = await Promise.all(processes.map((record) => waitForEnd(record, ENDED_WITHIN_MS)));
    assert.ok(ends.every(Boolean));
    await startAndWait();
    assert.equal(await createIntent(), 201);
  });

  it('drains when it is asked to stop', async () => {
    const processes = await readProcesses();
    assert.ok(processes.length > 0);
    engine.kill('SIGTERM');
    const [code]: unknown[] = await once(engine, 'close');
    assert.equal(code, 0);
    const ends = await Promise.all(processes.map((record) => waitForEnd(record, 0)));
    assert.ok(ends.every(Boolean));
  });
});
