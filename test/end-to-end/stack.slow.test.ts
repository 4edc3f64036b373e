import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, it } from 'mocha';
import pg from 'pg';
import { readSandbox } from '../../sandbox/stack/data-folder.ts';
import { DIST_DIR } from '../../sandbox/stack/project.ts';
import type { StackProcess } from '../../sandbox/stack/stack-options.ts';
import { eventually } from '../support/eventually.ts';
import { skipWithout } from '../support/skip.ts';
import { getDataDir, getStack } from '../support/stack.ts';
import { queryStack } from '../support/stack-database.ts';

const run = promisify(execFile);

async function pay(...args: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [path.join(DIST_DIR, 'scripts', 'pay.js'), ...args], {
    env: { ...process.env, DATA_DIR: getDataDir() },
  });
  return stdout;
}

/** Null where nobody there speaks HTTP. */
async function statusAt(url: string, host: string): Promise<number | null> {
  const asked = request(url, { headers: { host }, agent: false, timeout: 5_000 });
  asked.on('timeout', () => asked.destroy());
  asked.end();
  try {
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode ?? null;
  } catch {
    return null;
  }
}

/** The ports of 127.0.0.1 on which a process listens; none where the system does not list them as Linux does. */
async function portsOf(pid: number): Promise<readonly number[]> {
  const folder = `/proc/${pid}`;
  const files = await readdir(`${folder}/fd`);
  const targets = await Promise.all(files.map((file) => readlink(`${folder}/fd/${file}`).catch(() => '')));
  const sockets = new Set(targets.map((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1]));
  const rows = (await readFile(`${folder}/net/tcp`, 'utf8')).split('\n').map((row) => row.trim().split(/\s+/));
  const own = rows.filter(([, local = '', , state, , , , , , socket]) => {
    return local.startsWith('0100007F:') && state === '0A' && sockets.has(socket);
  });
  return own.map(([, local = '']) => Number.parseInt(local.slice(-4), 16));
}

describe('the running engine', function () {
  this.timeout(120_000);

  it('writes the data for clients to sandbox.json, readable by its owner only', async () => {
    const sandbox = await readSandbox(getDataDir());
    assert.deepEqual(sandbox, getStack().sandbox);
    assert.deepEqual(Object.keys(sandbox).sort(), [
      'apiKey',
      'baseUrl',
      'dashboard',
      'databaseUrl',
      'merchantId',
      'secretSalt',
      'signatureVersion',
      'simulators',
      'temporalAddress',
      'temporalUi',
    ]);
    const { mode } = await stat(path.join(getDataDir(), 'sandbox.json'));
    assert.equal(mode & 0o777, 0o600);
  });

  it('closes its data folder to other users', async () => {
    const { mode } = await stat(getDataDir());
    // As root, the group is that of PostgreSQL's user, who passes through.
    assert.equal(mode & 0o777, process.getuid?.() === 0 ? 0o710 : 0o700);
  });

  it('lets no statement of its own roles reach files or programs of the system', async () => {
    for (const statement of [
      "SELECT pg_read_file('/etc/passwd')",
      "COPY rate_limit FROM '/etc/passwd'",
      "COPY (SELECT 1) TO '/tmp/payment-engine-written'",
      "COPY (SELECT 1) TO PROGRAM 'true'",
      'GRANT pg_execute_server_program TO CURRENT_USER',
    ]) {
      await assert.rejects(queryStack(statement), { code: '42501' }, statement);
    }
    const [session] = await queryStack<{ name: string; rolsuper: boolean }>(
      'SELECT rolname AS name, rolsuper FROM pg_roles WHERE rolname = current_user',
    );
    assert.deepEqual(session, { name: 'payment_engine', rolsuper: false });
  });

  it('runs each process with a role of its own in PostgreSQL, and lets nobody connect without a password', async () => {
    // A pool closes connections that it does not use, and the server notices a moment late that a process has ended.
    await eventually(async () => {
      const rows = await queryStack<{ name: string }>(
        'SELECT DISTINCT usename AS name FROM pg_stat_activity WHERE datname = current_database() AND usename IS NOT NULL',
      );
      const names = rows.map(({ name }) => name);
      assert.deepEqual(names.sort(), ['payment_engine', 'payment_engine_api', 'payment_engine_worker']);
    });
    for (const user of ['postgres', 'payment_engine', 'payment_engine_api']) {
      const url = new URL(getStack().sandbox.databaseUrl);
      url.username = user;
      url.password = 'guessed';
      const client = new pg.Client({ connectionString: url.href });
      await assert.rejects(client.connect(), { code: '28P01' }, user);
    }
  });

  it('makes the files of its servers unreadable for other users', async () => {
    const files = ['temporal.sqlite', 'temporal.sqlite-wal', 'simulators/alpha.jsonl'];
    const modes = await Promise.all(files.map(async (file) => (await stat(path.join(getDataDir(), file))).mode));
    assert.deepEqual(
      modes.map((mode) => mode & 0o777),
      [0o600, 0o600, 0o600],
    );
  });

  it('lets no page of a browser on this machine reach Temporal, by a name of its own or by HTTP', async function () {
    if (process.platform !== 'linux') skipWithout('Linux, which lists the ports of a process,', this);
    const { temporalUi } = getStack().sandbox;
    const workflows = `${temporalUi}/api/v1/namespaces/default/workflows`;
    assert.equal(await statusAt(workflows, new URL(workflows).host), 200);
    assert.equal(await statusAt(workflows, 'pages.example'), 421);
    const ports = await portsOf(getStack().pidOf('temporal') ?? 0);
    assert.ok(ports.length > 1);
    for (const port of ports) {
      const address = `http://127.0.0.1:${port}/api/v1/namespaces/default/workflows`;
      assert.notEqual(await statusAt(address, `127.0.0.1:${port}`), 200, address);
    }
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
      // Retries as a merchant would, because the other processes may need a moment to reconnect.
      await eventually(async () => assert.match(await pay(), /^Confirmed {2}succeeded/m));
    });
  }
});
