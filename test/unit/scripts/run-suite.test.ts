import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { describe, it } from 'mocha';
import { DIST_DIR } from '../../../sandbox/stack/project.ts';
import { reportSchema } from '../../../scripts/tests/results.ts';

/** A folder below `test` that has no tests. */
const EMPTY_SUITE = 'support';

describe('a suite without tests', function () {
  this.timeout(30_000);

  const run = async (...words: readonly string[]): Promise<{ readonly code: unknown; readonly files: unknown }> => {
    const child = fork(path.join(DIST_DIR, 'test', 'support', 'run-suite.js'), [EMPTY_SUITE, ...words], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const ended = once(child, 'exit');
    const [message]: unknown[] = await once(child, 'message');
    const [code]: unknown[] = await ended;
    return { code, files: reportSchema.parse(message).files };
  };

  it('is a failure', async () => {
    const failed = [{ title: `No test of the suite "${EMPTY_SUITE}" ran.`, error: '' }];
    assert.deepEqual(await run(), { code: 1, files: [{ file: null, passes: 0, failed, skipped: [] }] });
  });

  it('is no failure where words choose among the tests', async () => {
    assert.deepEqual(await run('words of no title'), { code: 0, files: [] });
  });
});
