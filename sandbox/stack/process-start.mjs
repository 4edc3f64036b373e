import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * When a process started, as the system reports it; null when there is no such process, undefined when the system does not say.
 * With its number it identifies a process: numbers are used again. Linux counts from the start of the system, so the time names
 * that as well, after a space; elsewhere it is a date.
 * @param {number} pid
 * @returns {string | null | undefined}
 */
export function processStartedAt(pid) {
  try {
    if (process.platform === 'linux') return withBoot(linuxStartTime(readFileSync(`/proc/${pid}/stat`, 'utf8')));
    const printed = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      // The time must read alike in every process, whatever its language and time zone.
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 5_000,
    });
    return printed.trim() || undefined;
  } catch {
    return exists(pid) ? undefined : null;
  }
}

/** @param {string | null | undefined} startTime */
function withBoot(startTime) {
  return startTime && `${startTime} ${bootId}`.trimEnd();
}

/** Empty where the system does not say. */
const bootId = readBootId();

function readBootId() {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

/** @param {number} pid */
function exists(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * The start time in a /proc/<pid>/stat line; null for a process that has ended and only waits to be collected.
 * @param {string} stat
 * @returns {string | null | undefined}
 */
export function linuxStartTime(stat) {
  // The name in parentheses may hold spaces and parentheses itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  return state === 'Z' || state === 'X' ? null : fields[19];
}

/**
 * Whether that very process still runs, as far as the system says: what must never reach another process, a signal, asks this.
 * @param {{ readonly pid: number, readonly startedAt: string }} record
 * @returns {boolean}
 */
export function isRunning({ pid, startedAt }) {
  return processStartedAt(pid) === startedAt;
}

/**
 * Whether a note about a process that an earlier run has left names it beyond doubt, and that very process still runs. Earlier
 * versions noted no start of the system.
 * @param {{ readonly pid: number, readonly startedAt: string }} record
 * @returns {boolean}
 */
export function isSurelyRunning(record) {
  return record.startedAt.includes(' ') && isRunning(record);
}

/**
 * Whether that process may still run: where the system does not say when it started, the number has to do.
 * @param {{ readonly pid: number, readonly startedAt: string }} record `startedAt` is empty where it is not known
 * @returns {boolean}
 */
export function mayBeRunning({ pid, startedAt }) {
  const present = processStartedAt(pid);
  if (present === null) return false;
  return present === undefined || startedAt === '' || present === startedAt || present.split(' ')[0] === startedAt;
}
