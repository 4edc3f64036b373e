import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { describe, it } from 'mocha';
import { userMessageOf } from '../../../../sandbox/stack/explain-error.ts';
import { DIST_DIR } from '../../../../sandbox/stack/project.ts';

/** Prints line by line. */
const TALKATIVE = `
  const { setImmediate: rest } = await import('node:timers/promises');
  const { runScript } = await import(process.argv[1]);
  await runScript(async () => {
    for (let line = 0; line < 100; line += 1) {
      console.log(line);
      await rest();
    }
  });
`;

describe('a command', () => {
  it('goes on quietly if the reader of its output has ended', () => {
    const module = path.join(DIST_DIR, 'sandbox', 'stack', 'explain-error.js');
    const args = ['-c', '"$0" --input-type=module -e "$1" "$2" | true', process.execPath, TALKATIVE, module];
    assert.equal(spawnSync('sh', args, { encoding: 'utf8' }).stderr, '');
  });
});

describe('a port that is in use', () => {
  it('is named', async () => {
    const first = createServer().listen(0, '127.0.0.1');
    await once(first, 'listening');
    const { port } = first.address() as AddressInfo;
    const second = createServer().listen(port, '127.0.0.1');
    const [error]: unknown[] = await once(second, 'error');
    first.close();
    assert.equal(
      userMessageOf(error),
      `A port is in use. Stop what listens there, or choose another port. (port ${port})`,
    );
  });
});

describe('a right that the user of the database lacks', () => {
  const MESSAGE = /^The user of DATABASE_URL lacks a right\. Name the user who owns the database/;

  it('is explained where pg reports it', () => {
    const error = Object.assign(new Error('permission denied for schema public'), { code: '42501' });
    assert.match(userMessageOf(error) ?? '', MESSAGE);
  });

  it('is explained where Prisma reports it', () => {
    const cause = { originalCode: '42501', originalMessage: 'permission denied for table merchant_account' };
    const error = Object.assign(new Error('Database error'), {
      code: 'P2039',
      meta: { driverAdapterError: { cause } },
    });
    assert.match(userMessageOf(error) ?? '', MESSAGE);
  });
});
