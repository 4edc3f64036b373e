import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { after, before, describe, it } from 'mocha';
import { settingsOf } from '../../config/programs.ts';
import type { Settings } from '../../config/read-variables.ts';
import type { ProgramName } from '../../config/variables.ts';
import { findFreePorts } from '../../sandbox/stack/ports.ts';
import { DIST_DIR } from '../../sandbox/stack/project.ts';
import { settingsOfEngine } from '../support/engine-settings.ts';
import { eventually, inTime } from '../support/eventually.ts';
import { getDataDir, getStack } from '../support/stack.ts';

const run = promisify(execFile);
/** A user who owns nothing; only root can become another user. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const PACKAGED_WITHIN_MS = 600_000;
const STARTED_WITHIN_MS = 600_000;

interface Started {
  readonly args?: readonly string[];
  /** Variables of this process alone. */
  readonly own?: Settings;
}

describe('the folder that npm run package writes', function () {
  this.timeout(120_000);
  let parent: string;
  let folder: string;
  let settings: Settings;
  const children: ChildProcess[] = [];

  before(async function () {
    this.timeout(PACKAGED_WITHIN_MS);
    parent = await mkdtemp(path.join(tmpdir(), 'payment-engine-package-'));
    folder = path.join(parent, 'payment-engine');
    await run(process.execPath, [path.join(DIST_DIR, 'scripts', 'package.js'), folder]);
    await setModes(folder, { directory: 0o555, file: 0o444 });
    // This process's own may be where only its user may read.
    await copyFile(process.execPath, path.join(parent, 'node'));
    await chmod(parent, 0o555);
    settings = await settingsOfEngine(getStack().sandbox, getDataDir());
  });
  after(async function () {
    this.timeout(PACKAGED_WITHIN_MS);
    for (const child of children) child.kill('SIGKILL');
    await chmod(parent, 0o755);
    await setModes(folder, { directory: 0o755, file: 0o644 });
    await rm(parent, { recursive: true });
  });

  /** Starts a program with the variables that it reads and nothing else: no search path, no home. */
  function start(program: ProgramName, file: string, { args = [], own = {} }: Started = {}): ChildProcess {
    const env = { ...settingsOf(program, settings), ...own };
    const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
    const child = spawn(path.join(parent, 'node'), [path.join(folder, 'dist', file), ...args], {
      env,
      cwd: '/',
      stdio,
      ...NOBODY,
    });
    children.push(child);
    return child;
  }

  /** Resolves with what a program prints until a line begins with the text. */
  async function outputUntil(child: ChildProcess, text: string): Promise<string> {
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
    const ended = once(child, 'close').then(() => assert.fail(`it ended: ${output}`));
    ended.catch(() => undefined);
    const seen = async () => {
      while (!output.includes(text)) await Promise.race([once(child.stdout ?? child, 'data'), ended]);
      return output;
    };
    return inTime(seen(), text);
  }

  function stop(child: ChildProcess): Promise<unknown> {
    const ended = exitCodeOf(child);
    child.kill('SIGTERM');
    return ended;
  }

  async function exitCodeOf(child: ChildProcess): Promise<unknown> {
    const [code]: unknown[] = await once(child, 'close');
    return code;
  }

  it('lists its packages and their licences, and has no sources, tests or packages of the build', async () => {
    const sbom = JSON.parse(await readFile(path.join(folder, 'sbom.cdx.json'), 'utf8'));
    assert.equal(sbom.bomFormat, 'CycloneDX');
    assert.ok(sbom.components.some(({ name }: { name: string }) => name === 'express'));
    assert.match(await readFile(path.join(folder, 'licenses.txt'), 'utf8'), /^express \S+: MIT$/m);
    assert.deepEqual((await readdir(folder)).sort(), [
      'dashboard',
      'dist',
      'docs',
      'licenses.txt',
      'node_modules',
      'package.json',
      'prisma',
      'sbom.cdx.json',
      'sdk',
    ]);
    const packages = new Set(await readdir(path.join(folder, 'node_modules')));
    for (const name of ['typescript', 'prisma', 'mocha', 'esbuild']) assert.ok(!packages.has(name), name);
    const bridge = path.join(folder, 'node_modules', '@temporalio', 'core-bridge', 'releases');
    assert.equal((await readdir(bridge)).length, 1, 'native programs of other machines');
    const parts = await readdir(path.join(folder, 'dist'));
    for (const name of ['test', 'bench', 'chaos']) assert.ok(!parts.includes(name), name);
  });

  it('runs every process read-only, as another user, with neither a search path nor a home', async function () {
    this.timeout(STARTED_WITHIN_MS);
    const migrate = start('migrate', 'scripts/migrate.js');
    await outputUntil(migrate, 'The database is up to date.');
    await outputUntil(start('migrate', 'scripts/merchant.js', { args: ['list'] }), 'sandbox');
    const [apiPort, gatewayPort, workerPort, dashboardPort] = await findFreePorts(4);
    const api = start('api', 'api/main.js', { own: { PORT: String(apiPort) } });
    const gateway = start('gateway', 'gateway/main.js', { own: { GATEWAY_PORT: String(gatewayPort) } });
    const dashboard = start('dashboard', 'dashboard/main.js', { own: { DASHBOARD_PORT: String(dashboardPort) } });
    const worker = start('worker', 'worker/main.js', {
      own: { WORKER_MAKE_CURRENT: 'false', TEMPORAL_ENCRYPT_PAYLOADS: 'true', WORKER_PORT: String(workerPort) },
    });
    await Promise.all([
      outputUntil(api, 'api listening'),
      outputUntil(gateway, 'gateway listening'),
      outputUntil(worker, 'worker polling'),
      outputUntil(dashboard, 'dashboard listening'),
    ]);
    for (const port of [apiPort, gatewayPort, workerPort, dashboardPort]) {
      for (const name of ['readyz', 'metrics']) {
        await eventually(async () => assert.equal((await fetch(`http://127.0.0.1:${port}/${name}`)).status, 200, name));
      }
      assert.equal(await exitCodeOf(start('migrate', 'scripts/healthcheck.js', { args: [String(port)] })), 0);
    }
    for (const file of ['docs', 'sdk/checkout/v1/checkout.js']) {
      assert.equal((await fetch(`http://127.0.0.1:${apiPort}/${file}`)).status, 200, file);
    }
    assert.equal((await fetch(`http://127.0.0.1:${dashboardPort}/`)).status, 200);
    assert.deepEqual(await Promise.all([api, gateway, worker, dashboard].map(stop)), [0, 0, 0, 0]);
    const [unused] = await findFreePorts(1);
    assert.equal(await exitCodeOf(start('migrate', 'scripts/healthcheck.js', { args: [String(unused)] })), 1);
  });

  it('ends at once when it is stopped while it waits for a service', async () => {
    const [port] = await findFreePorts(1);
    const waiting = {
      LOG_LEVEL: 'info',
      DATABASE_URL: `postgresql://nobody@127.0.0.1:${port}/none`,
      TEMPORAL_ADDRESS: `127.0.0.1:${port}`,
    };
    for (const program of ['api', 'worker'] as const) {
      const child = start(program, `${program}/main.js`, { own: waiting });
      assert.match(await outputUntil(child, 'starting'), /"database":"none at 127\.0\.0\.1:\d+ as nobody"/);
      assert.equal(await stop(child), 0);
    }
  });

  it('runs a simulator, as an image of a sandbox needs it', async () => {
    const [port] = await findFreePorts(1);
    const ledger = await mkdtemp(path.join(tmpdir(), 'payment-engine-ledger-'));
    await chmod(ledger, 0o777);
    const own = { SIMULATOR_PORT: String(port), SIMULATOR_DATA_FILE: path.join(ledger, 'ledger.jsonl') };
    const simulator = start('simulator', 'sandbox/simulator/main.js', { own });
    await outputUntil(simulator, 'simulator alpha listening');
    assert.equal(await exitCodeOf(start('migrate', 'scripts/healthcheck.js', { args: [String(port), '/healthz'] })), 0);
    assert.equal(await stop(simulator), 0);
    await rm(ledger, { recursive: true });
  });

  it('has the commands for keys and encrypted payloads', async () => {
    await outputUntil(start('migrate', 'scripts/card-key.js', { args: ['new', 'c9'] }), 'CARD_PUBLIC_KEY=c9:');
    const { VAULT_KEYS, CARD_KEYS } = settings;
    const rewrap = start('migrate', 'scripts/rewrap.js', { own: { VAULT_KEYS, CARD_KEYS } });
    await outputUntil(rewrap, 'the earlier keys may be removed');
    const [port] = await findFreePorts(1);
    const codecServer = start('codec-server', 'scripts/codec-server.js', { own: { CODEC_SERVER_PORT: String(port) } });
    await outputUntil(codecServer, 'codec server listening');
    assert.equal(await stop(codecServer), 0);
  });

  it('is not overwritten', async () => {
    const again = run(process.execPath, [path.join(DIST_DIR, 'scripts', 'package.js'), folder]);
    await assert.rejects(again, /is not empty\. Name a folder that does not exist yet\./);
  });
});

async function setModes(entry: string, modes: { readonly directory: number; readonly file: number }): Promise<void> {
  const isDirectory = (await stat(entry)).isDirectory();
  await chmod(entry, isDirectory ? modes.directory : modes.file);
  if (!isDirectory) return;
  for (const name of await readdir(entry)) await setModes(path.join(entry, name), modes);
}
