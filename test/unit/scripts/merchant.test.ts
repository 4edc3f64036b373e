import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, it } from 'mocha';
import { DIST_DIR } from '../../../sandbox/stack/project.ts';

function listMerchants(settings: Readonly<Record<string, string>>) {
  const program = path.join(DIST_DIR, 'scripts', 'merchant.js');
  const env = { PATH: process.env.PATH, ...settings };
  return spawnSync(process.execPath, [program, 'list'], { env, encoding: 'utf8' });
}

describe('npm run merchant', () => {
  it('connects to no database on another machine without verified TLS', () => {
    const { status, stderr } = listMerchants({ DATABASE_URL: 'postgresql://user:word@db.example/payments' });
    assert.match(stderr, /^DATABASE_URL names another machine, so it must ask for verified TLS/);
    assert.equal(status, 1);
  });

  it('names DATABASE_URL where there is neither that variable nor a sandbox', () => {
    const { status, stderr } = listMerchants({ DATA_DIR: path.join(DIST_DIR, 'no-such-folder') });
    assert.match(stderr, /^DATABASE_URL is not set\. There is no .*sandbox\.json\. Start the engine first/);
    assert.equal(status, 1);
  });
});
