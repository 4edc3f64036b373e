import { setTimeout as sleep } from 'node:timers/promises';
import type { DuringTraffic } from '../chaos/run.ts';
import { MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import { processTree, signalProcess } from '../sandbox/process-tree.ts';
import type { ClusterOptions } from './options.ts';
import { ASYNCHRONOUS_LAG_MS } from './postgres-pair.ts';
import { type ClusterServers, DATABASE_NAMES, type DatabaseName } from './servers.ts';

type Event = (servers: ClusterServers, traffic: DuringTraffic) => Promise<void>;

/** What `--kill` kills, one after the other. */
const KILLED = ['temporal-history-1', 'temporal-matching-1', 'worker-1'] as const;

/** Kills processes and lets databases fail over, evenly over the time of the traffic. */
export async function disturb(servers: ClusterServers, options: ClusterOptions, traffic: DuringTraffic): Promise<void> {
  const events: readonly Event[] = [
    ...(options.kills ? KILLED.map(killing) : []),
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
    record('kill', `kill -9: ${name}`);
    if (name !== 'worker-1') return servers.kill(name);
    const pid = engine.stack.pidOf(name);
    for (const each of pid === undefined ? [] : processTree(pid)) signalProcess(each, 'SIGKILL');
  };
}

function failingOver(name: DatabaseName, standby: ClusterOptions['failover']): Event {
  return async ({ databases }, { record }) => {
    const lag = standby === 'asynchronous' ? `, its standby ${ASYNCHRONOUS_LAG_MS / SECOND_MS} s behind` : '';
    const tookMs = await databases[name].failOver();
    record(
      'kill',
      `kill -9: the primary of the ${name}'s database${lag}; promoted after ${(tookMs / SECOND_MS).toFixed(1)} s`,
    );
  };
}
