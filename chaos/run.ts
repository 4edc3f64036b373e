import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import { createDatabase } from '../prisma/connection/client.ts';
import { createClient } from '../sdk/server/index.ts';
import { createTemporalClient } from '../workflow-client/connection.ts';
import { type ChaosEngine, type RunningServers, startChaosEngine } from './engine/chaos-engine.ts';
import { startMemorySampler } from './engine/memory-sampler.ts';
import { type FaultKind, SCHEDULED_FAULT_KINDS } from './faults/fault-kinds.ts';
import { healSystem, injectFaults } from './faults/injector.ts';
import { planFaults } from './faults/schedule.ts';
import { createSwitches, type Switches } from './faults/switches.ts';
import type { ChaosOptions } from './options.ts';
import { createRandom } from './random.ts';
import { type Finding, runChecks, hasProblems } from './report.ts';
import type { RunContext } from './run-context.ts';
import { saveHistories } from './save-histories.ts';
import { createOperator } from './traffic/operator.ts';
import { createSettlementClient, type SettlementClient } from './traffic/settlement-client.ts';
import { subscribeToEvents, type SocketSubscriber } from './traffic/socket-subscriber.ts';
import { startTraffic, type Traffic } from './traffic/traffic.ts';
import { collectSnapshot, searchEverything } from './snapshot/collect-snapshot.ts';
import { type FailedExit, tryExits } from './snapshot/try-exits.ts';
import { watchWaits, type WaitWatcher } from './snapshot/watch-waits.ts';
import { waitUntilIdle, type Unfinished } from './snapshot/wait-until-idle.ts';
import type { Snapshot } from './snapshot/snapshot.ts';

/** A finished run, with its snapshot and findings. */
export interface ChaosRun {
  readonly payments: number;
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>;
  readonly snapshot: Snapshot;
  readonly findings: readonly Finding[];
}

/** A run under way. */
interface StartedRun extends RunContext {
  readonly switches: Switches;
  readonly waits: WaitWatcher;
  readonly options: ChaosOptions;
  readonly signal: AbortSignal;
  readonly report: (line: string) => void;
  readonly during: ChaosTarget['during'] | undefined;
}

/** The servers of a run, and what happens to them besides its faults. */
export interface ChaosTarget {
  readonly servers: RunningServers;
  /** The folder of the release whose processes run at the start; this one's otherwise. */
  readonly release?: string;
  /** Runs while there is traffic. */
  readonly during: (context: DuringTraffic) => Promise<void>;
}

export interface DuringTraffic {
  readonly engine: ChaosEngine;
  readonly temporal: Client;
  readonly settlements: SettlementClient;
  /** Aborts when the traffic ends. */
  readonly signal: AbortSignal;
  /** Reports and counts a fault. */
  readonly record: (kind: FaultKind, what: string) => void;
}

const NAMESPACE = 'default';
/** How long after the last fault clients still repeat requests without an answer. */
const CLIENTS_REPEAT_FOR_MS = 45 * SECOND_MS;
const SETTLE_WITHIN_MS = 4 * MINUTE_MS;
/** Workflows end a moment after their rows, so failed checks are repeated before they count. */
const MAXIMUM_CHECK_ROUNDS = 4;
const CHECK_AGAIN_AFTER_MS = 5 * SECOND_MS;
const REPORT_EVERY_MS = 15 * SECOND_MS;
/** Runs of at least that many minutes try the exits of waiting states. */
const EXITS_FROM_MINUTES = 10;

/** Starts the system, injects faults under traffic, heals the system, and checks that all its parts are consistent. */
export async function runChaos(
  options: ChaosOptions,
  signal: AbortSignal,
  report: (line: string) => void,
  target?: ChaosTarget,
): Promise<ChaosRun> {
  const engine = await startChaosEngine({
    signal,
    report,
    ...(target === undefined ? {} : { servers: target.servers }),
    ...(target?.release === undefined ? {} : { release: target.release }),
  });
  const { sandbox } = engine.stack;
  const database = createDatabase({ url: sandbox.databaseUrl, poolSize: 3 });
  const temporal = createTemporalClient({ address: sandbox.temporalAddress, namespace: NAMESPACE });
  const memory = startMemorySampler(engine.stack);
  let socket: SocketSubscriber | undefined;
  try {
    const { apiKey, secretSalt } = sandbox;
    socket = await subscribeToEvents({ gatewayUrl: engine.gatewayUrl, apiKey, secretSalt });
    const settlements = createSettlementClient(engine.providers);
    const switches = createSwitches(engine, database);
    const waits = watchWaits(database, signal);
    const context = { engine, database, temporal, settlements, socket, memory, switches, waits };
    return await runWith({ ...context, options, signal, report, during: target?.during });
  } finally {
    memory.stop();
    await socket?.end();
    await Promise.allSettled([database.$disconnect(), temporal.connection.close()]);
    await engine.end();
  }
}

