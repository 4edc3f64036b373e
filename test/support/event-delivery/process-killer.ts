import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from './random.ts';

/** A process that is killed repeatedly. */
export interface Victim {
  readonly name: string;
  /** After how many more payments at least and at most it is killed next; the first time comes earlier. */
  readonly everyPayments: readonly [number, number];
  /** Kills and restarts it. */
  killAndRestart(): Promise<void>;
}

export interface ProcessKiller {
  /** Waits until killed processes are restarted, and kills no more. @returns how often each was killed */
  stop(): Promise<ReadonlyMap<string, number>>;
}

const LOOK_EVERY_MS = 50;

/**
 * Kills each victim at moments of its own, so that several are gone at the same time now and then. The moments go by what has
 * been achieved: a slow machine must not be killed before it has done anything.
 * @param ended payments that have ended so far
 */
export function startProcessKiller(victims: readonly Victim[], random: Random, ended: () => number): ProcessKiller {
  const stopping = new AbortController();
  const { signal } = stopping;
  const counts = new Map<string, number>();
  const kill = async ({ name, everyPayments, killAndRestart }: Victim): Promise<void> => {
    let next = random.between(...everyPayments) / 2;
    while (!signal.aborted) {
      if (ended() >= next) {
        counts.set(name, (counts.get(name) ?? 0) + 1);
        await killAndRestart();
        next = ended() + random.between(...everyPayments);
      }
      await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  const stopped = Promise.all(victims.map(kill));
  stopped.catch(() => stopping.abort());
  return {
    async stop() {
      stopping.abort();
      await stopped;
      return counts;
    },
  };
}
