import { cpus } from 'node:os';
import type { CpuMs } from '../measures/cpu.ts';

/** The use of resources during a measurement. */
export interface Usage {
  readonly elapsedMs: number;
  /** For each process of the engine; null where the system does not report it. */
  readonly cpuMs: CpuMs | null;
  /** The share of all processors that the whole machine used, from 0 to 1. */
  readonly machineShare: number;
  /** The average number of active database connections. */
  readonly busyConnections: number;
  /** Connections that the API and the worker may open. */
  readonly connections: number;
}

/** A resource and its utilisation, from 0 to 1. */
export interface ResourceUsage {
  readonly name: string;
  readonly share: number;
}

/** Above this, a machine has no room for a burst, and explains why other resources are saturated too. */
const FULL = 0.9;

/** The resource with the highest utilisation. */
export function mostUsed(usage: Usage, cores = cpus().length): ResourceUsage {
  const processor = { name: nameOfProcessor(usage, cores), share: usage.machineShare };
  if (processor.share >= FULL) return processor;
  const others = [
    { name: 'connections to the database', share: usage.busyConnections / usage.connections },
    { name: 'the one thread of the API', share: (usage.cpuMs?.API ?? 0) / usage.elapsedMs },
  ];
  return others.reduce((tight, each) => (each.share > tight.share ? each : tight), processor);
}

/** Names the process that uses most of the processor time. */
function nameOfProcessor({ cpuMs, elapsedMs, machineShare }: Usage, cores: number): string {
  if (cpuMs === null) return 'the processor';
  const ofMachine = (ms: number) => ms / elapsedMs / cores;
  const own = Object.values(cpuMs).reduce((sum, ms) => sum + ms, 0);
  const users = [
    ...Object.entries(cpuMs).map(([name, ms]) => ({ name, share: ofMachine(ms) })),
    { name: 'other programs', share: machineShare - ofMachine(own) },
  ];
  const most = users.reduce((largest, each) => (each.share > largest.share ? each : largest));
  return `the processor, most of it by ${most.name} (${Math.round(most.share * 100)} %)`;
}

/** Busy time and total time of all processors of the machine, in milliseconds. */
export interface MachineTime {
  readonly busyMs: number;
  readonly totalMs: number;
}

/** Since the machine started. */
export function readMachineTime(): MachineTime {
  const times = cpus().map((cpu) => cpu.times);
  const totalMs = times.reduce((sum, each) => sum + each.user + each.nice + each.sys + each.irq + each.idle, 0);
  const idleMs = times.reduce((sum, each) => sum + each.idle, 0);
  return { busyMs: totalMs - idleMs, totalMs };
}

/** The share of the processors that was used between two readings. */
export function machineUsageBetween(before: MachineTime, after: MachineTime): number {
  return (after.busyMs - before.busyMs) / Math.max(after.totalMs - before.totalMs, 1);
}
