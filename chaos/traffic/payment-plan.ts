import type { OperatorFaultKind } from '../faults/fault-kinds.ts';
import type { Random } from '../random.ts';
import { card, type CardName, crypto, upi, type VPAS } from '../../sandbox/test-payment-methods.ts';

/** What the merchant does once the payment has succeeded or is authorized. */
type FollowUp = 'capture' | 'capture_part' | 'cancel' | 'refund' | 'refund_part' | 'refund_twice';

/** A payment and everything that clients and operators do to it, decided before its first request. */
export interface PaymentPlan {
  /** The name of the scenario. */
  readonly scenario: string;
  /** The body of its creation, without the fields that depend on `confirmsAtCreation`. */
  readonly terms: Readonly<Record<string, unknown>> & { readonly amount: number };
  readonly paymentMethod: PaymentMethodBody;
  /** If false, a separate request confirms it, unless `isAbandoned`. */
  readonly confirmsAtCreation: boolean;
  readonly isAbandoned: boolean;
  readonly respondAsync: boolean;
  /** Changes the amount before the confirm. */
  readonly patchedAmount: number | null;
  /** Confirms again with this card if the first one was declined. */
  readonly secondCard: CardName | null;
  /** The time of the cancel after the confirm was sent; null without a cancel. */
  readonly cancelAfterMs: number | null;
  /** The settlement instruction for a payment that waits at the simulator; null lets it wait. */
  readonly settlement: { readonly outcome: 'approved' | 'declined'; readonly afterMs: number } | null;
  readonly followUp: FollowUp | null;
  /** An operator's action on the workflow, timed after the confirm or the refund was sent. */
  readonly operator: OperatorAction | null;
  /** Repeats answered requests with the same idempotency key. */
  readonly repeatsAnswered: boolean;
  /** Reads the payment between its other requests. */
  readonly reads: boolean;
}

export interface OperatorAction {
  readonly kind: OperatorFaultKind;
  readonly target: 'payment' | 'refund';
  readonly afterMs: number;
  /** The target of a reset: the first workflow task, or the last completed one. */
  readonly resetTo: 'first' | 'last';
}

/** A payment method as the body of a request contains it. */
export type PaymentMethodBody = Readonly<Record<string, unknown>>;

interface Scenario {
  readonly name: string;
  /** The share of the scenario among all payments. */
  readonly weight: number;
  /** Whether vendors take such payments as well. The others depend on what only simulators do. */
  readonly atVendors?: true;
  readonly plan: (random: Random) => Partial<PaymentPlan> & Pick<PaymentPlan, 'paymentMethod'>;
}

const EUROS = { currency: 'EUR', country: 'DE' };
const RUPEES = { currency: 'INR', country: 'IN' };
/** Their routes lead to vendors and simulators: see `createVendorAccount`. */
const VENDOR_TERMS = [
  { currency: 'USD', country: 'US' },
  { currency: 'GBP', country: 'GB' },
  { currency: 'JPY', country: 'JP' },
  { currency: 'CAD', country: 'CA' },
  RUPEES,
];
/**
 * Of these, no route leads to Adyen. A payment that is canceled before Adyen has received it stays open until support staff
 * have looked at Adyen's ledger, because Adyen refuses every cancel of it.
 */
const CANCELABLE_TERMS = VENDOR_TERMS.filter(({ currency }) => ['CAD', 'INR'].includes(currency));
/** Where banks send the customer back to. */
const RETURN_URL = 'https://shop.example/return';
const VENDOR_SHARE = 0.5;
/** Short, so that abandoned payments expire within the run. */
const EXPIRES_IN_SECONDS = { shortest: 60, longest: 90 };
const OPERATOR_SHARE = 0.12;

const byCard =
  (name: CardName, more: (random: Random) => Partial<PaymentPlan> = () => ({})): Scenario['plan'] =>
  (random) => ({ paymentMethod: card(name), ...more(random) });

