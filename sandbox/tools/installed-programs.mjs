/** Runs programs of the system. Plain JavaScript without packages: the set-up uses it before it has installed anything. */
import { execFile, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

/**
 * @typedef {object} LongRun
 * @property {string} command
 * @property {readonly string[]} args
 * @property {Readonly<Record<string, string | undefined>>} env
 * @property {string} cwd
 * @property {number} withinMs
 */

const run = promisify(execFile);

/**
 * The path of a program on the search path; undefined when it is not there.
 * @param {string} name
 * @param {readonly string[]} searchPath
 */
export function findOnPath(name, searchPath) {
  const fileName = process.platform === 'win32' ? `${name}.exe` : name;
  return searchPath.map((directory) => path.join(directory, fileName)).find(isExecutable);
}

/**
 * Whether a file can be run by this user.
 * @param {string} file
 */
export function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether a program starts at all; a download may be cut, or made for another machine.
 * @param {string} program
 * @param {readonly string[]} args
 */
export async function works(program, args) {
  try {
    await run(program, args, { timeout: 30_000 });
    return true;
  } catch {
    return false;
  }
}

/**
 * What a program prints; it ends with this process. @throws Error if it fails
 * @param {string} program
 * @param {readonly string[]} args
 * @param {Pick<LongRun, 'env' | 'cwd' | 'withinMs'>} options
 */
export async function outputOf(program, args, { env, cwd, withinMs }) {
  const running = run(program, args, { env: { ...env }, cwd, timeout: withinMs });
  const stop = () => running.child.kill();
  process.once('exit', stop);
  try {
    return (await running).stdout;
  } finally {
    process.off('exit', stop);
  }
}

/**
 * Runs a program that may take minutes, and ends with this process; calls `onTick` every 15 s.
 * @throws Error with the last lines of its output
 * @param {LongRun} longRun
 * @param {(seconds: number) => void} onTick
 * @returns {Promise<void>}
 */
export function runLong({ command, args, env, cwd, withinMs }, onTick) {
  return new Promise((resolve, reject) => {
    const startedAt = Date.now();
    const child = spawn(command, args, { cwd, env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'], timeout: withinMs });
    let output = '';
    /** @param {Buffer} chunk */
    const keep = (chunk) => {
      output = (output + chunk.toString('utf8')).slice(-4_000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const stop = () => child.kill();
    process.once('exit', stop);
    const ticks = setInterval(() => onTick(Math.round((Date.now() - startedAt) / 1_000)), 15_000);
    const settle = () => {
      clearInterval(ticks);
      process.off('exit', stop);
    };
    child.once('error', (error) => {
      settle();
      reject(error);
    });
    child.once('close', (code) => {
      settle();
      if (code === 0) resolve();
      else reject(new Error(output.trim().split('\n').slice(-5).join('\n') || `exit code ${code ?? 'unknown'}`));
    });
  });
}
