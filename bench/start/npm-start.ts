import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Settings } from '../../config/read-variables.ts';
import { PROJECT_ROOT } from '../../sandbox/stack/project.ts';

/** An engine that `npm start` runs. */
export interface StartedEngine {
  /** From the command to the table of addresses. */
  readonly tableMs: number;
  /** By the clock of `performance.now()`. */
  readonly startedAtMs: number;
  stop(): Promise<void>;
}

const TABLE = /^The payment engine runs /m;
const KEPT_OUTPUT = 2_000;

/** Runs `npm start` and waits for its table. @throws Error with the last output when it ends before that */
export async function npmStart(environment: Settings, signal: AbortSignal): Promise<StartedEngine> {
  signal.throwIfAborted();
  const startedAtMs = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: PROJECT_ROOT,
    env: { ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  // The pipes close only when the engine below npm has ended too.
  const closed = once(child, 'close');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await closed;
  };
  let output = '';
  const table = new Promise<number>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (TABLE.test(output)) resolve(performance.now());
        else output = output.slice(-KEPT_OUTPUT);
      });
    }
  });
  const failed = Promise.race([
    closed.then(() => new Error(`npm start ended before its table:\n${output}`)),
    once(signal, 'abort').then(() => new Error('stopped')),
  ]);
  const first = await Promise.race([table, failed]);
  if (typeof first === 'number') return { tableMs: first - startedAtMs, startedAtMs, stop };
  await stop();
  throw first;
}
