import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, it } from 'mocha';
import { readSandbox } from '../../sandbox/stack/data-folder.ts';
import { DIST_DIR } from '../../sandbox/stack/project.ts';
import type { StackProcess } from '../../sandbox/stack/stack-options.ts';
import { getDataDir, getStack } from '../support/stack.ts';

const run = promisify(execFile);

async function pay(...args: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [path.join(DIST_DIR, 'scripts', 'pay.js'), ...args], {
    env: { ...process.env, DATA_DIR: getDataDir() },
  });
  return stdout;
}

describe('the running engine', function () {
  this.timeout(120_000);

  it('writes the data for clients to sandbox.json, readable by its owner only', async () => {
    const sandbox = await readSandbox(getDataDir());
    assert.deepEqual(sandbox, getStack().sandbox);
    assert.deepEqual(Object.keys(sandbox).sort(), [
      'apiKey',
      'baseUrl',
      'databaseUrl',
      'merchantId',
      'secretSalt',
      'simulators',
      'temporalAddress',
      'temporalUi',
    ]);
    const { mode } = await stat(path.join(getDataDir(), 'sandbox.json'));
    assert.equal(mode & 0o777, 0o600);
  });

  it('makes the files of its servers unreadable for other users', async () => {
    const files = ['temporal.sqlite', 'temporal.sqlite-wal', 'simulators/alpha.jsonl'];
    const modes = await Promise.all(files.map(async (file) => (await stat(path.join(getDataDir(), file))).mode));
    assert.deepEqual(
      modes.map((mode) => mode & 0o777),
      [0o600, 0o600, 0o600],
    );
  });

  it('makes a first payment with npm run pay, and links to its workflow', async () => {
    const output = await pay();
    assert.match(output, /^Confirmed {2}succeeded, by alpha$/m);
    assert.match(output, /^Workflow {3}http:\/\/127\.0\.0\.1:\d+\/namespaces\/default\/workflows\/pi_[0-9a-f]{32}$/m);
  });

  for (const name of ['api', 'worker', 'temporal', 'postgres', 'simulator-alpha'] as const satisfies StackProcess[]) {
    it(`restarts ${name} when it is killed, and payments continue`, async () => {
      const stack = getStack();
      const before = stack.pidOf(name);
      await stack.kill(name, 'SIGKILL');
      await stack.whenReady(name);
      const after = stack.pidOf(name);
      assert.ok(after !== undefined && after !== before);
      assert.match(await payUntilAccepted(), /succeeded/);
    });
  }
});

/** Retries as a merchant would, because the other processes may need a moment to reconnect. */
async function payUntilAccepted(): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await pay();
    } catch (error) {
      if (tries === 20) throw error;
    }
  }
}
