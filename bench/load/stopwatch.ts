/** Times the steps of one piece of work, one after the other. */
export interface Stopwatch {
  /** Ends the step that began with the last one's end. */
  lap(step: string): void;
  readonly laps: ReadonlyMap<string, number>;
}

/** @param startedAtMs by the clock of `performance.now()` */
export function startStopwatch(startedAtMs: number): Stopwatch {
  const laps = new Map<string, number>();
  let lastMs = startedAtMs;
  return {
    laps,
    lap(step) {
      const nowMs = performance.now();
      laps.set(step, nowMs - lastMs);
      lastMs = nowMs;
    },
  };
}
