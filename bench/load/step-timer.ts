/** Times the consecutive steps of one unit of work. */
export interface StepTimer {
  /** Ends the current step; the next one begins. */
  endStep(step: string): void;
  readonly durations: ReadonlyMap<string, number>;
}

/** @param startedAtMs by the clock of `performance.now()` */
export function startStepTimer(startedAtMs: number): StepTimer {
  const durations = new Map<string, number>();
  let lastMs = startedAtMs;
  return {
    durations,
    endStep(step) {
      const nowMs = performance.now();
      durations.set(step, nowMs - lastMs);
      lastMs = nowMs;
    },
  };
}
