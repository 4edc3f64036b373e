/**
 * Makes a fresh clone runnable, then runs it: `node scripts/bootstrap.mjs <command> [arguments]`.
 * A step whose inputs have not changed is skipped. Plain Node without packages (hence no wireit), because it is what installs them.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseEnv } from 'node:util';
import { waitForLock } from '../sandbox/stack/lock-file.mjs';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
/** What the set-up begins with. */
const NODE_MINIMUM = [20, 19];
/** What everything else runs on: this Node, or where it is older, the one that npm installs for this platform. */
const ENGINE_NODE_MAJOR = 24;
const NODE_PACKAGE = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const SOURCE_FOLDERS_LEFT_OUT = new Set(['node_modules', 'dist']);
const SET_UP_LOCK = '.setup.lock';
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const ERASE_LINE = '\r\u001B[K';

/** What each command runs, once everything is built. */
const ENTRY_POINTS = {
  start: 'scripts/start',
  api: 'api/main',
  gateway: 'gateway/main',
  worker: 'worker/main',
  simulator: 'sandbox/simulator/main',
  demo: 'sandbox/demo-shop/main',
  dashboard: 'dashboard/main',
  mailbox: 'sandbox/mailbox/main',
  migrate: 'scripts/migrate',
  seed: 'scripts/seed',
  pay: 'scripts/pay',
  cli: 'scripts/cli/main',
  merchant: 'scripts/merchant',
  staff: 'scripts/staff',
  reconcile: 'scripts/reconcile',
  'import-settlements': 'scripts/import-settlements',
  'check-pages': 'scripts/check-pages',
  doctor: 'scripts/doctor',
  'codec-server': 'scripts/codec-server',
  rewrap: 'scripts/rewrap',
  'card-key': 'scripts/card-key',
  test: 'scripts/run-tests',
  bench: 'bench/main',
  chaos: 'chaos/main',
  simulate: 'test/simulation/main',
  cluster: 'cluster/main',
  package: 'scripts/package',
  'pack-sdks': 'scripts/pack-sdks',
  'fetch-tools': 'scripts/fetch-tools',
  conformance: 'test/conformance/run',
  'record-histories': 'test/replay/record-histories',
  generate: 'test/support/generate',
  'record-examples': 'test/examples/record-examples',
  'support-screenshots': 'test/support/support-screenshots',
};

/** These start engines of their own and do not read `.env`. */
const BRING_THEIR_OWN_SETTINGS = new Set(['test', 'bench', 'chaos', 'cluster', 'simulate', 'record-examples']);

/** The commands that take their settings from environment variables alone. */
const TAKE_NO_ARGUMENTS = new Set('build api gateway worker simulator demo dashboard mailbox codec-server'.split(' '));

/** The commands before which the set-up checks types. Before others it only compiles, in a third of the time. */
const CHECK_TYPES = new Set(['build', 'test', 'package', 'pack-sdks']);

class SetUpError extends Error {}

async function main([command = '', ...args]) {
  if (command !== 'build' && !Object.hasOwn(ENTRY_POINTS, command)) {
    throw new SetUpError(`Unknown command "${command}". Use one of: build, ${Object.keys(ENTRY_POINTS).join(', ')}.`);
  }
  if (TAKE_NO_ARGUMENTS.has(command) && args.length > 0) {
    throw new SetUpError(
      `npm run ${command} takes no arguments, but got ${args[0]}. Set environment variables instead: docs/operations/settings.md.`,
    );
  }
  checkNodeVersion();
  process.chdir(ROOT);
  if (command === 'start' && needsPackages()) await checkApiPort();
  if (!isEngineNode()) {
    await setUp([INSTALL_PACKAGES], runsTemporal(command));
    await runOnInstalledNode([command, ...args]);
    return;
  }
  endWithLauncher();
  const steps = CHECK_TYPES.has(command) ? STEPS : STEPS.filter((step) => !TYPE_CHECKS.includes(step));
  await setUp(steps, runsTemporal(command));
  if (command === 'build') return;
  if (!BRING_THEIR_OWN_SETTINGS.has(command) && existsSync('.env')) process.loadEnvFile('.env');
  const entryPoint = path.join(ROOT, 'dist', `${ENTRY_POINTS[command]}.js`);
  process.argv = [process.execPath, entryPoint, ...args];
  await import(pathToFileURL(entryPoint).href);
}

