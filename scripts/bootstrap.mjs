/**
 * Makes a fresh clone runnable, then runs it: `node scripts/bootstrap.mjs <command> [arguments]`.
 * Plain Node without packages, because it is what installs them. A step whose inputs have not changed is skipped.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { waitForLock } from '../sandbox/stack/lock-file.mjs';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const NODE_MINIMUM = [20, 19];
const SOURCE_FOLDERS_LEFT_OUT = new Set(['node_modules', 'dist']);
const SET_UP_LOCK = path.join(ROOT, '.setup.lock');

/** What each command runs, once everything is built. */
const ENTRY_POINTS = {
  start: 'scripts/start',
  api: 'api/main',
  gateway: 'gateway/main',
  worker: 'worker/main',
  simulator: 'sandbox/simulator/main',
  demo: 'sandbox/demo-shop/main',
  migrate: 'scripts/migrate',
  seed: 'scripts/seed',
  pay: 'scripts/pay',
  merchant: 'scripts/merchant',
  test: 'scripts/run-tests',
  bench: 'bench/main',
  chaos: 'chaos/main',
  conformance: 'test/conformance/run',
  'record-histories': 'test/replay/record-histories',
  'generate-client': 'test/support/generate-client',
};

/** These start engines of their own and do not read `.env`. */
const BRING_THEIR_OWN_SETTINGS = new Set(['test', 'bench', 'chaos']);

class SetUpError extends Error {}

async function main([command = '', ...args]) {
  if (command !== 'build' && !Object.hasOwn(ENTRY_POINTS, command)) {
    throw new SetUpError(`Unknown command "${command}". Use one of: build, ${Object.keys(ENTRY_POINTS).join(', ')}.`);
  }
  checkNodeVersion();
  process.chdir(ROOT);
  await setUp();
  if (command === 'build') return;
  if (!BRING_THEIR_OWN_SETTINGS.has(command) && existsSync('.env')) process.loadEnvFile('.env');
  const entryPoint = path.join(ROOT, 'dist', `${ENTRY_POINTS[command]}.js`);
  process.argv = [process.execPath, entryPoint, ...args];
  await import(pathToFileURL(entryPoint).href);
}

function checkNodeVersion() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > NODE_MINIMUM[0] || (major === NODE_MINIMUM[0] && minor >= NODE_MINIMUM[1])) return;
  throw new SetUpError(
    `This needs Node ${NODE_MINIMUM.join('.')} or later, and this is Node ${process.versions.node}. Install a newer one from https://nodejs.org.`,
  );
}

async function setUp() {
  const steps = STEPS.map((step) => ({ ...step, inputs: step.inputs() }));
  if (steps.every(isUpToDate)) return;
  const unlock = await lockSetUp();
  try {
    for (const step of STEPS) {
      const inputs = step.inputs();
      if (isUpToDate({ ...step, inputs })) continue;
      await step.run();
      mkdirSync(path.dirname(step.stamp), { recursive: true });
      writeFileSync(step.stamp, inputs);
    }
  } finally {
    unlock();
  }
}

/** In order; a step's stamp file holds a digest of the inputs with which it last succeeded. */
const STEPS = [
  {
    stamp: path.join(ROOT, 'node_modules', '.install-stamp'),
    outputs: ['node_modules'],
    inputs: () => hashFiles(['package-lock.json']),
    run: install,
  },
  {
    stamp: path.join(ROOT, 'dist', '.generate-stamp'),
    outputs: ['prisma/generated/client.ts'],
    inputs: () => hashFiles(['package-lock.json', 'prisma/schema.prisma', 'prisma.config.ts']),
    run: generateDatabaseClient,
  },
  {
    stamp: path.join(ROOT, 'dist', '.build-stamp'),
    outputs: ['dist/config/variables.js'],
    inputs: () => hashSources('.', ['package-lock.json', 'tsconfig.json']),
    run: compile,
  },
  {
    stamp: path.join(ROOT, 'dist', '.bundle-stamp'),
    outputs: ['dist/workflow-bundle.js', 'dist/workflow-build-id'],
    inputs: () =>
      [
        hashSources('workflows', ['package-lock.json', 'scripts/build-workflow-bundle.ts']),
        hashSources('domain', []),
      ].join(' '),
    run: bundleWorkflows,
  },
  {
    stamp: path.join(ROOT, 'dist', '.browser-stamp'),
    outputs: ['sdk/checkout/dist/checkout.js', 'sandbox/demo-shop/dist/shop.js'],
    inputs: () =>
      [
        hashSources('sdk/checkout', ['package-lock.json', 'tsconfig.json', 'scripts/build-browser.ts']),
        hashSources('sandbox/demo-shop/page', ['sandbox/demo-shop/page/shop.css']),
      ].join(' '),
    run: buildForBrowsers,
  },
];

