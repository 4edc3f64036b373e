import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { after, before, describe, it } from 'mocha';
import { settingsOf } from '../../config/programs.ts';
import type { Settings } from '../../config/read-variables.ts';
import type { ProgramName } from '../../config/variables.ts';
import { provideSecrets } from '../../sandbox/stack/data-folder.ts';
import { findFreePorts } from '../../sandbox/stack/ports.ts';
import { DIST_DIR } from '../../sandbox/stack/project.ts';
import { SIMULATORS } from '../../sandbox/stack/simulator-processes.ts';
import { eventually, inTime } from '../support/eventually.ts';
import { findNode22 } from '../support/node-22.ts';
import { getDataDir, getStack } from '../support/stack.ts';

const run = promisify(execFile);
/** A user who owns nothing; only root can become another user. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const PACKAGED_WITHIN_MS = 300_000;

interface Started {
  readonly args?: readonly string[];
  /** Variables of this process alone. */
  readonly own?: Settings;
  /** Another Node than this one, which only the user of the tests may read. */
  readonly node?: string;
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
    await chmod(parent, 0o555);
    settings = await settingsOfEngine();
  });
  after(async function () {
    this.timeout(PACKAGED_WITHIN_MS);
    for (const child of children) child.kill('SIGKILL');
    await chmod(parent, 0o755);
    await setModes(folder, { directory: 0o755, file: 0o644 });
    await rm(parent, { recursive: true });
  });

  /** Starts a program with the variables that it reads and nothing else: no search path, no home. */
  function start(program: ProgramName, file: string, { args = [], own = {}, node }: Started = {}): ChildProcess {
    const env = { ...settingsOf(program, settings), ...own };
    const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
    const child = spawn(node ?? process.execPath, [path.join(folder, 'dist', file), ...args], {
      env,
      cwd: '/',
      stdio,
      ...(node === undefined ? NOBODY : {}),
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

  async function stop(child: ChildProcess): Promise<unknown> {
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    const [code]: unknown[] = await closed;
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
    const parts = await readdir(path.join(folder, 'dist'));
    for (const name of ['test', 'bench', 'chaos']) assert.ok(!parts.includes(name), name);
  });

  it('runs every process read-only, as another user, with neither a search path nor a home', async () => {
    const migrate = start('migrate', 'scripts/migrate.js');
    await outputUntil(migrate, 'The database is up to date.');
    await outputUntil(start('migrate', 'scripts/merchant.js', { args: ['list'] }), 'sandbox');
    const [apiPort, gatewayPort, workerPort] = await findFreePorts(3);
    const api = start('api', 'api/main.js', { own: { PORT: String(apiPort) } });
    const gateway = start('gateway', 'gateway/main.js', { own: { GATEWAY_PORT: String(gatewayPort) } });
    const worker = start('worker', 'worker/main.js', {
      own: { WORKER_MAKE_CURRENT: 'false', TEMPORAL_ENCRYPT_PAYLOADS: 'true', WORKER_PORT: String(workerPort) },
    });
    await Promise.all([
      outputUntil(api, 'api listening'),
      outputUntil(gateway, 'gateway listening'),
      outputUntil(worker, 'worker polling'),
    ]);
    for (const port of [apiPort, gatewayPort, workerPort]) {
      for (const name of ['readyz', 'metrics']) {
        await eventually(async () => assert.equal((await fetch(`http://127.0.0.1:${port}/${name}`)).status, 200, name));
      }
    }
    for (const file of ['docs', 'sdk/checkout/v1/checkout.js']) {
      assert.equal((await fetch(`http://127.0.0.1:${apiPort}/${file}`)).status, 200, file);
    }
    assert.deepEqual(await Promise.all([api, gateway, worker].map(stop)), [0, 0, 0]);
  });

  it('runs on Node 22', async function () {
    const node = await findNode22(this);
    const [apiPort, gatewayPort] = await findFreePorts(2);
    const api = start('api', 'api/main.js', { node, own: { PORT: String(apiPort) } });
    const gateway = start('gateway', 'gateway/main.js', { node, own: { GATEWAY_PORT: String(gatewayPort) } });
    const worker = start('worker', 'worker/main.js', { node, own: { WORKER_MAKE_CURRENT: 'false' } });
    await Promise.all([
      outputUntil(api, 'api listening'),
      outputUntil(gateway, 'gateway listening'),
      outputUntil(worker, 'worker polling'),
    ]);
    await eventually(async () => assert.equal((await fetch(`http://127.0.0.1:${apiPort}/readyz`)).status, 200));
    assert.deepEqual(await Promise.all([api, gateway, worker].map(stop)), [0, 0, 0]);
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

/** The variables of the running engine, of all its processes. */
async function settingsOfEngine(): Promise<Settings> {
  const { databaseUrl, temporalAddress, simulators } = getStack().sandbox;
  const secrets = await provideSecrets(getDataDir());
  const pairs = (valueOf: (name: 'alpha' | 'beta') => string) =>
    SIMULATORS.map(({ name }) => `${name}=${valueOf(name)}`).join(',');
  return {
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    VAULT_KEYS: secrets.vaultKeys,
    CARD_KEYS: secrets.cardKeys,
    CARD_PUBLIC_KEY: secrets.cardPublicKey,
    SIMULATORS: simulators.map(({ name, url }) => `${name}=${url}`).join(','),
    SIMULATOR_API_KEYS: pairs((name) => secrets.simulators[name].apiKey),
    SIMULATOR_WEBHOOK_SECRETS: pairs((name) => secrets.simulators[name].webhookSecret),
    ALLOW_SIMULATOR_IN_PRODUCTION: 'true',
    ALLOW_PRIVATE_WEBHOOKS_IN_SANDBOX: 'true',
    DATABASE_POOL_SIZE: '3',
    LOG_LEVEL: 'warn',
  };
}

async function setModes(entry: string, modes: { readonly directory: number; readonly file: number }): Promise<void> {
  const isDirectory = (await stat(entry)).isDirectory();
  await chmod(entry, isDirectory ? modes.directory : modes.file);
  if (!isDirectory) return;
  for (const name of await readdir(entry)) await setModes(path.join(entry, name), modes);
}
