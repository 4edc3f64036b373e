import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import { createDatabase } from '../prisma/client.ts';
import { createClient } from '../sdk/server/index.ts';
import { createTemporalClient } from '../workflows/client/connection.ts';
import { startChaosEngine } from './engine/chaos-engine.ts';
import { startMemorySampler } from './engine/memory-sampler.ts';
import { type FaultKind, SCHEDULED_FAULT_KINDS } from './faults/fault-kinds.ts';
import { healEverything, injectFaults } from './faults/injector.ts';
import { planFaults } from './faults/schedule.ts';
import type { ChaosOptions } from './options.ts';
import { createRandom } from './random.ts';
import { type Finding, findProblems, hasProblems } from './report.ts';
import type { RunContext } from './run-context.ts';
import { createOperator } from './traffic/operator.ts';
import { createSettler } from './traffic/settler.ts';
import { followSocket, type SocketFollower } from './traffic/socket-follower.ts';
import { startTraffic, type Traffic } from './traffic/traffic.ts';
import { collectWorld, searchEverything } from './world/collect-world.ts';
import { settleDown, type Unfinished } from './world/settle-down.ts';
import type { World } from './world/world.ts';

/** A run after its end: what there was, and what is wrong with it. */
export interface ChaosRun {
  readonly payments: number;
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>;
  readonly world: World;
  readonly findings: readonly Finding[];
}

const NAMESPACE = 'default';
/** How long after the last fault clients still repeat what was not answered. */
const CLIENTS_REPEAT_FOR_MS = 45 * SECOND_MS;
const SETTLE_WITHIN_MS = 4 * MINUTE_MS;
/** What ends a moment after its row, such as workflows, is looked at again before it counts as wrong. */
const LOOKS_AT_PROBLEMS = 4;
const LOOK_AGAIN_AFTER_MS = 5 * SECOND_MS;
const REPORT_EVERY_MS = 15 * SECOND_MS;

/** Starts the system, disturbs it under traffic, heals it, and compares what each part of it knows. */
export async function runChaos(
  options: ChaosOptions,
  signal: AbortSignal,
  report: (line: string) => void,
): Promise<ChaosRun> {
  const engine = await startChaosEngine({ signal, report });
  const { sandbox } = engine.stack;
  const database = createDatabase({ url: sandbox.databaseUrl, poolSize: 3 });
  const temporal = createTemporalClient({ address: sandbox.temporalAddress, namespace: NAMESPACE });
  const memory = startMemorySampler(engine.stack);
  let socket: SocketFollower | undefined;
  try {
    const { apiKey, secretSalt } = sandbox;
    socket = await followSocket({ gatewayUrl: engine.gatewayUrl, apiKey, secretSalt });
    const settler = createSettler(sandbox);
    return await runWith({ engine, database, temporal, settler, socket, memory }, options, signal, report);
  } finally {
    memory.stop();
    await socket?.end();
    await Promise.allSettled([database.$disconnect(), temporal.connection.close()]);
    await engine.end();
  }
}

async function runWith(
  context: RunContext,
  options: ChaosOptions,
  signal: AbortSignal,
  report: (line: string) => void,
): Promise<ChaosRun> {
  const { traffic, faults } = await disturb(context, options, signal, report);
  report('Healed. Waiting until nothing is under way any more …');
  const unfinished = await waitForRest(context, signal, report);
  if (Object.values(unfinished).some((count) => count > 0)) report(`Not finished in time: ${inWords(unfinished)}.`);
  report('Checking …');
  const { world, findings } = await check(context, traffic, signal);
  return { payments: traffic.payments, faults, world, findings };
}

/** Traffic and faults for as long as was asked for, and healing. */
async function disturb(
  { engine, temporal, settler }: RunContext,
  { minutes, seed, faultKinds, paymentsPerMinute }: ChaosOptions,
  signal: AbortSignal,
  report: (line: string) => void,
): Promise<{ traffic: Traffic; faults: Partial<Record<FaultKind, number>> }> {
  const random = createRandom(seed);
  const durationMs = minutes * MINUTE_MS;
  const faults: Partial<Record<FaultKind, number>> = {};
  const startedAt = Date.now();
  const record = (kind: FaultKind, what: string): void => {
    faults[kind] = (faults[kind] ?? 0) + 1;
    report(`${((Date.now() - startedAt) / SECOND_MS).toFixed(1).padStart(6)} s  ${what}`);
  };
  const stop = childOf(signal);
  const giveUp = childOf(signal);
  const operator = createOperator({ temporal, namespace: NAMESPACE, record });
  const traffic = startTraffic({
    sandbox: engine.stack.sandbox,
    baseUrls: engine.baseUrls,
    random: random.fork('traffic'),
    paymentsPerMinute,
    faultKinds,
    operator,
    settler,
    stopSignal: stop.signal,
    giveUpSignal: giveUp.signal,
  });
  const planned = planFaults(
    random.fork('faults'),
    durationMs,
    SCHEDULED_FAULT_KINDS.filter((kind) => faultKinds.includes(kind)),
  );
  await Promise.all([
    injectFaults({ engine, faults: planned, signal: stop.signal, record }),
    sleep(durationMs, undefined, { signal }).finally(() => stop.abort()),
  ]);
  await healEverything(engine);
  setTimeout(() => giveUp.abort(), CLIENTS_REPEAT_FOR_MS).unref();
  await traffic.ended;
  signal.throwIfAborted();
  return { traffic, faults };
}

/** A controller whose signal aborts with the given one too. */
function childOf(signal: AbortSignal): AbortController {
  const controller = new AbortController();
  signal.addEventListener('abort', () => controller.abort());
  setMaxListeners(0, controller.signal);
  return controller;
}

function waitForRest(context: RunContext, signal: AbortSignal, report: (line: string) => void): Promise<Unfinished> {
  const { sandbox } = context.engine.stack;
  let reportedAt = Date.now();
  const reportNow = (unfinished: Unfinished): void => {
    if (Date.now() - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = Date.now();
    report(`  … ${inWords(unfinished)}`);
  };
  const system = { ...context, merchantAccountId: sandbox.merchantId, api: createClient(sandbox) };
  return settleDown(system, Date.now() + SETTLE_WITHIN_MS, reportNow, signal);
}

function inWords(unfinished: Unfinished): string {
  const counts = Object.entries(unfinished).filter(([, count]) => count !== 0);
  return `under way: ${counts.map(([what, count]) => `${what} ${count}`).join(', ')}`;
}

async function check(
  context: RunContext,
  traffic: Traffic,
  signal: AbortSignal,
): Promise<{ world: World; findings: readonly Finding[] }> {
  const secrets = await searchEverything(context, traffic);
  for (let look = 1; ; look += 1) {
    signal.throwIfAborted();
    const world = await collectWorld(context, traffic, secrets);
    const findings = findProblems(world);
    if (!hasProblems(findings) || look === LOOKS_AT_PROBLEMS) return { world, findings };
    await sleep(LOOK_AGAIN_AFTER_MS);
  }
}
