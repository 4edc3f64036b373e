/** Times of one case in milliseconds, in the order of measurement. */
export type Samples = readonly number[];

export interface InterleaveOptions {
  /** Measured rounds. */
  readonly rounds: number;
  /** Rounds before the measured ones. */
  readonly warmUpRounds: number;
  readonly signal: AbortSignal;
}

/**
 * Times each case once a round, one after the other, so that whatever disturbs the machine disturbs them all. The order
 * turns around from round to round.
 */
export async function measureInterleaved<Name extends string>(
  cases: Readonly<Record<Name, () => Promise<unknown>>>,
  { rounds, warmUpRounds, signal }: InterleaveOptions,
): Promise<ReadonlyMap<string, Samples>> {
  const entries: readonly [string, () => Promise<unknown>][] = Object.entries(cases);
  const samples = new Map<string, number[]>(entries.map(([name]) => [name, []]));
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    for (const [name, run] of round % 2 === 0 ? entries : entries.toReversed()) {
      signal.throwIfAborted();
      const startedAt = performance.now();
      await run();
      if (round >= 0) samples.get(name)?.push(performance.now() - startedAt);
    }
  }
  return samples;
}

/** The value below which that share of the samples lies. @param share from 0 to 1 */
export function percentile(samples: Samples, share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(Math.floor(share * sorted.length), sorted.length - 1)] ?? Number.NaN;
}
