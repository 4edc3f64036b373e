import type { Settings } from '../config/read-variables.ts';
import type { Stack } from '../sandbox/stack/stack.ts';
import type { TemporaryStackOptions } from '../sandbox/stack/temporary-stack.ts';

/** The context of a benchmark. Everything that it starts is stopped, and its data is removed, when it ends. */
export interface Bench {
  /** Starts an engine on free ports with empty data. `overrides` replace its settings, `plan` its processes. */
  startEngine(overrides?: Settings, plan?: TemporaryStackOptions['plan']): Promise<Stack>;
  /** Prints a line of progress. */
  report(line: string): void;
  /** Sizes from the command line (`--intents 50000`), which replace a benchmark's defaults. */
  readonly sizes: Partial<Readonly<Record<Size, number>>>;
  /**
   * Keeps figures of what is measured so far: if the time is over before the benchmark is done, they are its result. Those of the
   * same thing replace earlier ones.
   */
  keep(figures: readonly Figure[]): void;
  /** Aborted when the time is over. */
  readonly signal: AbortSignal;
}

/** The sizes that the command line can set; each benchmark uses some of them. */
export const SIZES = ['rows', 'intents', 'sockets', 'clients', 'turns', 'seconds', 'percent'] as const;
export type Size = (typeof SIZES)[number];

/** A measured number, or the ratio of two numbers that were measured alternately in one run. */
export interface Figure {
  readonly what: string;
  /** The condition, where there are several; each condition is a column of the table. */
  readonly at?: string;
  readonly value: number;
  /** `ms`, `/s`, `MB`, or `×` for a ratio. */
  readonly unit: string;
  /** The bounds of the value, if it has bounds. */
  readonly atMost?: number;
  readonly atLeast?: number;
  /** The lowest and the highest of the pairs whose median the value is. Where they differ too much, nothing is said about the bounds. */
  readonly pairs?: readonly [lowest: number, highest: number];
}

export type Benchmark = (bench: Bench) => Promise<readonly Figure[]>;
