import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { after, before, describe, it } from 'mocha';
import { MINUTE_MS } from '../../domain/time.ts';
import { PROJECT_ROOT } from '../../sandbox/stack/project.ts';
import { createKey, createMerchant } from '../support/merchants.ts';
import { skipWithout } from '../support/skip.ts';
import { getStack } from '../support/stack.ts';

const run = promisify(execFile);
const OLDEST_PYTHON = '3.11';
const HAS_NEEDED_VERSION = `import sys; sys.exit(sys.version_info < tuple(map(int, "${OLDEST_PYTHON}".split("."))))`;

const SOURCES = path.join(PROJECT_ROOT, 'sdk', 'python');
const DESCRIBE_INSTALLED = `
import importlib.metadata, importlib.resources, payment_engine
typed = importlib.resources.files(payment_engine).joinpath("py.typed").is_file()
print(payment_engine.Client.__module__.split(".")[0], typed, importlib.metadata.requires("payment-engine") or [])
`;

describe('the Python client', function () {
  this.timeout(5 * MINUTE_MS);
  let folder: string;

  before(async function () {
    folder = await mkdtemp(path.join(tmpdir(), 'python-client-'));
    if (!(await succeeds('python3', ['-c', HAS_NEEDED_VERSION]))) skipWithout(`Python ${OLDEST_PYTHON}`, this);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('passes its tests against the running engine', async () => {
    const merchant = await createMerchant();
    const { credentials: version1 } = merchant;
    const { credentials: version2 } = await createKey(merchant, 'sandbox', { signatureVersion: 2 });
    const { stderr } = await run('python3', ['-B', '-m', 'unittest', 'discover', '-s', 'tests'], {
      cwd: SOURCES,
      env: {
        ...process.env,
        PAYMENT_ENGINE_URL: getStack().sandbox.baseUrl,
        PAYMENT_ENGINE_KEY_1: version1.apiKey,
        PAYMENT_ENGINE_SALT_1: version1.secretSalt,
        PAYMENT_ENGINE_KEY_2: version2.apiKey,
        PAYMENT_ENGINE_SALT_2: version2.secretSalt,
      },
    });
    assert.match(stderr, /^Ran \d+ tests in [\d.]+s\n\nOK\n$/m, stderr);
  });

  it('is installed by pip, with its types and without other packages', async function () {
    // The builder, which pip fetches.
    const download = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', folder, 'flit_core'];
    if (!(await succeeds('python3', download))) skipWithout('pip, or a registry of Python packages,', this);
    const installed = path.join(folder, 'installed');
    await run('python3', ['-m', 'pip', 'install', '--quiet', '--target', installed, SOURCES]);
    const { stdout } = await run('python3', ['-c', DESCRIBE_INSTALLED], { cwd: installed });
    assert.equal(stdout, 'payment_engine True []\n');
  });
});

async function succeeds(program: string, args: readonly string[]): Promise<boolean> {
  return run(program, [...args]).then(
    () => true,
    () => false,
  );
}
