import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, it } from 'mocha';
import { DIST_DIR } from '../../../sandbox/stack/project.ts';

describe('npm run merchant', () => {
  it('connects to no database on another machine without verified TLS', () => {
    const program = path.join(DIST_DIR, 'scripts', 'merchant.js');
    const env = { PATH: process.env.PATH, DATABASE_URL: 'postgresql://user:word@db.example/payments' };
    const { status, stderr } = spawnSync(process.execPath, [program, 'list'], { env, encoding: 'utf8' });
    assert.match(stderr, /^DATABASE_URL names another machine, so it must ask for verified TLS/);
    assert.equal(status, 1);
  });
});
