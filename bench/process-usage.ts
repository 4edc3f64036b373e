import { readdirSync, readFileSync } from 'node:fs';

/** Ticks of the clock by which Linux counts processor time, to the second. */
const TICKS_PER_SECOND = 100;
const KIB = 1_024;

/** Memory of a process and all its children in bytes; pages that several of them share count once in all. */
export function memoryOfFamily(pid: number): number {
  const children = childrenOf(pid);
  if (children.length === 0) return memoryOf(pid, 'status', 'VmRSS');
  return sum([pid, ...children].map((each) => ifThere(() => memoryOf(each, 'smaps_rollup', 'Pss'))));
}

/** Processor time in milliseconds that a /proc/<pid>/stat line tells, of the process and of children that have ended. */
export function cpuMsOfStat(stat: string): number {
  // The name in parentheses may hold spaces and parentheses itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (sum(fields.slice(11, 15).map(Number)) / TICKS_PER_SECOND) * 1_000;
}

/** A size that a file of /proc tells as `Name:   123 kB`, in bytes. */
export function sizeIn(text: string, name: string): number {
  const [, kilobytes] = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text) ?? [];
  if (kilobytes === undefined) throw new Error(`the system does not tell ${name}`);
  return Number(kilobytes) * KIB;
}

/** Processor time in milliseconds of a process and all its children; 0 where it has ended. */
export function cpuMsOfFamily(pid: number): number {
  return sum([pid, ...childrenOf(pid)].map((each) => ifThere(() => cpuMsOf(each))));
}

/** A child may end in between; its parent has its time by then. */
function ifThere(read: () => number): number {
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