/** Whether the command starts a Temporal server. The settings stay out of the environment: install scripts could read them. */
function runsTemporal(command) {
  if (command === 'simulate') return false;
  if (BRING_THEIR_OWN_SETTINGS.has(command)) return true;
  return command === 'start' && !readSettings().TEMPORAL_ADDRESS;
}

function readSettings() {
  return { ...(existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {}), ...process.env };
}

/** Fails before the set-up, which takes minutes, if another program, such as another clone, uses the port of the API. */
async function checkApiPort() {
  const { PORT, PORT_OFFSET } = readSettings();
  const port = Number(PORT || 3_000) + Number(PORT_OFFSET || 0);
  if (!(await isInUse(port))) return;
  throw new SetUpError(
    `Port ${port} is in use by another program. Stop that, or add a number to the port of every server: PORT_OFFSET=100`,
  );
}

/** For a number that is not a port it returns false, because the command itself explains what is wrong with the number. */
async function isInUse(port) {
  const server = createServer();
  try {
    await once(server.listen({ host: '127.0.0.1', port }), 'listening');
    return false;
  } catch (error) {
    return error.code === 'EADDRINUSE';
  } finally {
    server.close();
  }
}

function checkNodeVersion() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > NODE_MINIMUM[0] || (major === NODE_MINIMUM[0] && minor >= NODE_MINIMUM[1])) return;
  throw new SetUpError(
    `This needs Node ${NODE_MINIMUM.join('.')} or later, and this is Node ${process.versions.node}. Install a newer one from https://nodejs.org.`,
  );
}

function isEngineNode() {
  return Number.parseInt(process.versions.node, 10) >= ENGINE_NODE_MAJOR;
}

/** Runs the command on the Node that npm has installed. This process passes signals on, and ends as that one ends. */
async function runOnInstalledNode(args) {
  const program = path.join('node_modules', NODE_PACKAGE, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(program)) {
    throw new SetUpError(
      `The engine runs on Node ${ENGINE_NODE_MAJOR} or later, this is Node ${process.versions.node}, and npm has not installed ${NODE_PACKAGE}. Install a newer Node from https://nodejs.org.`,
    );
  }
  const child = spawn(program, [fileURLToPath(import.meta.url), ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of STOP_SIGNALS) {
    // A terminal sends Ctrl-C to both.
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal)));
  }
  const [code, signal] = await once(child, 'exit');
  process.exit(code ?? 128 + constants.signals[signal]);
}

/** Where a launcher runs this process, it drains as on SIGTERM when that is killed. */
function endWithLauncher() {
  if (process.channel === undefined) return;
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
}

async function setUp(steps, runsTemporal) {
  if (steps.every((step) => isUpToDate(step, digestOf(step.inputs)))) return;
  const unlock = await lockSetUp();
  try {
    for (const step of steps) {
      const digest = digestOf(step.inputs);
      if (isUpToDate(step, digest)) continue;
      if (step === INSTALL_PACKAGES && runsTemporal) fetchTemporalMeanwhile();
      if (step.isDone?.() !== true) await runStep(step);
      step.after?.(digest);
      mkdirSync(path.dirname(step.stamp), { recursive: true });
      writeFileSync(step.stamp, digest);
    }
  } finally {
    unlock();
  }
}

