import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { acquireLock, waitForLock } from '../../../../sandbox/stack/lock-file.mjs';
import { eventually } from '../../../support/eventually.ts';

const RACERS = 10;
const RACES = 3;
const LOCK_MODULE = new URL('../../../../sandbox/stack/lock-file.mjs', import.meta.url).href;

/** Waits for the start, competes for the lock, records other holders, and dies while it holds the lock. */
const RACER = `
  import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
  import { setTimeout as sleep } from 'node:timers/promises';
  import { acquireLock } from '${LOCK_MODULE}';
  const folder = process.argv[1];
  writeFileSync(folder + '/ready/' + process.pid, '');
  while (!existsSync(folder + '/go')) await sleep(5);
  while (!('release' in (await acquireLock(folder + '/lock'))));
  const mark = folder + '/inside/' + process.pid;
  writeFileSync(mark, '');
  await sleep(10);
  const inside = readdirSync(folder + '/inside');
  writeFileSync(folder + '/held/' + process.pid, '');
  if (inside.length > 1) writeFileSync(folder + '/shared/' + process.pid, inside.join());
  rmSync(mark);
  process.kill(process.pid, 'SIGKILL');
`;

/** Prints whether it gets the lock, on a system that has no way to say when a process started. */
const WITHOUT_START_TIMES = `
  import { acquireLock } from '${LOCK_MODULE}';
  Object.defineProperty(process, 'platform', { value: 'darwin' });
  process.env.PATH = '';
  console.log(JSON.stringify(await acquireLock(process.argv[1])));
`;

describe('lock file', () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'payment-engine-lock-'));
    file = path.join(folder, 'lock');
    for (const name of ['ready', 'inside', 'held', 'shared']) await mkdir(path.join(folder, name));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const acquire = async (): Promise<() => void> => {
    const lock = await acquireLock(file);
    assert.ok('release' in lock, 'the lock is not free');
    return lock.release;
  };

  const startRacer = (): ChildProcess =>
    spawn(process.execPath, ['--input-type=module', '-e', RACER, folder], { stdio: ['ignore', 'ignore', 'inherit'] });

  it('has one holder, whom it names, until it is released', async () => {
    const release = await acquire();
    assert.deepEqual(await acquireLock(file), { heldBy: process.pid });
    release();
    (await acquire())();
    assert.deepEqual(await readdir(folder), ['held', 'inside', 'ready', 'shared']);
  });

  it('is acquired by waiting processes one after the other', async () => {
    const release = await acquire();
    const waited: number[] = [];
    let holders = 0;
    const all = Array.from({ length: 4 }, async () => {
      const releaseNext = await waitForLock(file, (holder) => waited.push(holder));
      assert.equal((holders += 1), 1);
      await new Promise((resolve) => setTimeout(resolve, 10));
      holders -= 1;
      releaseNext();
    });
    await eventually(async () => assert.equal(waited.length, 4));
    release();
    await Promise.all(all);
    assert.deepEqual(waited, Array(4).fill(process.pid));
  });

  it('is held by a process that runs, and by no dead one, where the system does not say when they started', async () => {
    const program = spawnSync(process.execPath, ['-e', '']);
    const entry = (pid: number) => `${file}.${pid}.${Buffer.from('some time').toString('base64url')}.id`;
    const tryToAcquire = () =>
      spawnSync(process.execPath, ['--input-type=module', '-e', WITHOUT_START_TIMES, file], { encoding: 'utf8' })
        .stdout;
    await writeFile(entry(program.pid), '');
    assert.equal(tryToAcquire(), '{}\n');
    await writeFile(entry(process.pid), '');
    assert.equal(tryToAcquire(), `{"heldBy":${process.pid}}\n`);
  });

  it('is held by exactly one of many processes that race for the lock of a dead one', async function () {
    this.timeout(60_000);
    for (let race = 0; race < RACES; race += 1) {
      await rm(path.join(folder, 'go'), { force: true });
      const racers = Array.from({ length: RACERS }, startRacer);
      const ended = Promise.all(racers.map((racer) => once(racer, 'exit')));
      while ((await readdir(path.join(folder, 'ready'))).length < RACERS * (race + 1)) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      await writeFile(path.join(folder, 'go'), '');
      await ended;
    }
    assert.equal((await readdir(path.join(folder, 'held'))).length, RACERS * RACES);
    assert.deepEqual(await readdir(path.join(folder, 'shared')), []);
  });
});