function isUpToDate({ stamp, outputs, inputs }) {
  if (!outputs.every((output) => existsSync(path.join(ROOT, output)))) return false;
  try {
    return readFileSync(stamp, 'utf8') === inputs;
  } catch {
    return false;
  }
}

async function install() {
  if (isInstalled()) return;
  const npm = process.env.npm_execpath;
  const [command, ...prefix] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm'];
  await runStep('Installing packages', 'half a minute to two minutes the first time', command, [
    ...prefix,
    'ci',
    '--include=dev',
    '--no-fund',
    '--no-audit',
    '--loglevel=error',
  ]);
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

function generateDatabaseClient() {
  // Generating needs no schema engine; any existing file in this variable keeps it from being downloaded.
  const env = { PRISMA_SCHEMA_ENGINE_BINARY: path.join(ROOT, 'package.json'), CHECKPOINT_DISABLE: '1' };
  return runStep(
    'Generating the database client',
    'a few seconds',
    process.execPath,
    ['node_modules/prisma/build/index.js', 'generate'],
    env,
  );
}

async function compile() {
  await runStep('Compiling', 'about 10 to 20 seconds', process.execPath, [
    'node_modules/typescript/bin/tsc',
    '--pretty',
    'false',
  ]);
  removeOutputsWithoutSource('dist');
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

function bundleWorkflows() {
  return runStep('Bundling the workflows', 'about 5 seconds', process.execPath, [
    'dist/scripts/build-workflow-bundle.js',
  ]);
}

function buildForBrowsers() {
  return runStep('Building for browsers', 'about 5 seconds', process.execPath, ['dist/scripts/build-browser.js']);
}

/** Runs a program and prints its title and how long it takes; its own output is printed only when it fails. */
async function runStep(title, expectation, command, args, env = {}) {
  const startedAt = Date.now();
  const elapsed = () => `${Math.round((Date.now() - startedAt) / 1_000)} s`;
  process.stdout.write(`${title} (${expectation}) …${process.stdout.isTTY ? '' : '\n'}`);
  const progress = setInterval(
    () =>
      process.stdout.write(process.stdout.isTTY ? `\r${title} (${expectation}) … ${elapsed()}` : `  … ${elapsed()}\n`),
    process.stdout.isTTY ? 1_000 : 15_000,
  );
  try {
    await runProgram(title, command, args, env);
    process.stdout.write(
      `${process.stdout.isTTY ? '\r' : ''}${title}: done in ${elapsed()}${' '.repeat(40).trimEnd()}\n`,
    );
  } catch (error) {
    process.stdout.write('\n');
    throw error;
  } finally {
    clearInterval(progress);
  }
}

function runProgram(title, command, args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32' && command === 'npm',
    });
    let output = '';
    const keep = (chunk) => (output = (output + chunk).slice(0, 100_000));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => reject(new SetUpError(`${title} failed: ${command} cannot be run (${error.code}).`)));
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

function hashFiles(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(path.join(ROOT, file)));
  return hash.digest('hex');
}

/** A digest of the names, sizes and times of a folder's sources, and of further files. */
function hashSources(folder, furtherFiles) {
  const hash = createHash('sha256');
  const files = existsSync(path.join(ROOT, folder)) ? listSources(path.join(ROOT, folder)).sort() : [];
  for (const file of [...files, ...furtherFiles.map((name) => path.join(ROOT, name))]) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${path.relative(ROOT, file)} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function listSources(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      return SOURCE_FOLDERS_LEFT_OUT.has(entry.name) || entry.name.startsWith('.') ? [] : listSources(file);
    }
    return /\.(ts|mjs)$/.test(entry.name) ? [file] : [];
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
