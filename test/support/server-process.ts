import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { findFreePorts } from '../../sandbox/stack/ports.ts';
import { DIST_DIR } from '../../sandbox/stack/project.ts';
import { inTime } from './eventually.ts';
import { getStack } from './stack.ts';
import { timeStart } from './test-times.ts';

/** One more server process on the services of the running engine. */
export interface ServerProcess {
  readonly baseUrl: string;
  /** Drains it. @returns the exit code */
  stop(): Promise<number | null>;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
  /** Whether it still runs. */
  isRunning(): boolean;
  /** Used bytes of its heap after a garbage collection. */
  usedHeap(): Promise<number>;
}

export interface ServerProcessOptions {
  /** The path below the project's root, without its extension. */
  readonly program: string;
  readonly portVariable: 'PORT' | 'GATEWAY_PORT' | 'DASHBOARD_PORT';
  readonly settings: Readonly<Record<string, string>>;
}

/** Starts a server on a free port, and resolves when it is ready. */
export function startServerProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  return timeStart(options.program, () => startProcess(options));
}

async function startProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  const [port] = await findFreePorts(1);
  const child = spawn(process.execPath, argumentsOf(options.program), {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: getStack().sandbox.databaseUrl,
      DATABASE_POOL_SIZE: '3',
      LOG_LEVEL: 'warn',
      [options.portVariable]: String(port),
      ...options.settings,
    },
    // It drains by itself when this process is gone.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const early = ended.then((code) => {
    throw new Error(`${options.program} ended with ${code} before it was ready`);
  });
  early.catch(() => undefined);
  const { stdout } = child;
  if (stdout === null) throw new Error(`${options.program} has no output`);
  await inTime(Promise.race([once(stdout, 'data'), early]), options.program);
  stdout.resume();
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    usedHeap: () => askForHeap(child),
  };
}

function argumentsOf(program: string): string[] {
  const probe = pathToFileURL(path.join(DIST_DIR, 'test', 'support', 'heap-probe.js')).href;
  return ['--expose-gc', '--import', probe, path.join(DIST_DIR, `${program}.js`)];
}

async function askForHeap(child: ChildProcess): Promise<number> {
  const answer = once(child, 'message');
  child.send('heap');
  const [bytes]: unknown[] = await inTime(answer, 'the size of the heap');
  if (typeof bytes !== 'number') throw new TypeError('no size');
  return bytes;
}
