import { cpuMsOfTree } from '../../sandbox/process-tree.ts';

/** Processor time in milliseconds, by name. */
export type CpuMs = Readonly<Record<string, number>>;

/** The processor time of each process so far, children included; null where the system does not report it. */
export function readCpuMs(pids: Readonly<Record<string, number>>): CpuMs | null {
  if (process.platform !== 'linux') return null;
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, cpuMsOfTree(pid)]));
}

/** The processor time between two readings. */
export function cpuMsBetween(before: CpuMs | null, after: CpuMs | null): CpuMs | null {
  if (before === null || after === null) return null;
  return Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]));
}
