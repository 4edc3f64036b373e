import { SECOND_MS } from '../../domain/time.ts';
import type { Stack } from '../../sandbox/stack/stack.ts';
import { PAUSED_VICTIMS } from '../faults/schedule.ts';
import { residentBytes } from '../../sandbox/process-tree.ts';

/** Samples the memory of the processes. */
export interface MemorySampler {
  /** The peak of each process, in bytes. */
  readonly peaks: ReadonlyMap<MeasuredProcess, number>;
  stop(): void;
}

const LOOK_EVERY_MS = 2 * SECOND_MS;
/** The last ones run after an upgrade. */
const MEASURED = [...PAUSED_VICTIMS, 'worker-3', 'worker-4'] as const;
type MeasuredProcess = (typeof MEASURED)[number];

export function startMemorySampler(stack: Pick<Stack, 'pidOf'>): MemorySampler {
  const peaks = new Map<MeasuredProcess, number>();
  const look = (): void => {
    for (const name of MEASURED) {
      const pid = stack.pidOf(name);
      const bytes = pid === undefined ? undefined : residentBytes(pid);
      if (bytes !== undefined) peaks.set(name, Math.max(bytes, peaks.get(name) ?? 0));
    }
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return { peaks, stop: () => clearInterval(timer) };
}
