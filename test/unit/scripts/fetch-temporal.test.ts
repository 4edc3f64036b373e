import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { after, before, describe, it } from 'mocha';
import { PROJECT_ROOT } from '../../../sandbox/stack/project.ts';

const SOURCES = ['scripts/fetch-temporal.mjs', 'config/tool-folders.mjs', 'sandbox/stack', 'sandbox/tools'];

describe('the search for a Temporal server while packages are installed', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'payment-engine-fetch-'));
    for (const name of SOURCES) {
      await cp(path.join(PROJECT_ROOT, name), path.join(folder, 'clone', name), { recursive: true });
    }
    const temporal = path.join(folder, 'temporal');
    await writeFile(temporal, '#!/bin/sh\n');
    await chmod(temporal, 0o755);
  });
  after(() => rm(folder, { recursive: true }));

  it('works in a clone without packages', async () => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['scripts/fetch-temporal.mjs'], {
      cwd: path.join(folder, 'clone'),
      env: { PATH: folder, XDG_CACHE_HOME: path.join(folder, 'cache') },
    });
    assert.deepEqual([stdout, stderr], ['', '']);
  });
});
