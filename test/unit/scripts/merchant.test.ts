import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, it } from 'mocha';
import { DIST_DIR } from '../../../sandbox/stack/project.ts';

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
    it(`names DATABASE_URL where there is neither that variable nor a sandbox: ${words[0]}`, () => {
      const { status, stderr } = runCommand(words, { DATA_DIR: path.join(DIST_DIR, 'no-such-folder') });
      assert.match(stderr, /^DATABASE_URL is not set\. There is no .*sandbox\.json\. Start the engine first/);
      assert.equal(status, 1);
    });
  }

  for (const name of ['migrate', 'rewrap', 'seed', 'doctor']) {
    it(`does not begin its work for somebody who asks for help: ${name}`, () => {
      const { status, stderr } = runCommand([name, '--help'], {});
      assert.equal(stderr, `npm run ${name} takes no arguments, but got --help.\n`);
      assert.equal(status, 1);
    });
  }

  for (const name of ['package', 'pack-sdks']) {
    it(`takes no option for the name of its folder: ${name}`, () => {
      const { status, stderr } = runCommand([name, '--help'], {});
      assert.equal(stderr, `Use: npm run ${name} -- FOLDER\n`);
      assert.equal(status, 1);
    });
  }
});
