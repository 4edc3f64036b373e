import { createRandom, type Random } from '../../chaos/random.ts';
import type { CaptureMethod } from '../../domain/payment.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/time.ts';

/** What clients, customers, operators and faults do. */
export type Action = { readonly atMs: number } & (
  | { readonly kind: 'confirm' | 'capture' | 'cancel' | 'update'; readonly operation: string }
  | { readonly kind: 'customer_acts' }
  | { readonly kind: 'read_again' | 'temporal_cancel' | 'temporal_terminate' | 'server_restarts' }
  | { readonly kind: 'temporal_reset'; readonly place: number }
  | { readonly kind: 'worker_paused' | 'worker_killed'; readonly worker: number; readonly forMs: number }
  | { readonly kind: 'workers_away' | 'database_away'; readonly forMs: number }
  | { readonly kind: 'provider_away'; readonly provider: string; readonly forMs: number }
  | { readonly kind: 'route_off'; readonly provider: string; readonly forMs: number }
  | { readonly kind: 'merchant_suspended'; readonly forMs: number }
  /** Two people say, one after the other, that an attempt or a hold was not charged. */
  | { readonly kind: 'resolved_by_hand' }
  /** Null for all that is left. */
  | { readonly kind: 'refund'; readonly refundId: string; readonly amountMinor: number | null }
  /** A provider charges a key of which it has said that nothing was charged. */
  | { readonly kind: 'charged_after_all'; readonly provider: string }
  /** An operator ends or resets what returns money. */
  | { readonly kind: 'money_back_disturbed'; readonly how: 'terminate' | 'cancel' | 'reset'; readonly place: number }
);

/** The probabilities of faults that may strike anywhere, from 0 to 1 of their usual size. */
export interface FaultLevel {
  readonly network: number;
  readonly database: number;
  readonly temporal: number;
}

/** One schedule: everything that a run depends on. */
export interface Schedule {
  readonly seed: number;
  readonly captureMethod: CaptureMethod;
  readonly attemptBudget: number;
  readonly expiresInMs: number;
  readonly faults: FaultLevel;
  readonly actions: readonly Action[];
}

export const PROVIDERS = ['alpha', 'beta'] as const;
/** How long after a request its confirm may begin, and its further attempts may. */
export const BEGIN_WITHIN_MS = 20 * SECOND_MS;
export const FAIL_OVER_WITHIN_MS = 2 * MINUTE_MS;
/** When faults stop and everything is repaired. */
export const QUIET_AFTER_MS = 20 * MINUTE_MS;
/** By then a payment must have ended: a hold lapses after a week. */
export const HORIZON_MS = 10 * DAY_MS;

/** The schedule of a seed. */
export function scheduleOf(seed: number): Schedule {
  const random = createRandom(seed).fork('schedule');
  const captureMethod = random.chance(0.35) ? 'manual' : 'automatic';
  const expiresInMs = random.pick([MINUTE_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 10 * MINUTE_MS]);
  const level = (): number => (random.chance(0.4) ? 0 : random.next());
  const actions = [
    ...clientActions(random, captureMethod, expiresInMs),
    ...disturbances(random, expiresInMs),
    ...moneyBack(createRandom(seed).fork('money back'), seed),
  ];
  return {
    seed,
    captureMethod,
    attemptBudget: random.between(1, 4),
    expiresInMs,
    faults: { network: level(), database: level(), temporal: level() },
    actions: actions.sort((a, b) => a.atMs - b.atMs),
  };
}

function clientActions(random: Random, captureMethod: CaptureMethod, expiresInMs: number): Action[] {
  const confirmAtMs = random.chance(0.8)
    ? random.between(0, 5 * SECOND_MS)
    : random.between(0, expiresInMs + MINUTE_MS);
  const actions: Action[] = [{ atMs: confirmAtMs, kind: 'confirm', operation: 'confirm_1' }];
  let atMs = confirmAtMs;
  for (let number = 2; random.chance(0.5) && number < 6; number += 1) {
    atMs = random.chance(0.3) ? atMs + random.between(0, 50) : atMs + random.between(SECOND_MS, 90 * SECOND_MS);
    actions.push({ atMs, kind: 'confirm', operation: `confirm_${number}` });
  }
  if (random.chance(0.2)) actions.push({ atMs: nearby(random, confirmAtMs), kind: 'update', operation: 'update_1' });
  if (random.chance(0.25)) actions.push({ atMs: nearby(random, confirmAtMs), kind: 'cancel', operation: 'cancel_1' });
  if (captureMethod === 'manual' && random.chance(0.8)) {
    actions.push({
      atMs: confirmAtMs + random.between(SECOND_MS, 5 * MINUTE_MS),
      kind: 'capture',
      operation: 'capture_1',
    });
    if (random.chance(0.3))
      actions.push({ atMs: nearby(random, confirmAtMs + MINUTE_MS), kind: 'capture', operation: 'capture_2' });
  }
  for (let visits = random.between(0, 3); visits > 0; visits -= 1) {
    actions.push({ atMs: confirmAtMs + random.between(SECOND_MS, expiresInMs), kind: 'customer_acts' });
  }
  return actions;
}

