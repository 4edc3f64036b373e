import type { JsonObject } from './json.ts';
import { formatMoney } from './money.ts';
import { isFinal, type Approved, type FinalRefundOutcome, type InquiryOutcome } from './provider-outcome.ts';

/** `failed`: the provider refused the refund. `unfounded`: the provider had charged nothing after all. */
export const STRAY_CHARGE_STATUSES = ['pending', 'reversed', 'failed', 'unfounded'] as const;
export type StrayChargeStatus = (typeof STRAY_CHARGE_STATUSES)[number];

/** How a stray charge was reversed. */
export const REVERSALS = ['void', 'refund', 'hand'] as const;

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
  /** `returned`: support staff have returned the money by hand. */
  | { readonly kind: 'voided' | 'refunded' | 'returned'; readonly money: StrayMoney }
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
  /** A hold is voided, captured money is refunded; where the provider does neither, it is returned by hand. */
  readonly reversedBy: (typeof REVERSALS)[number];
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
