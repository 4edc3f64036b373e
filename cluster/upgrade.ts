import { setTimeout as sleep } from 'node:timers/promises';
import type { DuringTraffic } from '../chaos/run.ts';
import { readTemporaryStackConfig } from '../config/sandbox.ts';
import { MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import type { EngineProcess } from '../sandbox/stack/engine-processes.ts';
import { PROJECT_ROOT } from '../sandbox/stack/project.ts';
import { runReleaseCommand } from '../sandbox/stack/start-servers.ts';
import { createClient, PaymentEngineConnectionError, PaymentEngineError } from '../sdk/server/index.ts';
import { PAYMENT_SCENARIOS, type PaymentScenario, type Shop } from './payment-scenarios.ts';
import { countOpenRuns } from './run-versions.ts';
import type { OpenedPayment, UpgradeStep } from './upgrade-report.ts';

export interface UpgradeOptions {
  readonly databaseUrl: string;
  /** The version of the workflow code that runs at the start; null where it is that of this release too. */
  readonly earlierBuildId: string | null;
  /** How long there is traffic. */
  readonly minutes: number;
  readonly signal: AbortSignal;
  readonly report: (line: string) => void;
}

/** An upgrade of everything to this release, in the order of docs/operations/upgrades.md. */
export interface Upgrade {
  readonly steps: readonly UpgradeStep[];
  readonly opened: readonly OpenedPayment[];
  /** Carries it out while there is traffic. */
  during(traffic: DuringTraffic): Promise<void>;
}

interface Step extends Pick<UpgradeStep, 'what' | 'phase'> {
  /** When it begins at the earliest, as a part of the time of the traffic. */
  readonly at: number;
  readonly work: () => Promise<unknown>;
}

/** Of each kind. Their customers and merchants do the rest when the APIs are replaced, and when no old worker is left. */
const OPENED_PER_SCENARIO = 4;
const POLL_EVERY_MS = SECOND_MS;
/** Runs of a version without workers stand still for about two minutes. */
const MOVED_WITHIN_MS = 5 * MINUTE_MS;
const SERVER_ERROR = 500;

export function createUpgrade(options: UpgradeOptions): Upgrade {
  const { minutes, signal, report } = options;
  const steps: UpgradeStep[] = [];
  const opened: OpenedPayment[] = [];
  return {
    steps,
    opened,
    async during(traffic) {
      const startedAtMs = Date.now();
      for (const { what, phase, at, work } of stepsOf(options, traffic, opened)) {
        const waitMs = startedAtMs + at * minutes * MINUTE_MS - Date.now();
        await sleep(Math.max(0, waitMs), undefined, { signal: traffic.signal }).catch(() => undefined);
        signal.throwIfAborted();
        const step = { what, phase, startedAtMs: Date.now(), tookMs: 0 };
        await work();
        steps.push({ ...step, tookMs: Date.now() - step.startedAtMs });
        report(`${secondsSince(startedAtMs).padStart(6)} s  ${what} (${secondsSince(step.startedAtMs)} s)`);
      }
    },
  };
}

function secondsSince(atMs: number): string {
  return ((Date.now() - atMs) / SECOND_MS).toFixed(1);
}

function stepsOf(options: UpgradeOptions, traffic: DuringTraffic, opened: OpenedPayment[]): readonly Step[] {
  const { engine, settlements, temporal } = traffic;
  const { stack } = engine;
  const shop: Shop = { api: createClient(stack.sandbox), settlements };
  const start = (name: EngineProcess['name'], as = name): Promise<void> => stack.startProcess(named(engine, name, as));
  const replace = async (name: EngineProcess['name'], as = name): Promise<void> => {
    if (as !== name) await start(name, as);
    await stack.endProcess(name);
    if (as === name) await start(name);
  };
  const act = (half: 0 | 1) => (): Promise<unknown> =>
    Promise.all(opened.map(async (each, index) => index % 2 === half && actOn(each, shop, opened)));
  const { earlierBuildId } = options;
  const giveWay = async (): Promise<void> => {
    if (earlierBuildId !== null) await until(async () => (await countOpenRuns(temporal, earlierBuildId)) === 0);
  };
  return [
    { at: 0, phase: 'before', what: 'payments are opened', work: () => open(shop, opened) },
    { at: 0.2, phase: 'during', what: 'migrations', work: () => migrate(options, engine.dataDir) },
    { at: 0.3, phase: 'during', what: 'worker-3 replaces worker-1', work: () => replace('worker-1', 'worker-3') },
    { at: 0.4, phase: 'during', what: 'worker-4 starts beside worker-2', work: () => start('worker-2', 'worker-4') },
    { at: 0.48, phase: 'during', what: 'api-1 is replaced', work: () => replace('api-1') },
    { at: 0.54, phase: 'during', what: 'api-2 is replaced', work: () => replace('api-2') },
    { at: 0.6, phase: 'during', what: 'the gateway is replaced', work: () => replace('gateway') },
    { at: 0.65, phase: 'during', what: 'half of the opened payments go on', work: act(0) },
    { at: 0.7, phase: 'during', what: 'worker-2 ends', work: () => stack.endProcess('worker-2') },
    {
      at: 0.7,
      phase: 'after',
      what: 'its open runs give way, the other half go on',
      work: () => Promise.all([act(1)(), giveWay()]),
    },
  ];
}

/** The process as it was planned, under another name. */
function named({ processes }: DuringTraffic['engine'], name: EngineProcess['name'], as: string): EngineProcess {
  const planned = processes.find((each) => each.name === name);
  if (planned === undefined) throw new RangeError(`no process named ${name}`);
  // Only workers get another name, and any number is a worker's.
  return { ...planned, name: as } as EngineProcess;
}

function migrate({ databaseUrl }: UpgradeOptions, dataDir: string): Promise<void> {
  const { settings } = readTemporaryStackConfig();
  return runReleaseCommand(PROJECT_ROOT, 'migrate', { dataDir, settings }, { DATABASE_URL: databaseUrl });
}

/** Brings payments into each state in which they wait for people. */
async function open(shop: Shop, opened: OpenedPayment[]): Promise<void> {
  for (let number = 0; number < OPENED_PER_SCENARIO; number += 1) {
    const openOne = async ({ title, before, after }: PaymentScenario): Promise<void> => {
      if (before === undefined || after === undefined) return;
      opened.push({ scenario: title, id: await before(shop), problem: null });
    };
    await Promise.all(PAYMENT_SCENARIOS.map(openOne));
  }
  // So that each half has some of each kind.
  opened.sort((left, right) => left.scenario.localeCompare(right.scenario));
}

/** Does the rest, repeating under the same key while the engine says that it cannot. */
async function actOn(payment: OpenedPayment, shop: Shop, opened: OpenedPayment[]): Promise<void> {
  const { id, scenario } = payment;
  const after: PaymentScenario['after'] = PAYMENT_SCENARIOS.find(({ title }) => title === scenario)?.after;
  const deadlineMs = Date.now() + MOVED_WITHIN_MS;
  for (;;) {
    try {
      return void (await after?.(shop, id, { idempotencyKey: `upgrade-${id}` }));
    } catch (error) {
      if (mayBeRepeated(error) && Date.now() < deadlineMs) continue;
      opened[opened.indexOf(payment)] = { ...payment, problem: String(error) };
      return;
    }
  }
}

function mayBeRepeated(error: unknown): boolean {
  if (error instanceof PaymentEngineConnectionError) return true;
  return error instanceof PaymentEngineError && (error.status >= SERVER_ERROR || error.code === 'DUPLICATE_REQUEST');
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  const deadlineMs = Date.now() + MOVED_WITHIN_MS;
  while (!(await isDone())) {
    if (Date.now() > deadlineMs) return;
    await sleep(POLL_EVERY_MS);
  }
}
