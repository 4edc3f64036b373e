import { setTimeout as sleep } from 'node:timers/promises';
import type { DuringTraffic } from '../chaos/run.ts';
import { MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import { processTree, signalProcess } from '../sandbox/process-tree.ts';
import type { ClusterOptions } from './options.ts';
import { ASYNCHRONOUS_LAG_MS } from './postgres-pair.ts';
import { type ClusterServers, DATABASE_NAMES, type DatabaseName } from './servers.ts';

type Event = (servers: ClusterServers, traffic: DuringTraffic) => Promise<void>;

type Engine = DuringTraffic['engine'];

const OWNERS = { engine: "the engine's", temporal: "Temporal's" };

/** What `--kill` kills, one after the other. */
const KILLED = ['temporal-history-1', 'temporal-matching-1', 'worker-1'] as const;

const PAUSED = ['worker-1', 'worker-2'] as const;
const SUCCESSORS = { 'worker-1': 'worker-3', 'worker-2': 'worker-4' } as const;
/** Longer than the lease of the background jobs (5 s): whoever led them meets a successor when it goes on. */
const PAUSE_MS = 10 * SECOND_MS;

/** Kills and stops processes and lets databases fail over, evenly over the time of the traffic. */
export async function disturb(servers: ClusterServers, options: ClusterOptions, traffic: DuringTraffic): Promise<void> {
  const events: readonly Event[] = [
    ...(options.kills ? [...KILLED.map(killing), ...PAUSED.map(pausing)] : []),
    ...(options.failover === null ? [] : DATABASE_NAMES.map((name) => failingOver(name, options.failover))),
  ];
  const gapMs = (options.traffic.minutes * MINUTE_MS) / (events.length + 1);
  for (const event of events) {
    await sleep(gapMs, undefined, { signal: traffic.signal }).catch(() => undefined);
    if (traffic.signal.aborted) break;
    await event(servers, traffic);
  }
  await servers.whenReady();
}

function killing(name: (typeof KILLED)[number]): Event {
  return async (servers, { engine, record }) => {
    const killed = name === 'worker-1' ? runningWorker(engine, name) : name;
    record('kill', `kill -9: ${killed}`);
    if (killed === 'worker-1' || killed === 'worker-3') signal(engine, killed, 'SIGKILL');
    else await servers.kill(killed);
  };
}

function pausing(name: (typeof PAUSED)[number]): Event {
  return async (_servers, { engine, record }) => {
    const paused = runningWorker(engine, name);
    record('pause', `stopped for ${PAUSE_MS / SECOND_MS} s: ${paused}`);
    signal(engine, paused, 'SIGSTOP');
    await sleep(PAUSE_MS);
    signal(engine, paused, 'SIGCONT');
  };
}

/** The worker, or its successor if an upgrade has replaced it. */
function runningWorker<Name extends keyof typeof SUCCESSORS>({ stack }: Engine, name: Name) {
  return stack.pidOf(name) === undefined ? SUCCESSORS[name] : name;
}

function signal({ stack }: Engine, name: `worker-${number}`, signalName: NodeJS.Signals): void {
  const pid = stack.pidOf(name);
  for (const each of pid === undefined ? [] : processTree(pid)) signalProcess(each, signalName);
}

function failingOver(name: DatabaseName, standby: ClusterOptions['failover']): Event {
  return async ({ databases }, { record }) => {
    const lag = standby === 'asynchronous' ? `, its standby ${ASYNCHRONOUS_LAG_MS / SECOND_MS} s behind` : '';
    const tookMs = await databases[name].failOver();
    record(
      'kill',
      `kill -9: the primary of ${OWNERS[name]} database${lag}; promoted after ${(tookMs / SECOND_MS).toFixed(1)} s`,
    );
  };
}
