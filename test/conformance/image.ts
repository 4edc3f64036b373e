import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { settingsOf } from '../../config/programs.ts';
import type { Settings } from '../../config/read-variables.ts';
import type { ProgramName } from '../../config/variables.ts';
import { UserError } from '../../domain/user-error.ts';
import { findFreePorts } from '../../sandbox/stack/ports.ts';
import { PROJECT_ROOT } from '../../sandbox/stack/project.ts';
import { settingsOfEngine } from '../support/engine-settings.ts';
import { startTestStack } from '../support/stack.ts';
import { runConformanceProgram } from './run-program.ts';
import { provideOwnGoProgram } from './tools.ts';

const run = promisify(execFile);
const MATCHER = 'github.com/moby/patternmatcher@v0.6.0';
const READY_WITHIN_MS = 120_000;
/** As USER of the Dockerfile. */
const USER = '10001:10001';
/** In the image's root; Node of the base image is at another place, which the search path has. */
const NODE = '/node';
/** What the base image brings, taken from this machine, read-only. */
const SYSTEM_FOLDERS = ['usr', 'lib', 'lib64', 'bin', 'etc'];

interface Instruction {
  readonly name: string;
  readonly text: string;
}

interface Image {
  /** A folder that stands for the root of the image's file system. */
  readonly root: string;
  readonly workdir: string;
}

/**
 * Builds the image's files as the Dockerfile says, without Docker: the context by .dockerignore, the build stage in a folder, and
 * what is copied from it. Then runs each process in a file system that holds only these and the system's own folders, read-only,
 * as the image's user and as the first process of a namespace: each becomes ready, and drains on SIGTERM. Needs root on Linux.
 * @param folder where the programs are kept that this needs
 */
