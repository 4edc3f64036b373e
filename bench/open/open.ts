import { SECOND_MS } from '../../domain/time.ts';
import type { Bench, Figure } from '../benchmark.ts';
import { enginePids } from '../engine-pids.ts';
import { percentile } from '../interleave.ts';
import { type LoadProcess, startLoadProcess } from '../load/load-process.ts';
import type { TurnResult } from '../load/messages.ts';
import { cpuMsBetween, readCpuMs } from '../measures/cpu.ts';
import { type ConnectionSampler, sampleConnections } from './busy-connections.ts';
import { highestRate } from './highest-rate.ts';
import { machineUsageBetween, readMachineTime, mostUsed, type Usage } from './saturation.ts';

/** The log-normal latency of the provider, as over the internet. */
const PROVIDER_LATENCY_MS = { p50: 120, p99: 380 };
const CREATE_P99_AT_MOST_MS = 100;
/** The share of the highest rate that an operator would plan for. */
const PLANNED_SHARE = 0.6;
const STEPS = 5;
const STEP_SECONDS = 8;
const PLANNED_SECONDS = 20;
const WARM_UP = { kind: 'clients', clients: 32, durationMs: 8 * SECOND_MS } as const;
/** A closed loop with enough clients to saturate the machine, which gives the upper limit of the search. */
const FULL_LOAD = { kind: 'clients', clients: 64, durationMs: 6 * SECOND_MS } as const;
const POOL_SIZE = 10;
const POOLS = 2;

interface Setup {
  readonly load: LoadProcess;
  readonly pids: Readonly<Record<string, number>>;
  readonly connections: ConnectionSampler;
}

interface Measured {
  readonly result: TurnResult;
  readonly usage: Usage;
}

/** Measures open-loop load: payments arrive at random, independently of earlier ones, and the provider is slow. */
export async function benchmarkOpen({ startEngine, report, signal, sizes, keep }: Bench): Promise<readonly Figure[]> {
  const stack = await startEngine({ DATABASE_POOL_SIZE: String(POOL_SIZE) });
  for (const { url } of stack.sandbox.simulators) await slowDown(url);
  const load = await startLoadProcess('load/payments-load', stack.sandbox, signal);
  const connections = await sampleConnections(stack.superuserUrl);
  const setup = { load, connections, pids: enginePids(stack, load.pid) };
  const stepSeconds = sizes.seconds ?? STEP_SECONDS;
  try {
    report('Warming up …');
    await load.run(WARM_UP);
    const full = await load.run(FULL_LOAD);
    const limit = (full.done / full.elapsedMs) * SECOND_MS;
    const fullFigure = { what: '64 clients, as fast as they can', value: limit, unit: '/s' };
    keep([fullFigure]);
    const measured = new Map<number, Measured>();
    const highest = await highestRate(
      async (perSecond) => {
        signal.throwIfAborted();
        const step = await arrive(setup, perSecond, stepSeconds);
        measured.set(perSecond, step);
        const p99 = createP99(step);
        report(`${perSecond.toFixed(1)} a second: create's p99 is ${p99.toFixed(0)} ms, ${step.result.failed} failed`);
        keep([{ what: `create, p99, at ${perSecond.toFixed(1)} a second`, value: p99, unit: 'ms' }]);
        return step.result.failed === 0 && p99 <= CREATE_P99_AT_MOST_MS;
      },
      limit,
      sizes.turns ?? STEPS,
    );
    const highestFigure = {
      what: `highest rate with create's p99 at most ${CREATE_P99_AT_MOST_MS} ms`,
      value: highest,
      unit: '/s',
    };
    keep([highestFigure]);
    const planned = (highest || Math.min(...measured.keys())) * PLANNED_SHARE;
    report(`Measuring at ${planned.toFixed(1)} a second …`);
    const atPlanned = await arrive(setup, planned, Math.max(PLANNED_SECONDS, stepSeconds));
    const tooHigh = Math.min(...[...measured.keys()].filter((perSecond) => perSecond > highest));
    return [
      fullFigure,
      highestFigure,
      ...saturationFigures(measured.get(tooHigh) ?? atPlanned),
      { what: 'rate measured', value: planned, unit: '/s' },
      { what: 'create, p50', value: percentile(samplesOf(atPlanned, 'create'), 0.5), unit: 'ms' },
      { what: 'create, p99', value: createP99(atPlanned), unit: 'ms', atMost: CREATE_P99_AT_MOST_MS },
      { what: 'confirm, p50', value: percentile(samplesOf(atPlanned, 'confirm'), 0.5), unit: 'ms' },
      { what: 'confirm, p99', value: percentile(samplesOf(atPlanned, 'confirm'), 0.99), unit: 'ms' },
      { what: 'failed', value: atPlanned.result.failed, unit: '', atMost: 0 },
    ];
  } finally {
    await Promise.all([load.end(), connections.end()]);
  }
}

async function slowDown(simulatorUrl: string): Promise<void> {
  const answer = await fetch(`${simulatorUrl}/simulate/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ latencyMs: PROVIDER_LATENCY_MS, operations: ['payments'] }),
    signal: AbortSignal.timeout(10 * SECOND_MS),
  });
  if (!answer.ok) throw new Error(`the simulator refused its latency with ${answer.status}`);
}

/** Generates payments at a rate, and measures them. */
async function arrive({ load, pids, connections }: Setup, perSecond: number, seconds: number): Promise<Measured> {
  connections.average();
  const [before, machineBefore, startedAt] = [readCpuMs(pids), readMachineTime(), performance.now()];
  const result = await load.run({ kind: 'arrivals', perSecond, durationMs: seconds * SECOND_MS });
  const elapsedMs = performance.now() - startedAt;
  const cpuMs = cpuMsBetween(before, readCpuMs(pids));
  const machineShare = machineUsageBetween(machineBefore, readMachineTime());
  const busyConnections = connections.average();
  return { result, usage: { elapsedMs, cpuMs, machineShare, busyConnections, connections: POOLS * POOL_SIZE } };
}

function samplesOf({ result }: Measured, step: string): readonly number[] {
  return result.steps[step] ?? [];
}

/** Infinite where no payment was made. */
function createP99(measured: Measured): number {
  const samples = samplesOf(measured, 'create');
  return samples.length === 0 ? Number.POSITIVE_INFINITY : percentile(samples, 0.99);
}

function saturationFigures({ usage }: Measured): Figure[] {
  const { name, share } = mostUsed(usage);
  const shares = Object.entries(usage.cpuMs ?? {}).map(([process, ms]) => ({
    what: `above that rate: one core's time for ${process}`,
    value: (ms / usage.elapsedMs) * 100,
    unit: '%',
  }));
  return [{ what: `above that rate first to be full: ${name}`, value: share * 100, unit: '%' }, ...shares];
}