async function runWith(run: StartedRun): Promise<ChaosRun> {
  const { temporal, report } = run;
  const { traffic, faults } = await runTraffic(run);
  report('Healed. Waiting until nothing is in progress …');
  const failedExits = await tryExitsOf(run);
  const unfinished = await waitForIdle(run);
  if (Object.values(unfinished).some((count) => count > 0))
    report(`Not finished in time: ${describeUnfinished(unfinished)}.`);
  report('Checking …');
  const { snapshot, findings } = await check(run, traffic, failedExits);
  if (hasProblems(findings)) {
    report(`Histories of payments with problems are in ${await saveHistories(temporal, findings)}.`);
  }
  return { payments: traffic.payments, faults, snapshot, findings };
}

/** Runs traffic and faults for the requested time, then heals the system. */
async function runTraffic(run: StartedRun): Promise<{ traffic: Traffic; faults: Partial<Record<FaultKind, number>> }> {
  const { engine, temporal, settlements, switches, signal, report, during } = run;
  const { minutes, seed, faultKinds, scenario, paymentsPerMinute, clients } = run.options;
  const random = createRandom(seed);
  const durationMs = minutes * MINUTE_MS;
  const faults: Partial<Record<FaultKind, number>> = {};
  const startedAt = Date.now();
  const record = (kind: FaultKind, what: string): void => {
    faults[kind] = (faults[kind] ?? 0) + 1;
    report(`${((Date.now() - startedAt) / SECOND_MS).toFixed(1).padStart(6)} s  ${what}`);
  };
  const stop = linkedController(signal);
  const giveUp = linkedController(signal);
  const operator = createOperator({ temporal, namespace: NAMESPACE, record });
  const traffic = startTraffic({
    sandbox: engine.stack.sandbox,
    baseUrls: engine.baseUrls,
    random: random.fork('traffic'),
    paymentsPerMinute,
    clients,
    faultKinds,
    scenario,
    operator,
    settlements,
    stopSignal: stop.signal,
    giveUpSignal: giveUp.signal,
  });
  const planned = planFaults(
    random.fork('faults'),
    durationMs,
    SCHEDULED_FAULT_KINDS.filter((kind) => faultKinds.includes(kind)),
  );
  await Promise.all([
    injectFaults({ engine, switches, faults: planned, signal: stop.signal, record }),
    during?.({ engine, temporal, settlements, signal: stop.signal, record }),
    sleep(durationMs, undefined, { signal }).finally(() => stop.abort()),
  ]);
  await healSystem(engine);
  setTimeout(() => giveUp.abort(), CLIENTS_REPEAT_FOR_MS).unref();
  await traffic.ended;
  signal.throwIfAborted();
  return { traffic, faults };
}

/** A controller whose signal also aborts with the given one. */
function linkedController(signal: AbortSignal): AbortController {
  const controller = new AbortController();
  signal.addEventListener('abort', () => controller.abort());
  setMaxListeners(0, controller.signal);
  return controller;
}

function waitForIdle({ signal, report, ...context }: StartedRun): Promise<Unfinished> {
  const { sandbox } = context.engine.stack;
  let reportedAt = Date.now();
  const reportNow = (unfinished: Unfinished): void => {
    if (Date.now() - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = Date.now();
    report(`  … ${describeUnfinished(unfinished)}`);
  };
  const system = { ...context, merchantAccountId: sandbox.merchantId, api: createClient(sandbox) };
  return waitUntilIdle(system, Date.now() + SETTLE_WITHIN_MS, reportNow, signal);
}

function describeUnfinished(unfinished: Unfinished): string {
  const counts = Object.entries(unfinished).filter(([, count]) => count !== 0);
  return `in progress: ${counts.map(([what, count]) => `${what} ${count}`).join(', ')}`;
}

/** Takes minutes, so short runs leave it out. */
function tryExitsOf({ engine, temporal, signal, options, report }: StartedRun): Promise<readonly FailedExit[]> {
  if (options.minutes < EXITS_FROM_MINUTES) return Promise.resolve([]);
  report('Trying to end by hand what waits for a provider …');
  return tryExits(engine, temporal, signal);
}

async function check(
  run: StartedRun,
  traffic: Traffic,
  failedExits: readonly FailedExit[],
): Promise<{ snapshot: Snapshot; findings: readonly Finding[] }> {
  const secrets = await searchEverything(run, traffic);
  for (let look = 1; ; look += 1) {
    run.signal.throwIfAborted();
    const snapshot = await collectSnapshot(run, traffic, {
      secrets,
      inactivePeriods: [...run.switches.periods],
      unadvisedWaits: run.waits.unadvised(),
      failedExits,
    });
    const findings = runChecks(snapshot);
    if (!hasProblems(findings) || look === MAXIMUM_CHECK_ROUNDS) return { snapshot, findings };
    await sleep(CHECK_AGAIN_AFTER_MS);
  }
}
