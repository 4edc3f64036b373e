import type { JsonObject } from './json.ts';
import { formatMoney } from './money.ts';
import type { NewEvent, PaymentStep, TimelineEntry } from './payment-step.ts';
import { isFinal, type Approved, type FinalRefundOutcome, type InquiryOutcome } from './provider-outcome.ts';

/** `failed`: the provider refused the refund. `unfounded`: the provider had charged nothing after all. */
export type StrayChargeStatus = 'pending' | 'reversed' | 'failed' | 'unfounded';

/** The code by which support staff find a stray charge that its provider refuses to refund. */
export const STRAY_CHARGE_NOT_REVERSED = 'STRAY_CHARGE_NOT_REVERSED';

/** The alert with which logs report a stray charge. */
export const STRAY_CHARGE_ALERT = 'STRAY_CHARGE';

/** The attempt that was charged although it had ended without a charge. */
export interface StrayAttempt {
  readonly attemptId: string;
  readonly attemptNumber: number;
  readonly provider: string;
}

/** Money as the provider reports it, which may differ from the requested amount. */
export interface StrayMoney {
  readonly providerPaymentId: string;
  readonly amountMinor: number;
  readonly currency: string;
}

/** What the provider did for the attempt, from its answer to an inquiry. */
export type StrayCharge =
  | ({ readonly kind: 'captured' } & StrayMoney)
  | ({ readonly kind: 'held' } & StrayMoney)
  /** A hold that the provider has released. */
  | ({ readonly kind: 'voided' } & StrayMoney)
  /** The attempt is still under way and has to be closed. */
  | { readonly kind: 'open' }
  | { readonly kind: 'nothing' };

/** A stray charge of which the provider holds nothing any more. */
export type ClosedStrayCharge = Exclude<StrayCharge, { readonly kind: 'held' | 'open' }>;

/** How the reversal of a stray charge ended. */
export type StrayChargeEnd =
  | { readonly kind: 'voided' | 'refunded'; readonly money: StrayMoney }
  | { readonly kind: 'refused'; readonly money: StrayMoney; readonly details: JsonObject }
  | { readonly kind: 'unfounded' };

/** The end as the row of the stray charge keeps it. */
export interface StrayChargeChange {
  readonly attemptId: string;
  readonly status: Exclude<StrayChargeStatus, 'pending'>;
  /** Null where nothing was charged. */
  readonly money: StrayMoney | null;
}

/** The payload of the event about a reversed stray charge. */
export interface ReversedStrayCharge {
  readonly attemptId: string;
  readonly provider: string;
  /** In minor units. */
  readonly amount: number;
  readonly currency: string;
  /** A hold is voided, captured money is refunded. */
  readonly reversedBy: 'void' | 'refund';
}

/** The result of a stray charge's workflow. */
export interface StrayChargeResult {
  readonly status: StrayChargeChange['status'];
  /** Null where nothing was charged. */
  readonly amountMinor: number | null;
  readonly currency: string | null;
}

/** Translates the outcome of an inquiry or a closure. */
export function strayChargeOf(outcome: InquiryOutcome): StrayCharge {
  if (!isFinal(outcome)) return { kind: 'open' };
  if (outcome.kind === 'approved') {
    return outcome.captured ? { kind: 'captured', ...capturedMoney(outcome) } : { kind: 'held', ...moneyOf(outcome) };
  }
  const voided = outcome.kind === 'not_charged' ? outcome.voided : undefined;
  return voided === undefined ? { kind: 'nothing' } : { kind: 'voided', ...moneyOf(voided) };
}

function capturedMoney(outcome: Approved): StrayMoney {
  return { ...moneyOf(outcome), amountMinor: outcome.capturedMinor ?? outcome.amountMinor };
}

function moneyOf({ providerPaymentId, amountMinor, currency }: StrayMoney): StrayMoney {
  return { providerPaymentId, amountMinor, currency };
}

/** The stray charge as the timeline shows it. */
export function describeStrayCharge(charge: StrayCharge): string {
  switch (charge.kind) {
    case 'nothing':
      return 'nothing charged';
    case 'open':
      return 'still under way';
    default:
      return `${formatMoney(charge.amountMinor, charge.currency)} ${charge.kind}`;
  }
}

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

/**
 * The end of a stray charge of which nothing was captured and nothing is held any more.
 * @param hasVoided whether the reversal may have voided the hold; otherwise the hold was voided before the report came
 */
export function endWithoutRefund(
  charge: Exclude<ClosedStrayCharge, { readonly kind: 'captured' }>,
  hasVoided: boolean,
): StrayChargeEnd {
  return charge.kind === 'voided' && hasVoided ? { kind: 'voided', money: moneyOf(charge) } : { kind: 'unfounded' };
}

/** The end of a stray charge whose captured money was to be refunded. */
export function endOfRefund(
  captured: StrayMoney,
  outcome: FinalRefundOutcome,
  unrecognised: JsonObject | null,
): StrayChargeEnd {
  const money = moneyOf(captured);
  if (outcome.kind === 'refunded') return { kind: 'refunded', money };
  const reason = outcome.kind === 'refused' ? outcome.details : undefined;
  return {
    kind: 'refused',
    money,
    details: reason ?? (unrecognised === null ? {} : { providerResponse: unrecognised }),
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
  refused: 'failed',
  unfounded: 'unfounded',
};

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
    case 'refused':
      return `Stray charge not reversed: ${provider} refuses to refund ${amount} of attempt ${attemptNumber} (${STRAY_CHARGE_NOT_REVERSED}); somebody has to return it by hand`;
  }
}

function detailsOf(end: StrayChargeEnd): Pick<TimelineEntry, 'details'> {
  return end.kind === 'refused' ? { details: end.details } : {};
}

function eventsOf({ attemptId, provider }: StrayAttempt, end: StrayChargeEnd): readonly NewEvent[] {
  if (end.kind !== 'voided' && end.kind !== 'refunded') return [];
  const { amountMinor: amount, currency } = end.money;
  const reversedBy = end.kind === 'voided' ? 'void' : 'refund';
  return [
    {
      type: 'payment_intent.stray_charge_reversed',
      strayCharge: { attemptId, provider, amount, currency, reversedBy },
    },
  ];
}
