import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'mocha';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stopLeftoverServer } from '../../../../sandbox/stack/postgres.ts';
import { stopLeftoverProcesses, writeProcessRecords } from '../../../../sandbox/stack/process-records.ts';
import {
  isRunning,
  isSurelyRunning,
  linuxStartTime,
  mayBeRunning,
  processStartedAt,
} from '../../../../sandbox/stack/process-start.mjs';
import { stopProcess } from '../../../../sandbox/stack/processes.ts';

describe('processes', () => {
  it('are distinguished by their start time from later ones with the same pid', () => {
    const startedAt = processStartedAt(process.pid) ?? '';
    assert.ok(isRunning({ pid: process.pid, startedAt }));
    assert.ok(!isRunning({ pid: process.pid, startedAt: 'at another time' }));
    assert.ok(!mayBeRunning({ pid: process.pid, startedAt: 'at another time' }));
  });

  it('have a start time that is found whatever name they give themselves', () => {
    const after = Array.from({ length: 30 }, (_, index) => String(index + 100)).join(' ');
    assert.equal(linuxStartTime(`12 (a) b (c)) S ${after}`), '118');
    assert.equal(linuxStartTime(`12 (gone) Z ${after}`), null);
  });

  it('are distinguished from those before a restart of the system', function () {
    if (process.platform !== 'linux') this.skip();
    const [ticks = '', boot = ''] = (processStartedAt(process.pid) ?? '').split(' ');
    assert.match(boot, /^[0-9a-f-]{36}$/);
    const before = { pid: process.pid, startedAt: `${ticks} 00000000-0000-4000-8000-000000000000` };
    assert.ok(!isRunning(before) && !isSurelyRunning(before) && !mayBeRunning(before));
  });

  it('are stopped as leftovers only where their note is beyond doubt; others are named', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'payment-engine-records-'));
    const [own, unrelated] = [spawn('sleep', ['60']), spawn('sleep', ['60'])];
    const ended = once(own, 'exit');
    try {
      const startOf = ({ pid = 0 }) => processStartedAt(pid) ?? '';
      const recordOf = ({ pid = 0 }, startedAt: string) =>
        ({
          name: 'worker',
          pid,
          startedAt,
          stopSignal: 'SIGTERM',
          stopWithinMs: 1_000,
          endsWithParent: false,
        }) as const;
      const notes = [startOf(unrelated).split(' ')[0] ?? '', '', 'Thu Jan  1 00:00:00 1970'];
      writeProcessRecords(folder, [
        ...notes.map((startedAt) => recordOf(unrelated, startedAt)),
        recordOf(own, startOf(own)),
      ]);
      const lines: string[] = [];
      await stopLeftoverProcesses(folder, (line) => lines.push(line));
      assert.deepEqual(await ended, [null, 'SIGTERM']);
      assert.equal(lines.filter((line) => line.includes(`kill ${unrelated.pid}`)).length, 2);
      assert.equal(unrelated.exitCode ?? unrelated.signalCode, null);
    } finally {
      own.kill();
      unrelated.kill();
      await rm(folder, { recursive: true });
    }
  });

  for (const platform of new Set([process.platform, 'darwin'] as const)) {
    it(`are not taken for a PostgreSQL server whose number they have after a restart of the system (${platform})`, async () => {
      const cluster = await mkdtemp(path.join(tmpdir(), 'payment-engine-cluster-'));
      const unrelated = spawn('sleep', ['60']);
      const actual = process.platform;
      Object.defineProperty(process, 'platform', { value: platform });
      try {
        await writeFile(path.join(cluster, 'postmaster.pid'), `${unrelated.pid}\n${cluster}\n`);
        await stopLeftoverServer(cluster);
        assert.equal(unrelated.exitCode ?? unrelated.signalCode, null);
        assert.deepEqual(await readdir(cluster), []);
      } finally {
        Object.defineProperty(process, 'platform', { value: actual });
        unrelated.kill();
        await rm(cluster, { recursive: true });
      }
    });
  }

  it('are killed if they ignore the signal', async () => {
    const child = spawn(process.execPath, [
      '-e',
      `process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000)`,
    ]);
    await once(child.stdout, 'data');
    const ended = once(child, 'exit');
    const pid = child.pid ?? 0;
    const record = { name: 'stubborn', pid, startedAt: processStartedAt(pid) ?? '' };
    await stopProcess({ ...record, stopSignal: 'SIGTERM', stopWithinMs: 100, endsWithParent: false });
    assert.deepEqual(await ended, [null, 'SIGKILL']);
  });
});
