import type { Samples } from '../interleave.ts';
import { median } from '../measures/median.ts';

const IN_A_ROW = 5;
/** What the machine may vary. */
const FACTOR = 1.5;

/**
 * When the times of one client's calls are as before.
 * @param samples the times of calls that were made one after the other
 * @param beforeMs the median before
 * @returns ms from the first call to the first of several whose median is at most one and a half times that; Infinity where
 *   there are none
 */
export function recoveredAfterMs(samples: Samples, beforeMs: number): number {
  let elapsedMs = 0;
  for (const [index, sample] of samples.entries()) {
    const row = samples.slice(index, index + IN_A_ROW);
    if (row.length === IN_A_ROW && median(row) <= FACTOR * beforeMs) return elapsedMs;
    elapsedMs += sample;
  }
  return Number.POSITIVE_INFINITY;
}
