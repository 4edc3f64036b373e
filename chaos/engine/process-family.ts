import { readdirSync, readFileSync } from 'node:fs';

const KIB = 1_024;

/** A process and, on Linux, all its children: those of PostgreSQL do not share its group. */
export function familyOf(pid: number): readonly number[] {
  return [pid, ...childrenOf(pid)];
}

/** Sends a signal, unless the process has ended meanwhile. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

/** Resident memory in bytes; undefined where the system does not tell, or the process has ended. */
export function residentBytes(pid: number): number | undefined {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) * KIB;
  } catch {
    return undefined;
  }
}

function childrenOf(pid: number): number[] {
  if (process.platform !== 'linux') return [];
  const direct = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => parentOf(each) === pid);
  return direct.flatMap((child) => [child, ...childrenOf(child)]);
}

function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold spaces and parentheses itself.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}
