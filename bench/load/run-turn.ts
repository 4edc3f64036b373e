import { setTimeout as sleep } from 'node:timers/promises';
import type { Turn, TurnResult } from './messages.ts';
import { startStepTimer, type StepTimer } from './step-timer.ts';
import { messageOf } from '../../domain/message-of.ts';

/** One unit of work with timed steps. @returns its id */
export type Work = (timer: StepTimer) => Promise<string>;

/** Generates the load of one turn, and waits until all work that began is done. */
export async function runTurn(work: Work, turn: Turn): Promise<TurnResult> {
  const tally: Tally = { done: 0, failed: 0, lastFailure: null, lastId: null, steps: new Map() };
  const startedAt = performance.now();
  if (turn.kind === 'clients') await runClients(work, turn, tally);
  else await runArrivals(work, turn, tally);
  const elapsedMs = performance.now() - startedAt;
  return { ...tally, elapsedMs, steps: Object.fromEntries(tally.steps) };
}

interface Tally {
  done: number;
  failed: number;
  lastFailure: string | null;
  lastId: string | null;
  readonly steps: Map<string, number[]>;
}

type Clients = Extract<Turn, { kind: 'clients' }>;
type Arrivals = Extract<Turn, { kind: 'arrivals' }>;

/** Each client works at least once, however short the turn is. */
async function runClients(work: Work, { clients, durationMs }: Clients, tally: Tally): Promise<void> {
  const until = performance.now() + durationMs;
  const client = async (): Promise<void> => {
    do await runOne(work, performance.now(), tally);
    while (performance.now() < until);
  };
  await Promise.all(Array.from({ length: clients }, client));
}

/** An arrival that this process handles late is timed from when it was due. */
async function runArrivals(work: Work, { perSecond, durationMs }: Arrivals, tally: Tally): Promise<void> {
  const startedAt = performance.now();
  const inProgress: Promise<void>[] = [];
  for (let dueMs = pauseMs(perSecond); dueMs < durationMs; dueMs += pauseMs(perSecond)) {
    const waitMs = startedAt + dueMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    inProgress.push(runOne(work, startedAt + dueMs, tally));
  }
  await Promise.all(inProgress);
}

/** Exponential, so that arrivals are independent. */
function pauseMs(perSecond: number): number {
  return (-Math.log(1 - Math.random()) * 1000) / perSecond;
}

async function runOne(work: Work, startedAtMs: number, tally: Tally): Promise<void> {
  const timer = startStepTimer(startedAtMs);
  try {
    tally.lastId = await work(timer);
    tally.done += 1;
  } catch (error) {
    tally.failed += 1;
    tally.lastFailure = messageOf(error);
    return;
  }
  for (const [step, ms] of timer.durations) {
    const samples = tally.steps.get(step);
    if (samples === undefined) tally.steps.set(step, [ms]);
    else samples.push(ms);
  }
}
