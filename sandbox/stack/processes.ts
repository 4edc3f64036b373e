import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from './process-start.mjs';

/** A process of ours, identified so that a later one with the same number is not mistaken for it. */
export interface ProcessRecord {
  readonly name: string;
  readonly pid: number;
  /** When it started, as the system reports it. */
  readonly startedAt: string;
  /** What asks it to drain and end. */
  readonly stopSignal: 'SIGTERM' | 'SIGINT';
  readonly stopWithinMs: number;
  /** Whether it drains by itself when its parent has died. */
  readonly endsWithParent: boolean;
}

const POLL_EVERY_MS = 25;

/** Waits until the process has ended. @returns false when it still runs after `withinMs` */
export async function waitForEnd(record: Pick<ProcessRecord, 'pid' | 'startedAt'>, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (isRunning(record)) {
    if (Date.now() > deadline) return false;
    await sleep(POLL_EVERY_MS);
  }
  return true;
}

/** Asks a process to end and, when it has not done so in time, ends it. */
export async function stopProcess(record: ProcessRecord): Promise<void> {
  signal(record, record.stopSignal);
  if (await waitForEnd(record, record.stopWithinMs)) return;
  signal(record, 'SIGKILL');
  await waitForEnd(record, record.stopWithinMs);
}

/** Sends a signal if that very process still runs. */
function signal(record: Pick<ProcessRecord, 'pid' | 'startedAt'>, name: NodeJS.Signals): void {
  if (!isRunning(record)) return;
  try {
    process.kill(record.pid, name);
  } catch {
    // It ended in between.
  }
}
