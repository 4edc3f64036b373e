/** Times the steps of one piece of work, one after the other. */
export interface StepTimer {
  /** Ends the step that began with the last one's end. */
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
