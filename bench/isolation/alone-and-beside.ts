import type { Figure } from '../benchmark.ts';
import { percentile, type Samples } from '../interleave.ts';

/** What is measured in turns: while nothing else happens, and beside the trouble of another merchant. */
export type Condition = 'alone' | 'beside';

export interface Comparison {
  readonly what: string;
  readonly samples: Readonly<Record<Condition, Samples>>;
  /** Of p99 beside ÷ p99 alone. */
  readonly atMost: number;
}

/** The percentiles of both conditions, and the ratio of their p99. */
export function figuresOfComparison({ what, samples, atMost }: Comparison): Figure[] {
  const of = (condition: Condition, share: number): number => percentile(samples[condition], share);
  const columns = (['alone', 'beside'] as const).flatMap((at) => [
    { what: `${what}, p50`, at, value: of(at, 0.5), unit: 'ms' },
    { what: `${what}, p99`, at, value: of(at, 0.99), unit: 'ms' },
    { what: `${what}, samples`, at, value: samples[at].length, unit: '' },
  ]);
  const ratio = (share: number): number => of('beside', share) / of('alone', share);
  return [
    ...columns,
    { what: `${what}: p50 beside ÷ alone`, value: ratio(0.5), unit: '×' },
    { what: `${what}: p99 beside ÷ alone`, value: ratio(0.99), unit: '×', atMost },
  ];
}
