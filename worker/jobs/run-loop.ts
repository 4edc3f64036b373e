import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { backoffMs, isLoggedFailure } from '../../domain/backoff.ts';
import { SECOND_MS } from '../../domain/time.ts';

export interface RunLoopOptions {
  /** What the loop does, for the log. */
  readonly name: string;
  /** Pause after a run that returned `done`. */
  readonly intervalMs: number;
  /** Longest pause after failed runs, which begin at twice the interval, or at 2 s; default 30 s. */
  readonly maximumBackoffMs?: number;
  readonly logger: Logger;
  /**
   * One run. Returns `more` after a full batch, to run again at once. A long run ends early when the signal
   * aborts.
   */
  readonly run: (signal: AbortSignal) => Promise<'more' | 'done'>;
}

export interface RunningLoop {
  /** Waits for the current run to finish, and starts no other. Safe to call twice. */
  stop(): Promise<void>;
}

const DEFAULT_MAXIMUM_BACKOFF_MS = 30 * SECOND_MS;

/**
 * Runs a function repeatedly, one run at a time. A failed run is logged and followed by an exponential backoff; only the 1st,
 * 2nd, 4th, 8th … failure in a row is logged.
 */
export function startLoop(options: RunLoopOptions): RunningLoop {
  const stopping = new AbortController();
  const ended = loop(options, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

async function loop(options: RunLoopOptions, signal: AbortSignal): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    const pauseMs = await runOnce(options, signal, failures).then(
      (next) => {
        failures = 0;
        return next === 'more' ? 0 : options.intervalMs;
      },
      (error: unknown) => {
        failures += 1;
        return afterFailure(options, failures, error);
      },
    );
    await pause(pauseMs, signal);
  }
}

async function runOnce(options: RunLoopOptions, signal: AbortSignal, failures: number): Promise<'more' | 'done'> {
  const next = await options.run(signal);
  if (failures > 0) options.logger.info({ loop: options.name, failures }, 'background loop recovered');
  return next;
}

function afterFailure(options: RunLoopOptions, failures: number, error: unknown): number {
  const { intervalMs, maximumBackoffMs: longestMs = DEFAULT_MAXIMUM_BACKOFF_MS } = options;
  const pauseMs = backoffMs(failures, { shortestMs: 2 * Math.min(intervalMs, SECOND_MS), longestMs });
  if (isLoggedFailure(failures)) {
    options.logger.error({ loop: options.name, failures, pauseMs, err: error }, 'background loop failed');
  }
  return pauseMs;
}

async function pause(pauseMs: number, signal: AbortSignal): Promise<void> {
  await wait(pauseMs, undefined, { signal }).catch(() => undefined);
}
