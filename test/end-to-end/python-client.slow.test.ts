import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { before, describe, it } from 'mocha';
import { MINUTE_MS } from '../../domain/time.ts';
import { PROJECT_ROOT } from '../../sandbox/stack/project.ts';
import { createKey, createMerchant } from '../support/merchants.ts';
import { skipWithout } from '../support/skip.ts';
import { getStack } from '../support/stack.ts';

const run = promisify(execFile);
const OLDEST_PYTHON = '3.11';
const HAS_NEEDED_VERSION = `import sys; sys.exit(sys.version_info < tuple(map(int, "${OLDEST_PYTHON}".split("."))))`;

const SOURCES = path.join(PROJECT_ROOT, 'sdk', 'python');

describe('the Python client', function () {
  this.timeout(5 * MINUTE_MS);

  before(async function () {
    if (!(await succeeds('python3', ['-c', HAS_NEEDED_VERSION]))) skipWithout(`Python ${OLDEST_PYTHON}`, this);
  });

  it('passes its tests against the running engine', async () => {
    const merchant = await createMerchant();
    const { credentials: version1 } = merchant;
    const { credentials: version2 } = await createKey(merchant, 'sandbox', { signatureVersion: 2 });
    const { stderr } = await run('python3', ['-B', '-m', 'unittest', 'discover', '-s', 'tests'], {
      cwd: SOURCES,
      env: {
        ...process.env,
        // No proxy reaches the engine of the tests.
        no_proxy: '*',
        PAYMENT_ENGINE_URL: getStack().sandbox.baseUrl,
        PAYMENT_ENGINE_KEY_1: version1.apiKey,
        PAYMENT_ENGINE_SALT_1: version1.secretSalt,
        PAYMENT_ENGINE_KEY_2: version2.apiKey,
        PAYMENT_ENGINE_SALT_2: version2.secretSalt,
      },
    });
    assert.match(stderr, /^Ran \d+ tests in [\d.]+s\n\nOK\n$/m, stderr);
  });
});

async function succeeds(program: string, args: readonly string[]): Promise<boolean> {
  return run(program, [...args]).then(
    () => true,
    () => false,
  );
}
