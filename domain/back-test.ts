import type { ApprovalRate } from './approval-order.ts';

/** A payment that was made, and where a set of routes would have sent it. */
export interface ReplannedPayment {
  readonly currency: string;
  /** The provider of its first attempt. */
  readonly provider: string;
  /** Whether that attempt was approved. */
  readonly isApproved: boolean;
  /** Whether that attempt counts for or against its provider. */
  readonly isRated: boolean;
  /** The provider to which it would go first; null where it would be refused. */
  readonly proposed: string | null;
  /** The error with which it would be refused; null where it would not be. */
  readonly refusal: string | null;
}

/** What the back-test of a set of routes finds out. */
export interface BackTestFigures {
  readonly payments: number;
  readonly approved: number;
  /** A payment that stays counts as it ended, one that moves by the approval rate of its new provider. */
  readonly expectedApproved: number;
  /** Payments that would move to a provider without a known rate. */
  readonly unrated: number;
  readonly providers: readonly BackTestedProvider[];
  readonly moves: readonly { readonly from: string; readonly to: string; readonly payments: number }[];
  readonly refusals: readonly { readonly code: string; readonly payments: number }[];
}

interface BackTestedProvider {
  readonly provider: string;
  readonly actualPayments: number;
  readonly proposedPayments: number;
  /** From 0 to 1; null below `MINIMUM_RATED`. */
  readonly approvalRate: number | null;
  readonly attempts: number;
}

type RatedPayment = Pick<ReplannedPayment, 'currency' | 'provider' | 'isApproved' | 'isRated'>;

/** Attempts below which a rate says nothing. */
export const MINIMUM_RATED = 10;

/** The approval rates of first attempts: of each provider, and of each in each currency. */
export function measuredRates(payments: readonly RatedPayment[]): readonly ApprovalRate[] {
  const counts = new Map<string, { provider: string; currency: string; approved: number; attempts: number }>();
  for (const { provider, currency, isApproved } of payments.filter(({ isRated }) => isRated)) {
    for (const each of ['', currency]) {
      const key = `${each}:${provider}`;
      const count = counts.get(key) ?? { provider, currency: each, approved: 0, attempts: 0 };
      counts.set(key, { ...count, approved: count.approved + (isApproved ? 1 : 0), attempts: count.attempts + 1 });
    }
  }
  return [...counts.values()].map(({ provider, currency, approved, attempts }) => ({
    provider,
    currency,
    country: '',
    approvalRate: approved / attempts,
    attempts,
  }));
}

/** Adds up where payments went and would go. @param rates as `measuredRates` has them */
export function backTestFigures(
  payments: readonly ReplannedPayment[],
  rates: readonly ApprovalRate[],
): BackTestFigures {
  const expected = payments.map((payment) => chanceOfApproval(payment, rates));
  const names = new Set(
    payments.flatMap(({ provider, proposed }) => [provider, ...(proposed === null ? [] : [proposed])]),
  );
  return {
    payments: payments.length,
    approved: payments.filter(({ isApproved }) => isApproved).length,
    expectedApproved: expected.reduce<number>((sum, chance) => sum + (chance ?? 0), 0),
    unrated: expected.filter((chance) => chance === null).length,
    providers: [...names]
      .map((provider) => figuresOf(provider, payments, rates))
      .sort((a, b) => b.proposedPayments - a.proposedPayments || b.actualPayments - a.actualPayments),
    moves: counted(
      payments.flatMap(({ provider: from, proposed: to }) => (to === null || to === from ? [] : [{ from, to }])),
      ({ from, to }) => `${from} ${to}`,
    ),
    refusals: counted(
      payments.flatMap(({ refusal }) => (refusal === null ? [] : [{ code: refusal }])),
      ({ code }) => code,
    ),
  };
}

/** From 0 to 1; null where nothing is known of it. */
function chanceOfApproval(
  { provider, proposed, currency, isApproved }: ReplannedPayment,
  rates: readonly ApprovalRate[],
): number | null {
  if (proposed === null) return 0;
  if (proposed === provider) return isApproved ? 1 : 0;
  return (rateOf(rates, proposed, currency) ?? rateOf(rates, proposed, ''))?.approvalRate ?? null;
}

function rateOf(rates: readonly ApprovalRate[], provider: string, currency: string): ApprovalRate | undefined {
  return rates.find(
    (rate) => rate.provider === provider && rate.currency === currency && rate.attempts >= MINIMUM_RATED,
  );
}

function figuresOf(
  provider: string,
  payments: readonly ReplannedPayment[],
  rates: readonly ApprovalRate[],
): BackTestedProvider {
  return {
    provider,
    actualPayments: payments.filter((payment) => payment.provider === provider).length,
    proposedPayments: payments.filter(({ proposed }) => proposed === provider).length,
    approvalRate: rateOf(rates, provider, '')?.approvalRate ?? null,
    attempts: rates.find((rate) => rate.provider === provider && rate.currency === '')?.attempts ?? 0,
  };
}

/** Each different item with how often it is there, the most frequent first. */
function counted<Item extends object>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): readonly (Item & { readonly payments: number })[] {
  const counts = new Map<string, Item & { payments: number }>();
  for (const item of items) {
    const known = counts.get(keyOf(item));
    counts.set(keyOf(item), { ...item, payments: (known?.payments ?? 0) + 1 });
  }
  return [...counts.values()].sort((a, b) => b.payments - a.payments);
}
