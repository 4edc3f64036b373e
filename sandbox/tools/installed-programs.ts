import { execFile, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { SECOND_MS } from '../../domain/time.ts';

const run = promisify(execFile);

/** The path of a program on the search path; undefined when it is not there. */
export function findOnPath(name: string, searchPath: readonly string[]): string | undefined {
  const fileName = process.platform === 'win32' ? `${name}.exe` : name;
  return searchPath.map((directory) => path.join(directory, fileName)).find(isExecutable);
}

/** Whether a file can be run by this user. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether a program starts at all; a download may be cut, or made for another machine. */
export async function works(program: string, args: readonly string[]): Promise<boolean> {
  try {
    await run(program, args, { timeout: 30 * SECOND_MS });
    return true;
  } catch {
    return false;
  }
}

/** What a program prints. @throws Error if it fails */
export async function outputOf(
  program: string,
  args: readonly string[],
  { env, cwd, withinMs }: Pick<LongRun, 'env' | 'cwd' | 'withinMs'>,
): Promise<string> {
  const { stdout } = await run(program, args, { env: { ...env }, cwd, timeout: withinMs });
  return stdout;
}

export interface LongRun {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly withinMs: number;
}

/** Runs a program that may take minutes; calls `onTick` every 15 s. @throws Error with the last lines of its output */
export function runLong(
  { command, args, env, cwd, withinMs }: LongRun,
  onTick: (seconds: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const startedAt = Date.now();
    const child = spawn(command, args, { cwd, env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'], timeout: withinMs });
    let output = '';
    const keep = (chunk: Buffer): void => {
      output = (output + chunk.toString('utf8')).slice(-4_000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const stop = (): boolean => child.kill();
    process.once('exit', stop);
    const ticks = setInterval(() => onTick(Math.round((Date.now() - startedAt) / SECOND_MS)), 15 * SECOND_MS);
    const settle = (): void => {
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
