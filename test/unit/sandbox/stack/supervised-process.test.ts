import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { signalProcess } from '../../../../sandbox/process-tree.ts';
import type { ChildSpec } from '../../../../sandbox/stack/child-spec.ts';
import { SupervisedProcess } from '../../../../sandbox/stack/supervised-process.ts';

/** Longer than the first pause before a process is started again. */
const LONGER_THAN_BACKOFF_MS = 400;

describe('a supervised process', () => {
  let logDir: string;
  let supervised: SupervisedProcess;
  /** What `beforeStart` waits for. */
  let mayStart: Promise<unknown>;

  beforeEach(async () => {
    logDir = await mkdtemp(path.join(tmpdir(), 'payment-engine-supervised-'));
    mayStart = Promise.resolve();
    const spec: ChildSpec = {
      name: 'sleeper',
      command: '/bin/sh',
      args: ['-c', 'echo $$; exec sleep 60'],
      env: { PATH: process.env.PATH },
      cwd: logDir,
      isNode: false,
      stopSignal: 'SIGTERM',
      stopWithinMs: 5_000,
      readyWithinMs: 30_000,
      beforeStart: async () => void (await mayStart),
      isReady: (output) => output.includes('\n'),
    };
    supervised = new SupervisedProcess(spec, {
      logDir,
      report: () => undefined,
      whenWatched: async () => undefined,
      onChange: () => undefined,
      isStopping: () => false,
    });
    await supervised.start();
  });
  afterEach(async () => {
    await supervised.stop();
    for (const pid of await startedPids()) signalProcess(pid, 'SIGKILL');
    await rm(logDir, { recursive: true, force: true });
  });

  const startedPids = async (): Promise<readonly number[]> =>
    (await readFile(path.join(logDir, 'sleeper.log'), 'utf8')).trim().split('\n').map(Number);

  it('is started again when it ends', async () => {
    await supervised.kill('SIGKILL');
    await supervised.whenReady();
    const [, second] = await startedPids();
    assert.equal(supervised.record?.pid, second);
  });

  it('runs once when it is restarted while it waits to be started again', async () => {
    await supervised.kill('SIGKILL');
    await supervised.restart();
    await sleep(LONGER_THAN_BACKOFF_MS);
    const started = await startedPids();
    assert.equal(started.length, 2);
    assert.equal(supervised.record?.pid, started[1]);
  });

  it('runs once when it is restarted while it is about to start', async () => {
    let allowStart: (value?: unknown) => void = () => undefined;
    mayStart = new Promise((resolve) => (allowStart = resolve));
    const restarts = [supervised.restart()];
    await sleep(LONGER_THAN_BACKOFF_MS);
    restarts.push(supervised.restart());
    allowStart();
    await Promise.all(restarts);
    assert.equal((await startedPids()).length, 2);
  });

  it('does not run again when it is stopped while it is about to start', async () => {
    let allowStart: (value?: unknown) => void = () => undefined;
    mayStart = new Promise((resolve) => (allowStart = resolve));
    const restarted = assert.rejects(supervised.restart(), /Stopped before/);
    await sleep(LONGER_THAN_BACKOFF_MS);
    await supervised.stop();
    allowStart();
    await restarted;
    assert.equal((await startedPids()).length, 1);
    assert.equal(supervised.record, undefined);
  });

  it('does not run again when it is stopped while a restart drains it', async () => {
    const restarted = assert.rejects(supervised.restart(), /Stopped before/);
    await supervised.stop();
    await restarted;
    assert.equal((await startedPids()).length, 1);
  });

  it('is started again when a restart, made while it waits to be started again, fails before its start', async () => {
    await supervised.kill('SIGKILL');
    mayStart = Promise.reject(new Error('no database'));
    mayStart.catch(() => undefined);
    await assert.rejects(supervised.restart(), /no database/);
    mayStart = Promise.resolve();
    await supervised.whenReady();
    const started = await startedPids();
    assert.equal(started.length, 2);
    assert.equal(supervised.record?.pid, started[1]);
  });
});
