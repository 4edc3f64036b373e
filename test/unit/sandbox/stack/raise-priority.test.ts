import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { raisePriority } from '../../../../sandbox/stack/raise-priority.ts';

describe('raising the priority of a process', () => {
  let child: ChildProcess;
  beforeEach(async () => {
    child = spawn('/bin/sh', ['-c', 'exec sleep 60'], { detached: true, stdio: 'ignore' });
    await once(child, 'spawn');
  });
  afterEach(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });

  it('raises that of the process and of its session if this user may, and leaves it as it is otherwise', () => {
    const pid = child.pid ?? 0;
    raisePriority(pid);
    const isRoot = process.getuid?.() === 0;
    assert.equal(getPriority(pid), isRoot ? -10 : 0);
    const session = `/proc/${pid}/autogroup`;
    if (existsSync(session)) assert.match(readFileSync(session, 'utf8'), isRoot ? /nice -10$/m : /nice 0$/m);
  });

  it('ignores a process that has ended', () => {
    assert.doesNotThrow(() => raisePriority(2 ** 30));
  });
});
