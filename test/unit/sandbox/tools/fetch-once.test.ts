import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { fetchOnce } from '../../../../sandbox/tools/fetch-once.mjs';

describe('fetchOnce', () => {
  let folder: string;
  let fetched: number;
  let reported: string[];

  beforeEach(async () => {
    folder = path.join(await mkdtemp(path.join(tmpdir(), 'payment-engine-fetch-')), 'thing');
    fetched = 0;
    reported = [];
  });
  afterEach(() => rm(path.dirname(folder), { recursive: true, force: true }));

  const fetchThing = (): Promise<boolean> =>
    fetchOnce({
      folder,
      what: 'the thing',
      isThere: () => existsSync(path.join(folder, 'thing')),
      fetch: async () => {
        fetched += 1;
        await writeFile(path.join(folder, 'thing'), 'thing');
        return true;
      },
      report: (line) => reported.push(line),
    });

  it('fetches once for any number of concurrent callers', async () => {
    assert.deepEqual(await Promise.all([fetchThing(), fetchThing(), fetchThing()]), [true, true, true]);
    assert.equal(fetched, 1);
    assert.deepEqual(await readdir(folder), ['thing']);
  });

  it('takes over from a process that died, and removes what it left', async () => {
    await mkdir(path.join(folder, 'build-1', 'half'), { recursive: true });
    const startedAt = Buffer.from('long ago').toString('base64url');
    await writeFile(path.join(folder, `fetch.lock.${process.pid}.${startedAt}.1`), '');
    assert.equal(await fetchThing(), true);
    assert.deepEqual(await readdir(folder), ['thing']);
    assert.deepEqual(reported, []);
  });
});
