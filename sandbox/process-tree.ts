import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in ticks of 10 ms. */
const TICKS_PER_SECOND = 100;
const KIB = 1_024;

/** A process and, on Linux, all its descendants. The children of PostgreSQL do not share its process group. */
export function processTree(pid: number): readonly number[] {
  return [pid, ...childrenOf(pid)];
}

/** Sends a signal to a process; does nothing where the process has ended. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended meanwhile.
  }
}

/** Resident memory of a process in bytes; undefined where the system does not report it, or the process has ended. */
export function residentBytes(pid: number): number | undefined {
  try {
    return memoryOf(pid, 'status', 'VmRSS');
  } catch {
    return undefined;
  }
}

/** Memory of a process and all its children in bytes; pages that they share count once in all. */
export function memoryOfTree(pid: number): number {
  const children = childrenOf(pid);
  if (children.length === 0) return memoryOf(pid, 'status', 'VmRSS');
  return sum([pid, ...children].map((each) => zeroIfEnded(() => memoryOf(each, 'smaps_rollup', 'Pss'))));
}

/** Processor time in milliseconds from a /proc/<pid>/stat line, of the process and of its ended children. */
export function cpuMsOfStat(stat: string): number {
  // The name in parentheses may hold spaces and parentheses itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (sum(fields.slice(11, 15).map(Number)) / TICKS_PER_SECOND) * 1_000;
}

/** A size in bytes, from a file of /proc with a line such as `Name:   123 kB`. @throws Error when it has no such line */
export function sizeIn(text: string, name: string): number {
  const [, kilobytes] = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text) ?? [];
  if (kilobytes === undefined) throw new Error(`the system does not report ${name}`);
  return Number(kilobytes) * KIB;
}

/** Processor time in milliseconds of a process and all its children; 0 where it has ended. */
export function cpuMsOfTree(pid: number): number {
  return sum([pid, ...childrenOf(pid)].map((each) => zeroIfEnded(() => cpuMsOf(each))));
}

/** A child may end between two reads; its parent's line then includes its time. */
function zeroIfEnded(read: () => number): number {
  try {
    return read();
  } catch {
    return 0;
  }
}

function cpuMsOf(pid: number): number {
  return cpuMsOfStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

function memoryOf(pid: number, file: string, name: string): number {
  return sizeIn(readFileSync(`/proc/${pid}/${file}`, 'utf8'), name);
}

function childrenOf(pid: number): number[] {
  if (process.platform !== 'linux') return [];
  const direct = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => parentOf(each) === pid);
  return direct.flatMap((child) => [child, ...childrenOf(child)]);
}

/** Undefined for a process that has ended meanwhile. */
function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
