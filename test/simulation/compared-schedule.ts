import { createRandom, type Random } from '../../chaos/random.ts';
import type { CaptureMethod } from '../../domain/payment.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import {
  approved,
  authorized,
  declined,
  fraud,
  notCharged,
  outage,
  pending,
  redirect,
  taken,
} from '../support/outcomes.ts';
import type { ProviderScript } from '../support/scripted-provider.ts';

/** What one step of a compared schedule does; the time after it is long enough for all that follows at once. */
export type ComparedStep =
  | { readonly kind: 'confirm' | 'capture' | 'cancel'; readonly operationId: string }
  | { readonly kind: 'wait'; readonly forMs: number }
  | { readonly kind: 'read_again' | 'temporal_cancel' | 'terminate_and_take_over' };

/** A schedule without chance: the same on the model of Temporal and on a server. */
export interface ComparedSchedule {
  readonly seed: number;
  readonly captureMethod: CaptureMethod;
  readonly attemptBudget: number;
  readonly scripts: Readonly<Record<string, ProviderScript>>;
  readonly steps: readonly ComparedStep[];
}

/** Longer than what is done at once, shorter than the next timer. */
export const SETTLE_MS = 700;
/** Then every payment has ended: a hold lapses after a week. */
export const COMPARED_END_MS = 9 * DAY_MS;

const WAITS = [20 * SECOND_MS, 3 * MINUTE_MS, 11 * MINUTE_MS];

/** The compared schedule of a seed. */
export function comparedScheduleOf(seed: number): ComparedSchedule {
  const random = createRandom(seed).fork('compared');
  const captureMethod = random.chance(0.4) ? 'manual' : 'automatic';
  const scripts = { alpha: scriptOf(random, captureMethod), beta: scriptOf(random, captureMethod) };
  const steps: ComparedStep[] = [{ kind: 'confirm', operationId: 'confirm_1' }];
  const count = random.between(1, 6);
  for (let number = 2; number <= count; number += 1) steps.push(stepOf(random, number, captureMethod));
  return { seed, captureMethod, attemptBudget: random.between(1, 4), scripts, steps };
}

function stepOf(random: Random, number: number, captureMethod: CaptureMethod): ComparedStep {
  const choice = random.next();
  if (choice < 0.35) return { kind: 'wait', forMs: random.pick(WAITS) };
  if (choice < 0.55) return { kind: 'confirm', operationId: `confirm_${number}` };
  if (choice < 0.7)
    return { kind: captureMethod === 'manual' ? 'capture' : 'cancel', operationId: `operation_${number}` };
  if (choice < 0.78) return { kind: 'cancel', operationId: `cancel_${number}` };
  if (choice < 0.86) return { kind: 'read_again' };
  return { kind: choice < 0.93 ? 'temporal_cancel' : 'terminate_and_take_over' };
}

function scriptOf(random: Random, captureMethod: CaptureMethod): ProviderScript {
  const charged = captureMethod === 'manual' ? authorized : approved;
  return {
    authorize: random.pick([[charged], [declined], [fraud], [pending], [redirect], [outage], [outage, charged]]),
    inquire: random.pick([
      [notCharged],
      [charged],
      [pending, pending, charged],
      [outage, outage, notCharged],
      [declined],
    ]),
    close: random.pick([[notCharged], [outage, notCharged]]),
    capture: random.pick([[taken(charged.amountMinor)], [outage, taken(charged.amountMinor)], [{ kind: 'not_held' }]]),
  };
}
