import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'mocha';
import { isRunning, linuxStartTime, mayBeRunning, processStartedAt } from '../../../../sandbox/stack/process-start.mjs';
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
