import type { Settings } from '../config/read-variables.ts';
import type { Stack } from '../sandbox/stack/stack.ts';

/** What a benchmark is given. Everything it starts is stopped, and its data removed, when it ends. */
export interface Bench {
  /** Starts an engine of its own, on free ports with empty data; variables that are given win over its own. */
  startEngine(overrides?: Settings): Promise<Stack>;
  /** A line for the person at the keyboard. */
  report(line: string): void;
  /** What was asked for in place of a benchmark's own default (`--intents 50000`). */
  readonly sizes: Partial<Readonly<Record<Size, number>>>;
  /** Aborted when the time is up. */
  readonly signal: AbortSignal;
}

/** What a benchmark can be made smaller or larger by; each says itself what it takes. */
export const SIZES = ['rows', 'intents', 'sockets', 'clients', 'turns', 'seconds'] as const;
export type Size = (typeof SIZES)[number];

/** One number that was measured, or a ratio of two that were measured in turns in one run. */
export interface Figure {
  readonly what: string;
  /** Under which conditions, where there are several; each is a column of the table. */
  readonly at?: string;
  readonly value: number;
  /** `ms`, `/s`, `MB`, or `×` for a ratio. */
  readonly unit: string;
  /** The promises that the value is held to, where there are some. */
  readonly atMost?: number;
  readonly atLeast?: number;
}

export type Benchmark = (bench: Bench) => Promise<readonly Figure[]>;