/** Begins to fetch the Temporal server, which may take minutes, while all else is set up; whoever starts the server waits for it. */
function fetchTemporalMeanwhile() {
  const child = spawn(process.execPath, ['scripts/fetch-temporal.mjs'], { stdio: ['ignore', 'inherit', 'ignore'] });
  process.once('exit', () => child.kill());
  child.unref();
}

const INSTALL_PACKAGES = {
  title: 'Installing packages',
  expectation: 'half a minute to two minutes the first time',
  command: [...npm(), 'ci', '--include=dev', '--no-fund', '--no-audit', '--loglevel=error'],
  stamp: 'node_modules/.packages-stamp',
  inputs: ['package-lock.json'],
  // A package that an installation for production lacks.
  outputs: ['node_modules/mocha'],
  isDone: isInstalled,
};
const INSTALL_SCRIPTS = {
  title: 'Running the install scripts that are allowed',
  expectation: 'a second or two',
  // `npm rebuild` would read the whole of node_modules first.
  commands: () => packagesWithScripts().map((folder) => [...npm(), 'run', 'postinstall', '--prefix', folder]),
  stamp: 'node_modules/.install-stamp',
  inputs: ['package-lock.json', 'package.json'],
  outputs: [],
};

const COMPILE = [process.execPath, 'node_modules/typescript-native/bin/tsc', '--pretty', 'false'];
const COMPILE_WITHOUT_TYPES = {
  title: 'Compiling',
  expectation: 'about 5 seconds',
  command: [...COMPILE, '--noCheck'],
  stamp: 'dist/.build-stamp',
  inputs: ['package-lock.json', 'tsconfig.json', '.', 'api/openapi/recorded-examples.json'],
  outputs: ['dist/config/variables.js'],
  after: () => removeOutputsWithoutSource('dist'),
};
const COMPILE_WITH_TYPES = {
  ...COMPILE_WITHOUT_TYPES,
  title: 'Compiling, and checking types',
  expectation: 'about 10 to 20 seconds',
  command: COMPILE,
  stamp: 'dist/.types-stamp',
  after: (digest) => {
    COMPILE_WITHOUT_TYPES.after();
    writeFileSync(COMPILE_WITHOUT_TYPES.stamp, digest);
  },
};

const DASHBOARD_SOURCES = ['package-lock.json', 'tsconfig.json', 'dashboard/app', 'dashboard/app/tsconfig.json'];
const CHECK_DASHBOARD_TYPES = {
  title: "Checking the dashboard's types",
  expectation: 'about 5 seconds',
  command: [...COMPILE, '-p', 'dashboard/app'],
  stamp: 'dist/.dashboard-types-stamp',
  inputs: [...DASHBOARD_SOURCES, 'sdk/server', 'docs/site'],
  outputs: [],
};
const TYPE_CHECKS = [COMPILE_WITH_TYPES, CHECK_DASHBOARD_TYPES];

/**
 * In order. `inputs` are files, and folders with their sources; the stamp file holds the digest of those with which the step last
 * succeeded.
 */