const byUpi =
  (name: keyof typeof VPAS, more: (random: Random) => Partial<PaymentPlan> = () => ({})): Scenario['plan'] =>
  (random) => ({
    paymentMethod: upi(name),
    terms: { amount: amountOf(random), ...RUPEES },
    // At a vendor the customer pays by link, whatever the address.
    ...settled(random),
    ...more(random),
  });

const byCrypto =
  (scenario: string): Scenario['plan'] =>
  (random) => ({
    paymentMethod: crypto(),
    terms: { amount: amountOf(random), ...EUROS, metadata: { scenario } },
    confirmsAtCreation: false,
    patchedAmount: null,
  });

const settled = (random: Random): Partial<PaymentPlan> => ({
  settlement: { outcome: random.chance(0.7) ? 'approved' : 'declined', afterMs: random.between(200, 8_000) },
});
const held = (random: Random, followUp: FollowUp): Partial<PaymentPlan> => ({
  terms: { amount: amountOf(random), ...EUROS, captureMethod: 'manual' },
  followUp,
});
const refunded = (random: Random): Partial<PaymentPlan> => ({
  followUp: random.pick(['refund', 'refund_part', 'refund_twice']),
});
const canceled = (random: Random): Partial<PaymentPlan> => ({
  confirmsAtCreation: false,
  cancelAfterMs: random.pick([0, 5, 20, 50, 100, 200, 500, 1_500]),
});

/** Everything that clients do, weighted by frequency. */
const SCENARIOS: readonly Scenario[] = [
  { name: 'approved', weight: 14, atVendors: true, plan: byCard('approved') },
  { name: 'refunded', weight: 8, atVendors: true, plan: byCard('approved', refunded) },
  { name: 'refund refused', weight: 1, plan: byCard('refundRefused', refunded) },
  { name: 'refund reply lost', weight: 1, atVendors: true, plan: byCard('refundReplyLost', refunded) },
  { name: 'refund silent', weight: 1, atVendors: true, plan: byCard('refundSilent', refunded) },
  { name: 'held, captured', weight: 5, atVendors: true, plan: byCard('approved', (random) => held(random, 'capture')) },
  {
    name: 'held, captured in part',
    weight: 4,
    atVendors: true,
    plan: byCard('approved', (random) => held(random, 'capture_part')),
  },
  { name: 'held, canceled', weight: 4, atVendors: true, plan: byCard('approved', (random) => held(random, 'cancel')) },
  {
    name: 'declined, then approved',
    weight: 4,
    atVendors: true,
    plan: byCard('declined', () => ({ secondCard: 'approved' })),
  },
  { name: 'declined', weight: 2, atVendors: true, plan: byCard('declined') },
  { name: 'insufficient funds', weight: 2, atVendors: true, plan: byCard('insufficientFunds') },
  { name: 'fraud', weight: 2, atVendors: true, plan: byCard('fraud') },
  { name: 'failover', weight: 5, atVendors: true, plan: byCard('failover') },
  { name: 'lost reply', weight: 4, atVendors: true, plan: byCard('lostReply') },
  { name: 'silent', weight: 3, atVendors: true, plan: byCard('silent', settled) },
  { name: 'unknown shape', weight: 2, plan: byCard('unknownShape') },
  { name: '3-D Secure', weight: 4, atVendors: true, plan: byCard('threeDSecure', settled) },
  { name: '3-D Secure, never answered', weight: 1, atVendors: true, plan: byCard('threeDSecure') },
  { name: 'UPI approved', weight: 3, plan: byUpi('success') },
  { name: 'UPI declined', weight: 2, plan: byUpi('decline') },
  { name: 'UPI pending', weight: 2, plan: byUpi('pending', settled) },
  { name: 'UPI expired', weight: 2, plan: byUpi('expire') },
  { name: 'crypto confirmed', weight: 2, plan: byCrypto('confirmed') },
  { name: 'crypto reorg', weight: 1, plan: byCrypto('reorg') },
  { name: 'crypto mismatch', weight: 1, plan: byCrypto('mismatch') },
  { name: 'canceled', weight: 5, atVendors: true, plan: byCard('approved', canceled) },
  { name: 'failover, canceled', weight: 2, plan: byCard('failover', canceled) },
  { name: 'lost reply, canceled', weight: 2, plan: byCard('lostReply', canceled) },
  { name: '3-D Secure, canceled', weight: 1, atVendors: true, plan: byCard('threeDSecure', canceled) },
  { name: 'abandoned', weight: 2, plan: byCard('approved', () => ({ isAbandoned: true, confirmsAtCreation: false })) },
];
const TOTAL_WEIGHT = SCENARIOS.reduce((sum, { weight }) => sum + weight, 0);
export const SCENARIO_NAMES: readonly string[] = SCENARIOS.map(({ name }) => name);

