import { SECOND_MS } from '../../domain/time.ts';
import type { Stack } from '../../sandbox/stack/stack.ts';
import { type PausedVictim, PAUSED_VICTIMS } from '../faults/schedule.ts';
import { residentBytes } from '../../sandbox/process-tree.ts';

/** Samples the memory of the processes. */
export interface MemorySampler {
  /** The peak of each process, in bytes. */
  readonly peaks: ReadonlyMap<PausedVictim, number>;
  stop(): void;
}

const LOOK_EVERY_MS = 2 * SECOND_MS;

export function startMemorySampler(stack: Pick<Stack, 'pidOf'>): MemorySampler {
  const peaks = new Map<PausedVictim, number>();
  const look = (): void => {
    for (const name of PAUSED_VICTIMS) {
      const pid = stack.pidOf(name);
      const bytes = pid === undefined ? undefined : residentBytes(pid);
      if (bytes !== undefined) peaks.set(name, Math.max(bytes, peaks.get(name) ?? 0));
    }
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return { peaks, stop: () => clearInterval(timer) };
}