const STEPS = [
  INSTALL_PACKAGES,
  INSTALL_SCRIPTS,
  {
    title: 'Generating the database client',
    expectation: 'a few seconds',
    command: [process.execPath, 'node_modules/prisma/build/index.js', 'generate'],
    // Generating needs no schema engine; any existing file in this variable keeps it from being downloaded.
    env: { PRISMA_SCHEMA_ENGINE_BINARY: path.join(ROOT, 'package.json'), CHECKPOINT_DISABLE: '1' },
    stamp: 'dist/.generate-stamp',
    inputs: ['package-lock.json', 'prisma/schema.prisma', 'prisma.config.ts'],
    outputs: ['prisma/generated/client.ts'],
  },
  COMPILE_WITH_TYPES,
  COMPILE_WITHOUT_TYPES,
  {
    title: 'Bundling the workflows',
    expectation: 'about 5 seconds',
    command: [process.execPath, 'dist/scripts/build-workflow-bundle.js'],
    stamp: 'dist/.bundle-stamp',
    inputs: ['package-lock.json', 'scripts/build-workflow-bundle.ts', 'workflows', 'domain'],
    outputs: ['dist/workflow-bundle.js', 'dist/workflow-build-id'],
  },
  {
    title: 'Building for browsers',
    expectation: 'about 5 seconds',
    command: [process.execPath, 'dist/scripts/build-browser.js'],
    stamp: 'dist/.browser-stamp',
    inputs: [
      'package-lock.json',
      'tsconfig.json',
      'scripts/build-browser.ts',
      'sdk/checkout',
      'sdk/checkout/frame/card-fields.css',
      'sdk/checkout/frame/index.html',
      'sdk/payment-page',
      'sdk/payment-page/index.html',
      'sdk/payment-page/payment-page.css',
      'sandbox/demo-shop/page',
      'sandbox/demo-shop/page/shop.css',
      'docs/site/page',
    ],
    outputs: [
      'sdk/checkout/dist/checkout.js',
      'sdk/checkout/dist/frame/index.html',
      'sdk/payment-page/dist/payment-page.js',
      'sandbox/demo-shop/dist/shop.js',
      'docs/site/dist/page/docs.js',
    ],
  },
  {
    title: 'Building the dashboard',
    expectation: 'about 10 seconds',
    command: [process.execPath, 'dist/scripts/build-dashboard.js'],
    stamp: 'dist/.dashboard-stamp',
    inputs: [
      ...DASHBOARD_SOURCES,
      'scripts/build-dashboard.ts',
      'dashboard/app/index.html',
      'dashboard/app/sign-in.html',
      'dashboard/app/public/icon.svg',
      'sdk/server/generated',
    ],
    outputs: ['dashboard/dist/index.html', 'dashboard/dist/sign-in.html'],
  },
  CHECK_DASHBOARD_TYPES,
  {
    title: 'Building the documentation',
    expectation: 'a second or two',
    command: [process.execPath, 'dist/scripts/build-docs.js'],
    stamp: 'dist/.docs-stamp',
    inputs: [
      'api/openapi/recorded-examples.json',
      'package-lock.json',
      'scripts/build-docs.ts',
      'api',
      'domain',
      'docs/site',
      'docs/site/page/docs.css',
      'docs/site/page/icon.svg',
      ...documentsIn('docs'),
      'README.md',
      'sdk/checkout/README.md',
    ],
    outputs: ['docs/site/dist/served/manifest.json'],
  },
];

function needsPackages() {
  return !isUpToDate(INSTALL_PACKAGES, digestOf(INSTALL_PACKAGES.inputs));
}

function isUpToDate({ stamp, outputs }, digest) {
  return [stamp, ...outputs].every((file) => existsSync(file)) && readFileSync(stamp, 'utf8') === digest;
}

function npm() {
  const program = process.env.npm_execpath;
  return program?.endsWith('.js') ? [process.execPath, program] : ['npm'];
}

/** The folders of the installed packages whose install scripts package.json allows; .npmrc switches all others off. */
function packagesWithScripts() {
  const { allowScripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  return Object.keys(allowScripts)
    .filter((name) => allowScripts[name] === true)
    .map((name) => path.join('node_modules', name.slice(0, name.lastIndexOf('@'))))
    .filter((folder) => existsSync(folder));
}

/** Whether node_modules already holds what the lock file asks for, for example after `npm ci` by hand. */
function isInstalled() {
  try {
    const wanted = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages;
    const present = JSON.parse(readFileSync('node_modules/.package-lock.json', 'utf8')).packages;
    return Object.entries(wanted).every(
      ([name, { version, optional }]) => name === '' || present[name]?.version === version || optional === true,
    );
  } catch {
    return false;
  }
}

function removeOutputsWithoutSource(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) removeOutputsWithoutSource(file);
    const source = path
      .relative('dist', file)
      .replace(/\.map$/, '')
      .replace(/\.js$/, '.ts');
    if (/\.m?js(\.map)?$/.test(file) && !entry.name.startsWith('workflow-bundle.') && !existsSync(source)) rmSync(file);
  }
}

