import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'mocha';
import { writeSandbox } from '../../../sandbox/stack/data-folder.ts';
import { DIST_DIR } from '../../../sandbox/stack/project.ts';

/** Nothing listens at its addresses. */
const STOPPED_SANDBOX = {
  baseUrl: 'http://127.0.0.1:1',
  apiKey: 'svc_test_stopped',
  secretSalt: 'salt',
  signatureVersion: 2 as const,
  merchantId: 'mer_stopped',
  temporalAddress: '127.0.0.1:1',
  temporalUi: 'http://127.0.0.1:1',
  databaseUrl: 'postgresql://user:word@127.0.0.1:1/payments',
  simulators: [],
};

function runCommand(words: readonly string[], settings: Readonly<Record<string, string>>) {
  const [name = '', ...options] = words;
  const program = path.join(DIST_DIR, 'scripts', `${name}.js`);
  const env = { PATH: process.env.PATH, ...settings };
  return spawnSync(process.execPath, [program, ...options], { env, encoding: 'utf8' });
}

describe('a command of an operator', () => {
  it('connects to no database on another machine without verified TLS', () => {
    const { status, stderr } = runCommand(['merchant', 'list'], {
      DATABASE_URL: 'postgresql://user:word@db.example/payments',
    });
    assert.match(stderr, /^DATABASE_URL names another machine, so it must ask for verified TLS/);
    assert.equal(status, 1);
  });

  for (const words of [['merchant', 'list'], ['doctor'], ['reconcile']]) {
    it(`asks for DATABASE_URL or a sandbox where there is neither: ${words[0]}`, async () => {
      const dataDir = await mkdtemp(path.join(tmpdir(), 'payment-engine-stopped-'));
      try {
        const neverStarted = runCommand(words, { DATA_DIR: dataDir });
        assert.match(neverStarted.stderr, /^DATABASE_URL is not set, and no sandbox with the data folder .* runs\./);
        assert.equal(neverStarted.status, 1);

        await writeSandbox(dataDir, STOPPED_SANDBOX);
        const stopped = runCommand(words, { DATA_DIR: dataDir });
        assert.equal(stopped.stderr, neverStarted.stderr);
        assert.equal(stopped.status, 1);
      } finally {
        await rm(dataDir, { recursive: true });
      }
    });
  }

  for (const name of ['migrate', 'rewrap', 'seed', 'doctor']) {
    it(`does not begin its work for somebody who asks for help: ${name}`, () => {
      const { status, stderr } = runCommand([name, '--help'], {});
      assert.equal(stderr, `npm run ${name} takes no arguments, but got --help.\n`);
      assert.equal(status, 1);
    });
  }

  for (const [name, use] of [
    ['start', 'npm start'],
    ...['merchant', 'staff', 'pay', 'reconcile'].map((command) => [command, `npm run ${command} -- `] as const),
  ] as const) {
    it(`explains itself to somebody who asks for help: ${name}`, () => {
      const { status, stdout, stderr } = runCommand([name, '--help'], {});
      assert.match(stdout, new RegExp(`^Use.*${use}`, 's'));
      assert.equal(stderr, '');
      assert.equal(status, 0);
    });

    it(`says in one line what is wrong with an option: ${name}`, () => {
      const { status, stdout, stderr } = runCommand([name, '--unknown'], {});
      assert.match(stderr, /^Unknown option '--unknown'\.?\nUse/);
      assert.equal(stdout, '');
      assert.equal(status, 1);
    });
  }

  it('explains the tests instead of running them', () => {
    const { status, stdout } = runCommand(['run-tests', '--help'], {});
    assert.match(stdout, /^Use one of:\n {2}npm test .*\nThe suites are: unit, end-to-end, /s);
    assert.equal(status, 0);
    assert.match(runCommand(['run-tests', '--grep', 'words'], {}).stderr, /^There is no option --grep\.\nUse one of:/);
  });

  for (const name of ['package', 'pack-sdks']) {
    it(`takes no option for the name of its folder: ${name}`, () => {
      const { status, stderr } = runCommand([name, '--help'], {});
      assert.equal(stderr, `Use: npm run ${name} -- FOLDER\n`);
      assert.equal(status, 1);
    });
  }
});