/**
 * Decides everything about one payment.
 * @param operatorKinds what operators may do to it
 * @param scenarioName its scenario; null picks one by weight
 */
export function planPayment(
  random: Random,
  operatorKinds: readonly OperatorFaultKind[],
  scenarioName: string | null,
): PaymentPlan {
  const picked = pickScenario(random);
  const { name, plan, atVendors = false } = SCENARIOS.find((each) => each.name === scenarioName) ?? picked;
  const confirmsAtCreation = random.chance(0.3);
  const base: Omit<PaymentPlan, 'paymentMethod'> = {
    scenario: name,
    terms: { amount: amountOf(random), ...EUROS },
    confirmsAtCreation,
    isAbandoned: false,
    respondAsync: random.chance(0.2),
    patchedAmount: !confirmsAtCreation && random.chance(0.15) ? amountOf(random) : null,
    secondCard: null,
    cancelAfterMs: null,
    settlement: null,
    followUp: null,
    operator: planOperator(random, operatorKinds),
    repeatsAnswered: random.chance(0.2),
    reads: random.chance(0.3),
  };
  const own =
    atVendors && random.chance(VENDOR_SHARE)
      ? atVendor({ ...base, ...plan(random) }, random)
      : { ...base, ...plan(random) };
  const expiresInSeconds = random.between(EXPIRES_IN_SECONDS.shortest, EXPIRES_IN_SECONDS.longest);
  return { ...own, terms: { ...own.terms, expiresInSeconds } };
}

/** The same payment in a currency that vendors take. Its customer acts where the vendor asks for it: for every card in rupees. */
function atVendor(plan: PaymentPlan, random: Random): PaymentPlan {
  const isCanceled = plan.cancelAfterMs !== null || plan.operator?.kind === 'operator_cancel';
  const market = random.pick(isCanceled ? CANCELABLE_TERMS : VENDOR_TERMS);
  const terms = { ...plan.terms, ...market, returnUrl: RETURN_URL };
  const isRedirect = terms.currency === RUPEES.currency;
  return { ...plan, terms, ...(isRedirect && plan.settlement === null ? settled(random) : {}) };
}

function pickScenario(random: Random): Scenario {
  let rest = random.next() * TOTAL_WEIGHT;
  for (const scenario of SCENARIOS) {
    rest -= scenario.weight;
    if (rest < 0) return scenario;
  }
  return random.pick(SCENARIOS);
}

function planOperator(random: Random, kinds: readonly OperatorFaultKind[]): OperatorAction | null {
  if (!random.chance(OPERATOR_SHARE) || kinds.length === 0) return null;
  return {
    kind: random.pick(kinds),
    target: random.chance(0.15) ? 'refund' : 'payment',
    afterMs: random.pick([0, 10, 30, 60, 100, 250, 1_000, 4_000]),
    resetTo: random.pick(['first', 'last']),
  };
}

/** Above the smallest amount of every channel; crypto takes 500 and more. */
function amountOf(random: Random): number {
  return random.between(500, 50_000);
}