export async function checkImage(folder: string): Promise<number> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    throw new UserError('This makes namespaces and mounts: it needs Linux, and root.');
  }
  const place = await mkdtemp(path.join(tmpdir(), 'payment-engine-image-'));
  try {
    const image = await buildImage(folder, place);
    await runProcesses(image);
    console.log('Every process of the image became ready, and ended by itself.');
    return 0;
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

async function buildImage(folder: string, place: string): Promise<Image> {
  const [, build = [], final = []] = stagesOf(await readFile(path.join(PROJECT_ROOT, 'Dockerfile'), 'utf8'));
  const context = path.join(place, 'build');
  const matcher = await provideOwnGoProgram(folder, 'context-files', MATCHER);
  const { stdout } = await run(matcher, [PROJECT_ROOT], { maxBuffer: 100_000_000 });
  const files = stdout.trim().split('\n');
  for (const file of files) await cp(path.join(PROJECT_ROOT, file), path.join(context, file));
  console.log(`The context has ${files.length} files.`);
  const output = path.join(place, 'stage');
  for (const { text } of build.filter(({ name }) => name === 'RUN')) {
    const command = text.replace(/^(?:--mount=\S+ )*/, '').replaceAll(' /opt/', ` ${output}/opt/`);
    const code = await runConformanceProgram('sh', ['-c', command], { CI: 'true' }, context);
    if (code !== 0) throw new Error(`RUN ${text} ended with ${code}`);
  }
  const root = path.join(place, 'root');
  for (const { text } of final.filter(({ name }) => name === 'COPY')) {
    const [, from = '', to = ''] =
      /^--from=build (\S+) (\S+)$/.exec(text) ?? assert.fail(`COPY ${text} is not understood`);
    await cp(path.join(output, from), path.join(root, to), { recursive: true, verbatimSymlinks: true });
  }
  const workdir = final.find(({ name }) => name === 'WORKDIR')?.text ?? '/';
  assert.equal(final.find(({ name }) => name === 'USER')?.text, USER);
  return { root, workdir };
}

/** The instructions of each stage; those before the first one come first. */
function stagesOf(dockerfile: string): Instruction[][] {
  const lines = dockerfile.replaceAll(/^#.*\n/gm, '').replaceAll(/\\\n\s*/g, '');
  const instructions = [...lines.matchAll(/^([A-Z]+) +(.*)$/gm)].map(([, name = '', text = '']) => ({ name, text }));
  const stages: Instruction[][] = [[]];
  for (const instruction of instructions) {
    if (instruction.name === 'FROM') stages.push([]);
    stages.at(-1)?.push(instruction);
  }
  return stages;
}

async function runProcesses(image: Image): Promise<void> {
  const { stack, dataDir, end } = await startTestStack();
  const children: ChildProcess[] = [];
  try {
    const settings = await settingsOfEngine(stack.sandbox, dataDir);
    const container = await prepareRoot(image);
    const start = (program: ProgramName, args: readonly string[], own: Settings = {}) => {
      const child = container.start(args, { ...settingsOf(program, settings), ...own });
      children.push(child);
      return child;
    };
    await checkReadOnly(start);
    assert.equal(await exitCodeOf(start('migrate', ['dist/scripts/migrate.js'])), 0);
    assert.equal(await exitCodeOf(start('migrate', ['dist/scripts/merchant.js', 'list'])), 0);
    const ports = await findFreePorts(5);
    const [api, gateway, worker, dashboard, simulator] = ports.map(String);
    const simulatorFiles = { SIMULATOR_DATA_FILE: '/data/ledger.jsonl' };
    const processes = [
      { port: api, child: start('api', ['dist/api/main.js'], { PORT: api }) },
      { port: gateway, child: start('gateway', ['dist/gateway/main.js'], { GATEWAY_PORT: gateway }) },
      {
        port: worker,
        child: start('worker', ['dist/worker/main.js'], { WORKER_PORT: worker, WORKER_MAKE_CURRENT: 'false' }),
      },
      { port: dashboard, child: start('dashboard', ['dist/dashboard/main.js'], { DASHBOARD_PORT: dashboard }) },
      {
        port: simulator,
        path: '/healthz',
        child: start('simulator', ['dist/sandbox/simulator/main.js'], { SIMULATOR_PORT: simulator, ...simulatorFiles }),
      },
    ];
    for (const { port = '', path: asked = '/readyz' } of processes) {
      const check = () => exitCodeOf(start('migrate', ['dist/scripts/healthcheck.js', port, asked]));
      await untilZero(check, `port ${port}`);
    }
    for (const { child } of processes) assert.equal(await stop(child), 0, child.spawnargs.join(' '));
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await end();
  }
}

type Start = (program: ProgramName, args: readonly string[]) => ChildProcess;

/** A process can write nowhere but to its temporary folder. */
async function checkReadOnly(start: Start): Promise<void> {
  const writes = (file: string) => `require('node:fs').writeFileSync('${file}', '')`;
  for (const file of ['/opt/payment-engine/written', '/written', '/usr/written']) {
    assert.notEqual(await exitCodeOf(start('migrate', ['-e', writes(file)])), 0, `${file} could be written`);
  }
  assert.equal(await exitCodeOf(start('migrate', ['-e', writes('/tmp/written')])), 0);
}

interface Container {
  start(args: readonly string[], settings: Settings): ChildProcess;
}

/** Makes the places where folders of the system are mounted, in the namespace of each process. */
async function prepareRoot({ root, workdir }: Image): Promise<Container> {
  for (const name of [...SYSTEM_FOLDERS, 'proc', 'dev', 'tmp', 'data', 'opt']) {
    await mkdir(path.join(root, name), { recursive: true });
  }
  await cp(process.execPath, path.join(root, NODE));
  await run('chmod', ['-R', 'go+rX', root]);
  const mounts = [
    'set -e',
    'mount --make-rprivate /',
    'mount --bind "$ROOT" "$ROOT"',
    ...SYSTEM_FOLDERS.map(
      (name) => `mount --bind /${name} "$ROOT/${name}" && mount -o remount,ro,bind "$ROOT/${name}"`,
    ),
    'mount -t proc proc "$ROOT/proc"',
    'mount --rbind /dev "$ROOT/dev"',
    'mount -t tmpfs tmpfs "$ROOT/tmp"',
    'mount -t tmpfs -o uid=10001,gid=10001 tmpfs "$ROOT/data"',
    'mount -o remount,ro,bind "$ROOT"',
    `exec chroot --userspec=${USER} "$ROOT" /usr/bin/setpriv --no-new-privs /usr/bin/env -i -C ${workdir} "$@"`,
  ].join('\n');
  return {
    start(args, settings) {
      const variables = Object.entries(settings).map(([name, value]) => `${name}=${value ?? ''}`);
      const namespaces = ['--mount', '--pid', '--fork', '--kill-child'];
      return spawn('unshare', [...namespaces, 'sh', '-c', mounts, 'sh', ...variables, NODE, ...args], {
        env: { PATH: process.env.PATH, ROOT: root },
        stdio: ['ignore', 'inherit', 'inherit'],
      });
    },
  };
}

/** Sends SIGTERM to the first process of the namespace, as a container's engine does. */
async function stop(child: ChildProcess): Promise<unknown> {
  const ended = exitCodeOf(child);
  const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
  process.kill(Number(children.trim().split(' ')[0]), 'SIGTERM');
  return ended;
}

async function exitCodeOf(child: ChildProcess): Promise<unknown> {
  const [code]: unknown[] = await once(child, 'close');
  return code;
}

async function untilZero(check: () => Promise<unknown>, what: string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while ((await check()) !== 0) {
    if (Date.now() > deadline) assert.fail(`${what} did not become ready`);
    await sleep(500);
  }
}
