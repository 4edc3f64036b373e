import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** The niceness that gives a process nine times the share of others, see nice(1) and sched(7). */
const NICENESS = -10;

/**
 * Lets a process run before others while the processors are full. Linux and macOS allow that to root alone; where it is not
 * allowed, the process runs like the others.
 */
export function raisePriority(pid: number): void {
  for (const raise of [raiseSession, raiseProcess]) {
    try {
      raise(pid);
    } catch {
      // Not allowed, or unknown to this system.
    }
  }
}

/** Linux divides the processors among sessions first, and each child of the supervisor leads one. */
function raiseSession(pid: number): void {
  if (process.platform === 'linux') writeFileSync(`/proc/${pid}/autogroup`, String(NICENESS));
}

function raiseProcess(pid: number): void {
  setPriority(pid, NICENESS);
}