/** Refunds, stray charges, and what happens to their workflows. */
function moneyBack(random: Random, seed: number): Action[] {
  const actions: Action[] = [];
  let atMs = random.between(5 * SECOND_MS, 4 * MINUTE_MS);
  for (let number = 1; random.chance(0.45) && number < 5; number += 1) {
    const refundId = `re_${seed.toString(16).padStart(30, '0')}${number.toString().padStart(2, '0')}`;
    actions.push({ atMs, kind: 'refund', refundId, amountMinor: random.pick([null, 500, 1_000]) });
    atMs += random.chance(0.5) ? random.between(0, 50) : random.between(SECOND_MS, 2 * MINUTE_MS);
  }
  if (random.chance(0.1)) {
    actions.push({
      atMs: random.between(SECOND_MS, 12 * MINUTE_MS),
      kind: 'charged_after_all',
      provider: random.pick(PROVIDERS),
    });
  }
  while (random.chance(0.2)) {
    actions.push({
      atMs: random.between(10 * SECOND_MS, 10 * MINUTE_MS),
      kind: 'money_back_disturbed',
      how: random.pick(['terminate', 'cancel', 'reset']),
      place: random.next(),
    });
  }
  return actions;
}

function nearby(random: Random, atMs: number): number {
  return atMs + (random.chance(0.5) ? random.between(0, 2_000) : random.between(0, 3 * MINUTE_MS));
}

type DisturbanceOf = (random: Random, atMs: number) => Action;

const DISTURBANCES: readonly DisturbanceOf[] = [
  (random, atMs) => ({ atMs, kind: 'worker_paused', worker: random.between(0, 1), forMs: awayFor(random) }),
  (random, atMs) => ({ atMs, kind: 'worker_killed', worker: random.between(0, 1), forMs: awayFor(random) }),
  (random, atMs) => ({ atMs, kind: 'workers_away', forMs: awayFor(random) }),
  (random, atMs) => ({ atMs, kind: 'database_away', forMs: random.between(100, 90 * SECOND_MS) }),
  (random, atMs) => ({ atMs, kind: 'provider_away', provider: random.pick(PROVIDERS), forMs: awayFor(random) }),
  (random, atMs) => ({ atMs, kind: 'provider_away', provider: random.pick(PROVIDERS), forMs: awayFor(random) }),
  (random, atMs) => ({
    atMs,
    kind: 'route_off',
    provider: random.pick(PROVIDERS),
    forMs: random.pick([MINUTE_MS, HOUR_MS]),
  }),
  (random, atMs) => ({ atMs, kind: 'merchant_suspended', forMs: random.pick([30 * SECOND_MS, HOUR_MS]) }),
  (random, atMs) => ({ atMs, kind: 'temporal_reset', place: random.next() }),
  (_, atMs) => ({ atMs, kind: 'temporal_terminate' }),
  (_, atMs) => ({ atMs, kind: 'temporal_cancel' }),
  (_, atMs) => ({ atMs, kind: 'read_again' }),
  (_, atMs) => ({ atMs, kind: 'server_restarts' }),
  // Only what has waited for minutes can be resolved.
  (random, atMs) => ({ atMs: atMs + random.between(90 * SECOND_MS, 8 * MINUTE_MS), kind: 'resolved_by_hand' }),
];

function awayFor(random: Random): number {
  return random.chance(0.5) ? random.between(100, 15 * SECOND_MS) : random.between(15 * SECOND_MS, 6 * MINUTE_MS);
}

function disturbances(random: Random, expiresInMs: number): Action[] {
  const count = random.pick([0, 0, 1, 1, 2, 3, 5]);
  return Array.from({ length: count }, () => {
    const atMs = random.chance(0.7)
      ? random.between(0, 20 * SECOND_MS)
      : random.between(0, expiresInMs + 2 * MINUTE_MS);
    return random.pick(DISTURBANCES)(random, atMs);
  });
}
