import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process of ours, known well enough not to be taken for a later one with the same number. */
export interface ProcessRecord {
  readonly name: string;
  readonly pid: number;
  /** When it started, as the system tells it. */
  readonly startedAt: string;
  /** What asks it to drain and end. */
  readonly stopSignal: 'SIGTERM' | 'SIGINT';
  readonly stopWithinMs: number;
  /** Whether it drains by itself when its parent is gone. */
  readonly endsWithParent: boolean;
}

const POLL_EVERY_MS = 25;

/** When a process started, in the system's own words; undefined when there is no such process. */
export function processStartedAt(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') return linuxStartTime(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    return (
      execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        timeout: 5_000,
      }).trim() || undefined
    );
  } catch {
    return undefined;
  }
}

/** The start time in a /proc/<pid>/stat line; undefined for a process that has ended and only waits to be collected. */
export function linuxStartTime(stat: string): string | undefined {
  // The name in parentheses may hold spaces and parentheses itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  return state === 'Z' || state === 'X' ? undefined : fields[19];
}

/** Whether that very process still runs. */
export function isRunning({ pid, startedAt }: Pick<ProcessRecord, 'pid' | 'startedAt'>): boolean {
  return processStartedAt(pid) === startedAt;
}

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
