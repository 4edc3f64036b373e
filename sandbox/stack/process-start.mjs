import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * When a process started, as the system reports it; undefined when there is no such process. With its number it identifies
 * a process: numbers are used again.
 * @param {number} pid
 * @returns {string | undefined}
 */
export function processStartedAt(pid) {
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

/**
 * The start time in a /proc/<pid>/stat line; undefined for a process that has ended and only waits to be collected.
 * @param {string} stat
 * @returns {string | undefined}
 */
export function linuxStartTime(stat) {
  // The name in parentheses may hold spaces and parentheses itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  return state === 'Z' || state === 'X' ? undefined : fields[19];
}

/**
 * Whether that very process still runs.
 * @param {{ readonly pid: number, readonly startedAt: string }} record
 * @returns {boolean}
 */
export function isRunning({ pid, startedAt }) {
  return processStartedAt(pid) === startedAt;
}
