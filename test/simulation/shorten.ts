import type { FaultLevel, Schedule } from './schedule.ts';

/** What was left out of a schedule, by which it can be repeated. */
export interface LeftOut {
  /** The places of actions in the schedule of the seed, from 0. */
  readonly actions: readonly number[];
  readonly faults: readonly (keyof FaultLevel)[];
}

export const NOTHING: LeftOut = { actions: [], faults: [] };

/** A schedule without some of its actions and faults. */
export function without(schedule: Schedule, { actions, faults }: LeftOut): Schedule {
  return {
    ...schedule,
    actions: schedule.actions.filter((_, index) => !actions.includes(index)),
    faults: { ...schedule.faults, ...Object.fromEntries(faults.map((name) => [name, 0])) },
  };
}

/**
 * Leaves out what a failure does not need: each fault and each action whose absence leaves the failure.
 * @param fails whether a schedule still fails in the same way
 */
export async function shorten(schedule: Schedule, fails: (candidate: Schedule) => Promise<boolean>): Promise<LeftOut> {
  let leftOut = NOTHING;
  const tryWith = async (candidate: LeftOut): Promise<boolean> => {
    if (!(await fails(without(schedule, candidate)))) return false;
    leftOut = candidate;
    return true;
  };
  for (const name of Object.keys(schedule.faults) as (keyof FaultLevel)[]) {
    if (schedule.faults[name] > 0) await tryWith({ ...leftOut, faults: [...leftOut.faults, name] });
  }
  for (let hasShortened = true; hasShortened;) {
    hasShortened = false;
    for (let index = schedule.actions.length - 1; index >= 0; index -= 1) {
      if (leftOut.actions.includes(index)) continue;
      if (await tryWith({ ...leftOut, actions: [...leftOut.actions, index] })) hasShortened = true;
    }
  }
  return leftOut;
}

/** What a violation is about, without its ids and numbers. */
export function kindOf(violation: string): string {
  return violation.split('\n')[0]?.replaceAll(/att_\w+|pi_\w+|\d+/g, '…') ?? '';
}
