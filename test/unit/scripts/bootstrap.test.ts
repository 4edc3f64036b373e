import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'mocha';
import { z } from 'zod';
import { PROJECT_ROOT } from '../../../sandbox/stack/project.ts';
import { processStartedAt } from '../../../sandbox/stack/process-start.mjs';
import { eventually } from '../../support/eventually.ts';
import { findNode22 } from '../../support/node-22.ts';
import { skipWithout } from '../../support/skip.ts';

/** What the set-up needs before packages are installed. */
const FILES = [
  'package-lock.json',
  'scripts/bootstrap.mjs',
  'sandbox/stack/lock-file.mjs',
  'sandbox/stack/process-start.mjs',
];
/** Ignores signals, as npm does while it installs. */
const NPM = `
require('node:fs').writeFileSync(process.env.PID_FILE, String(process.pid));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
setInterval(() => undefined, 1000);
`;

/** Writes its arguments, and ends by itself when it gets SIGTERM. */
const INSTALLED_NODE = `#!/bin/sh
trap 'exit 7' TERM
echo "$@" >"$ARGUMENTS_FILE"
while :; do sleep 0.05; done
`;

function isOlder(version: string): boolean {
  return Number.parseInt(version, 10) < 24;
}

describe('a set-up', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'set-up-'));
    for (const file of FILES) await cp(path.join(PROJECT_ROOT, file), path.join(folder, 'clone', file));
    await writeFile(path.join(folder, 'npm.js'), NPM);
  });
  after(() => rm(folder, { recursive: true }));

  it('does not begin if the command gets an argument that it would ignore', async () => {
    const setUp = spawnSetUp(['api', '--port', '80']);
    assert.match(await text(setUp.stderr), /^npm run api takes no arguments, but got --port\. /);
  });

  it('does not begin for `npm start` if another program uses the port of the API', async () => {
    const other = createServer().listen({ host: '127.0.0.1', port: 0 });
    await once(other, 'listening');
    const { port } = z.object({ port: z.number() }).parse(other.address());
    const pidFile = path.join(folder, 'start.pid');
    try {
      const settings = { PID_FILE: pidFile, PORT: String(port - 100), PORT_OFFSET: '100' };
      const setUp = spawnSetUp(['start'], settings);
      assert.match(await text(setUp.stderr), new RegExp(`^Port ${port} is in use .*PORT_OFFSET=100$`, 'm'));
      assert.equal(existsSync(pidFile), false);
    } finally {
      other.close();
    }
  });

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    it(`that is stopped by ${signal} leaves neither its program nor its lock behind`, async () => {
      const pidFile = path.join(folder, `${signal}.pid`);
      const setUp = spawnSetUp(['build'], { PID_FILE: pidFile });
      const ended = once(setUp, 'exit');
      const pid = await eventually(async () => {
        const written = Number(await readFile(pidFile, 'utf8'));
        assert.ok(written > 0);
        return written;
      });
      setUp.kill(signal);
      assert.equal((await ended)[0], code);
      await eventually(async () => assert.equal(processStartedAt(pid), null));
      assert.deepEqual(
        (await readdir(path.join(folder, 'clone'))).filter((name) => name.startsWith('.setup.lock')),
        [],
      );
    });
  }

  describe('on a Node that is older than the engine needs', () => {
    let node: string;

    before(async function () {
      node = isOlder(process.versions.node) ? process.execPath : await findNode22(this);
      const modules = path.join(folder, 'clone', 'node_modules');
      await mkdir(path.join(modules, 'mocha'), { recursive: true });
      const lockFile = await readFile(path.join(folder, 'clone', 'package-lock.json'));
      const digest = createHash('sha256').update('package-lock.json\0').update(lockFile).digest('hex');
      await writeFile(path.join(modules, '.packages-stamp'), digest);
    });

    it('says what to install where npm has no Node for the platform', async () => {
      const setUp = spawnSetUp(['api'], {}, node);
      const ended = once(setUp, 'exit');
      assert.match(await text(setUp.stderr), /^The engine runs on Node 24 .* Install a newer Node from /);
      assert.equal((await ended)[0], 1);
    });

    it('goes on with the Node that npm has installed, passes signals on, and ends as that ends', async function () {
      if (process.platform === 'win32') return skipWithout('a shell', this);
      const installed = path.join(folder, 'clone', 'node_modules', `node-${process.platform}-${process.arch}`, 'bin');
      await mkdir(installed, { recursive: true });
      await writeFile(path.join(installed, 'node'), INSTALLED_NODE, { mode: 0o755 });
      const argumentsFile = path.join(folder, 'arguments');
      const setUp = spawnSetUp(['pay', '--amount', '1'], { ARGUMENTS_FILE: argumentsFile }, node);
      const ended = once(setUp, 'exit');
      await eventually(async () =>
        assert.match(await readFile(argumentsFile, 'utf8'), /clone\/scripts\/bootstrap\.mjs pay --amount 1\n$/),
      );
      setUp.kill('SIGTERM');
      assert.equal((await ended)[0], 7);
    });
  });

  function spawnSetUp(
    args: readonly string[],
    settings: Readonly<Record<string, string>> = {},
    node = process.execPath,
  ) {
    return spawn(node, [path.join(folder, 'clone/scripts/bootstrap.mjs'), ...args], {
      env: { ...process.env, npm_execpath: path.join(folder, 'npm.js'), ...settings },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  }
});
