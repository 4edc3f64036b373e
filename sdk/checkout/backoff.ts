const SHORTEST_MS = 200;
const LONGEST_MS = 15_000;

/**
 * How long to wait before the n-th try in a row (n from 1): twice as long at most after each failure, and somewhere in
 * the upper half of that, so that pages cut off together do not come back together. Not the engine's own backoff, because
 * the package of this folder contains nothing from outside it.
 */
export function backoffMs(failures: number, random: () => number): number {
  const ceilingMs = Math.min(LONGEST_MS, SHORTEST_MS * 2 ** Math.min(failures, 16));
  return Math.round(ceilingMs * (0.5 + random() / 2));
}
