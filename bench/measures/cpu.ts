import { cpuMsOfTree } from '../../sandbox/process-tree.ts';

/** Processor time in milliseconds, by name. */
export type CpuMs = Readonly<Record<string, number>>;

/** What each process has used so far, its children included; null where the system does not report it. */
export function readCpuMs(pids: Readonly<Record<string, number>>): CpuMs | null {
  if (process.platform !== 'linux') return null;
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, cpuMsOfTree(pid)]));
}

/** What was used between two readings. */
export function cpuMsBetween(before: CpuMs | null, after: CpuMs | null): CpuMs | null {
  if (before === null || after === null) return null;
  return Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]));
}
