import { messageOf } from '../../domain/message-of.ts';

/** What is wrong, and how to mend it, each in one sentence. */
export interface Finding {
  /** `failed`: payments stop or will. `warning`: they are slow, or something may be wrong. */
  readonly severity: 'failed' | 'warning';
  readonly problem: string;
  readonly mending: string;
}

/** One thing that may be wrong with an installation. */
export interface Check<Place> {
  /** What holds where nothing is found, such as `Every migration is applied`. */
  readonly title: string;
  /** @returns null where it holds; it throws where it cannot find out */
  look(place: Place): Promise<Finding | null>;
}

/** The result of a check. */
export interface CheckResult {
  readonly title: string;
  readonly finding: Finding | null;
}

export function failed(problem: string, mending: string): Finding {
  return { severity: 'failed', problem, mending };
}

export function warning(problem: string, mending: string): Finding {
  return { severity: 'warning', problem, mending };
}

/** Runs checks one after the other, so that each has the servers for itself. A check that cannot find out is a warning. */
export async function runChecks<Place>(checks: readonly Check<Place>[], place: Place): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const { title, look } of checks) {
    const finding = await look(place).catch((error: unknown) =>
      warning(
        `It could not be found out (${messageOf(error)})`,
        'Mend what is named before it, then run the check again.',
      ),
    );
    results.push({ title, finding });
  }
  return results;
}
