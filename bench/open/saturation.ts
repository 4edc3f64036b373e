import { cpus } from 'node:os';
import type { CpuMs } from '../measures/cpu.ts';

/** What was used while something ran. */
export interface Usage {
  readonly elapsedMs: number;
  /** By process of the engine; null where the system does not report it. */
  readonly cpuMs: CpuMs | null;
  /** Of all processors, by whatever runs on the machine, from 0 to 1. */
  readonly machineShare: number;
  /** Connections to the database that worked on something, on average. */
  readonly busyConnections: number;
  /** Connections that the API and the worker may open. */
  readonly connections: number;
}

/** A resource, and how far it is used, from 0 to 1. */
export interface ResourceUsage {
  readonly name: string;
  readonly share: number;
}

/** From here on a machine leaves no room for a burst, and what is full besides is full because of that. */
const FULL = 0.9;

/** The resource that comes first to its limit. */
export function mostUsed(usage: Usage, cores = cpus().length): ResourceUsage {
  const processor = { name: nameOfProcessor(usage, cores), share: usage.machineShare };
  if (processor.share >= FULL) return processor;
  const others = [
    { name: 'connections to the database', share: usage.busyConnections / usage.connections },
    { name: 'the one thread of the API', share: (usage.cpuMs?.API ?? 0) / usage.elapsedMs },
  ];
  return others.reduce((tight, each) => (each.share > tight.share ? each : tight), processor);
}

/** Says who uses most of it. */
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

/** Milliseconds that all processors of the machine worked, and how long they were there. */
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
