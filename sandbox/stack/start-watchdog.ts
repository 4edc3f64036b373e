import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { ProcessRecord } from './processes.ts';
import { DIST_DIR } from './project.ts';

/** The process that stops the others when this one has died (`watchdog.ts`). */
export interface Watchdog {
  /** Resolves when it watches. */
  ready(): Promise<unknown>;
  /** Replaces the list of the processes that it would stop. */
  watch(records: readonly ProcessRecord[]): void;
  close(): void;
}

/** Starts the watchdog, and starts it again when it ends before `close`. */
export function startWatchdog(): Watchdog {
  let records: readonly ProcessRecord[] = [];
  let closed = false;
  let watching: Promise<unknown>;
  let watchdog = start();

  function start(): ChildProcess {
    const child = fork(path.join(DIST_DIR, 'sandbox', 'stack', 'watchdog.js'), {
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.on('error', () => undefined);
    // This process stays alive for the watchdog until that watches, and no longer.
    watching = Promise.race([once(child, 'message'), once(child, 'exit')]).finally(() => {
      child.unref();
      child.channel?.unref();
    });
    watching.catch(() => undefined);
    child.once('exit', () => {
      if (closed) return;
      watchdog = start();
      watchdog.send(records, () => undefined);
    });
    return child;
  }

  return {
    ready: () => watching,
    watch(newRecords) {
      records = newRecords;
      if (watchdog.connected) watchdog.send(records, () => undefined);
    },
    close() {
      closed = true;
      if (watchdog.connected) watchdog.disconnect();
    },
  };
}
