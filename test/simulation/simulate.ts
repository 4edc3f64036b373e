import { BREAKAGES, type BreakageName } from './breakages.ts';
import { type Schedule, scheduleOf } from './schedule.ts';
import { kindOf, type LeftOut, NOTHING, shorten, without } from './shorten.ts';
import { ACTIVITY_NAMES, type Breakage, Simulation } from './simulation.ts';
import { createWorkflowRuntime, type WorkflowRuntime } from './workflow-runtime.ts';

/** A seed whose schedule violates what the engine promises. */
export interface Finding {
  readonly seed: number;
  readonly violations: readonly string[];
}

export interface SimulationRun {
  readonly firstSeed: number;
  readonly seeds: number;
  /** Null for the engine as it is. */
  readonly breakage?: BreakageName | null;
  /** Stops at the first finding. */
  readonly stopsAtFirst?: boolean;
  readonly onProgress?: (done: number) => void;
}

export interface SimulationResult {
  /** The seeds that failed, in order. */
  readonly findings: readonly Finding[];
  /** How many payments ended in each state. */
  readonly ends: Readonly<Record<string, number>>;
  /** How many refunds and stray charges ended in each state. */
  readonly returns: Readonly<Record<string, number>>;
}

/** Runs schedules one after the other in this process. */
export class Simulator {
  readonly #runtime: WorkflowRuntime = createWorkflowRuntime(ACTIVITY_NAMES);

  async run(run: SimulationRun): Promise<SimulationResult> {
    const { firstSeed, seeds, breakage = null, stopsAtFirst = false, onProgress } = run;
    const findings: Finding[] = [];
    const ends: Record<string, number> = {};
    const returns: Record<string, number> = {};
    for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) {
      const { violations, status, moneyBack } = await this.simulate(scheduleOf(seed), breakage);
      count(ends, status);
      for (const end of moneyBack.ends) count(returns, end);
      if (violations.length > 0) findings.push({ seed, violations });
      if (violations.length > 0 && stopsAtFirst) break;
      onProgress?.(seed - firstSeed + 1);
    }
    return { findings, ends, returns };
  }

  async simulate(schedule: Schedule, breakage: BreakageName | null = null, keepsTrace = false): Promise<Simulation> {
    const broken: Breakage = breakage === null ? {} : BREAKAGES[breakage];
    const simulation = new Simulation(schedule, this.#runtime, { breakage: broken, keepsTrace });
    await simulation.run();
    return simulation;
  }

  /** Finds the least of a seed's schedule that still fails in the same way. */
  shorten({ seed, violations: [first = ''] }: Finding, breakage: BreakageName | null = null): Promise<LeftOut> {
    const kind = kindOf(first);
    return shorten(scheduleOf(seed), async (candidate) => {
      const { violations } = await this.simulate(candidate, breakage);
      return violations.some((violation) => kindOf(violation) === kind);
    });
  }

  /** Repeats a seed and keeps a line for each thing that happens. */
  async explain(seed: number, leftOut: LeftOut = NOTHING, breakage: BreakageName | null = null): Promise<Simulation> {
    return this.simulate(without(scheduleOf(seed), leftOut), breakage, true);
  }
}

function count(counts: Record<string, number>, what: string): void {
  counts[what] = (counts[what] ?? 0) + 1;
}
