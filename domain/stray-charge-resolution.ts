import type { JsonObject } from './json.ts';
import { formatMoney } from './money.ts';
import type { NewEvent, PaymentStep, TimelineEntry } from './payment-step.ts';
import {
  STRAY_CHARGE_NOT_REVERSED,
  type StrayAttempt,
  type StrayChargeChange,
  type StrayChargeEnd,
  type StrayChargeResult,
  type StrayMoney,
} from './stray-charge.ts';

/** The first timeline entry of a stray charge. */
export function reportedEntry({ attemptNumber, provider }: StrayAttempt): TimelineEntry {
  const summary = `Stray charge: ${provider} reports that it charged attempt ${attemptNumber}, which had ended without a charge`;
  return { kind: 'provider_event', summary };
}

/** The timeline entry of a further run, which repeats what the previous run may have done. */
export function takeoverEntry(endedAs: string): TimelineEntry {
  return {
    kind: 'decision',
    summary: `The reversal of the stray charge had ended (${endedAs}); another run repeats it`,
  };
}

/** The step that ends a stray charge: timeline entry, row and, where it was reversed, an event. Pure. */
export function resolveStrayCharge(attempt: StrayAttempt, end: StrayChargeEnd): PaymentStep {
  return {
    timeline: [{ kind: 'decision', summary: describeEnd(attempt, end), ...detailsOf(end) }],
    events: eventsOf(attempt, end),
    strayCharge: strayChargeChange(attempt, end),
  };
}

/** The step that follows where the provider's refund had succeeded and has failed after all. Pure. */
export function failReversal(
  { attemptId, attemptNumber, provider }: StrayAttempt,
  money: StrayMoney,
  details: JsonObject,
): PaymentStep {
  const amount = formatMoney(money.amountMinor, money.currency);
  const summary = `Stray charge not reversed: the refund of ${amount} of attempt ${attemptNumber} had succeeded, and has failed after all at ${provider} (${STRAY_CHARGE_NOT_REVERSED}); somebody has to return it by hand`;
  return {
    timeline: [{ kind: 'provider_event', summary, details }],
    strayCharge: { attemptId, status: 'failed', money },
  };
}

/** The end as recorded. */
function strayChargeChange({ attemptId }: Pick<StrayAttempt, 'attemptId'>, end: StrayChargeEnd): StrayChargeChange {
  return { attemptId, status: STATUS_OF[end.kind], money: end.kind === 'unfounded' ? null : end.money };
}

/** The end as the workflow's result. */
export function strayChargeResult(end: StrayChargeEnd): StrayChargeResult {
  const { amountMinor, currency } = end.kind === 'unfounded' ? NO_MONEY : end.money;
  return { status: STATUS_OF[end.kind], amountMinor, currency };
}

const NO_MONEY = { amountMinor: null, currency: null } as const;

const STATUS_OF: Readonly<Record<StrayChargeEnd['kind'], StrayChargeChange['status']>> = {
  voided: 'reversed',
  refunded: 'reversed',
  returned: 'reversed',
  refused: 'failed',
  unfounded: 'unfounded',
};

/** The end as the timeline and support staff see it. */
export function describeEnd({ attemptNumber, provider }: StrayAttempt, end: StrayChargeEnd): string {
  if (end.kind === 'unfounded') {
    return `Nothing to reverse: ${provider} holds and captured nothing of attempt ${attemptNumber}`;
  }
  const amount = formatMoney(end.money.amountMinor, end.money.currency);
  switch (end.kind) {
    case 'voided':
      return `Stray charge reversed: the hold of ${amount} of attempt ${attemptNumber} is voided at ${provider}`;
    case 'refunded':
      return `Stray charge reversed: ${amount} of attempt ${attemptNumber} is refunded at ${provider}`;
    case 'returned':
      return `Stray charge returned by hand: ${amount} of attempt ${attemptNumber} at ${provider}`;
    case 'refused':
      return `Stray charge not reversed: ${provider} refuses to refund ${amount} of attempt ${attemptNumber} (${STRAY_CHARGE_NOT_REVERSED}); somebody has to return it by hand`;
  }
}

function detailsOf(end: StrayChargeEnd): Pick<TimelineEntry, 'details'> {
  return end.kind === 'refused' ? { details: end.details } : {};
}

const REVERSED_BY = { voided: 'void', refunded: 'refund', returned: 'hand' } as const;

function eventsOf({ attemptId, provider }: StrayAttempt, end: StrayChargeEnd): readonly NewEvent[] {
  if (end.kind === 'unfounded' || end.kind === 'refused') return [];
  const { amountMinor: amount, currency } = end.money;
  const reversedBy = REVERSED_BY[end.kind];
  return [
    {
      type: 'payment_intent.stray_charge_reversed',
      strayCharge: { attemptId, provider, amount, currency, reversedBy },
    },
  ];
}