/** Runs a program and prints its title and how long it takes; its own output is printed only when it fails. */
async function runStep({ title, expectation, command, commands = () => [command], env }) {
  const startedAt = Date.now();
  const elapsed = () => `${Math.round((Date.now() - startedAt) / 1_000)} s`;
  const isTerminal = process.stdout.isTTY;
  const announcement = `${title} (${expectation}) …`;
  const print = (line) => process.stdout.write(isTerminal ? `${ERASE_LINE}${line}` : `${line}\n`);
  print(announcement);
  const progress = setInterval(() => print(`${announcement} ${elapsed()}`), isTerminal ? 1_000 : 15_000);
  try {
    for (const each of commands()) await runProgram(title, each, env);
    print(`${title}: done in ${elapsed()}`);
  } finally {
    clearInterval(progress);
    if (isTerminal) process.stdout.write('\n');
  }
}

/**
 * Kills the program when this process gets a signal: npm, for example, goes on for a minute after SIGTERM, beside the next set-up.
 * A step may be interrupted anywhere; the next set-up does it again.
 */
function runProgram(title, [program, ...args], env) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32' && program === 'npm',
    });
    const stop = (_signal, number) => {
      child.kill('SIGKILL');
      process.exit(128 + number);
    };
    for (const signal of STOP_SIGNALS) process.on(signal, stop);
    child.on('close', () => {
      for (const signal of STOP_SIGNALS) process.off(signal, stop);
    });
    let output = '';
    const keep = (chunk) => (output = (output + chunk).slice(0, 100_000));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => reject(new SetUpError(`${title} failed: ${program} cannot be run (${error.code}).`)));
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new SetUpError(`${title} failed:\n${worstLines(output, 25)}`)),
    );
  });
}

/** The first lines say what is wrong, the last ones how it ended. */
function worstLines(text, count) {
  const lines = text.trim().split('\n');
  return lines.length <= count ? lines.join('\n') : [...lines.slice(0, count - 5), '…', ...lines.slice(-5)].join('\n');
}

/** Two set-ups at once would build over each other: the second one waits. */
async function lockSetUp() {
  const release = await waitForLock(SET_UP_LOCK, (holder) =>
    console.log(`Waiting for the set-up that process ${holder} is doing …`),
  );
  process.once('exit', release);
  return () => {
    process.off('exit', release);
    release();
  };
}

/** A digest of the names and contents of files, and of the sources in folders. */
function digestOf(inputs) {
  const hash = createHash('sha256');
  const files = inputs.flatMap((input) => (statSync(input).isDirectory() ? listSources(input).sort() : [input]));
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(file));
  return hash.digest('hex');
}

function listSources(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      return SOURCE_FOLDERS_LEFT_OUT.has(entry.name) || entry.name.startsWith('.') ? [] : listSources(file);
    }
    return /\.(tsx?|mjs)$/.test(entry.name) ? [file] : [];
  });
}

/** The documents in a folder and below it. */
function documentsIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return SOURCE_FOLDERS_LEFT_OUT.has(entry.name) ? [] : documentsIn(file);
    return entry.name.endsWith('.md') ? [file] : [];
  });
}

const MESSAGES = {
  EACCES: 'This folder cannot be written to. Make it writable for you, or clone to another place.',
  EROFS: 'This folder is on a read-only disk. Clone to a place that can be written to.',
  ENOSPC: 'The disk is full. Free some space (about 1 GB is needed), then run the same command again.',
};

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof SetUpError) && !(error.code in MESSAGES)) throw error;
  console.error(MESSAGES[error.code] ?? error.message);
  process.exitCode = 1;
}
