import type { CaptureMethod } from './payment.ts';

/** Who makes a payment: the customer, or the merchant without the customer. */
export const INITIATORS = ['customer', 'merchant'] as const;
type Initiator = (typeof INITIATORS)[number];

/** Names of card brands that routes can ask for, as `cardBrandOf` gives them. */
export const ROUTED_CARD_BRANDS = [
  'visa',
  'mastercard',
  'american_express',
  'diners_club',
  'discover',
  'elo',
  'hiper',
  'hipercard',
  'jcb',
  'maestro',
  'mir',
  'naranja',
  'rupay',
  'troy',
  'unionpay',
  'verve',
] as const;

/** What a payment must be like for a route. All of it must hold; what is absent or empty holds for every payment. */
export interface RouteConditions {
  /** In minor units of the route's only currency. */
  readonly amountMin?: number | null;
  readonly amountMax?: number | null;
  readonly cardBrands?: readonly string[];
  /** Ids of groups of cards. */
  readonly cardGroups?: readonly string[];
  /** Pairs that the payment's metadata must have. */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly captureMethods?: readonly CaptureMethod[];
  readonly initiators?: readonly Initiator[];
}

/** What conditions look at. */
export interface ConditionedPayment {
  readonly amountMinor: number;
  readonly captureMethod: CaptureMethod;
  /** Null or absent where the payment is by no card, or the number is not known. */
  readonly cardBrand?: string | null;
  /** Ids of the groups that the card belongs to; absent for none. */
  readonly cardGroups?: readonly string[];
  /** Absent for none. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Absent for the customer. */
  readonly initiator?: Initiator;
}

/** Why a payment does not meet a route's conditions, in the order in which they are checked. */
export const CONDITION_REASONS = [
  'amount',
  'card_brand',
  'card_group',
  'metadata',
  'capture_method',
  'initiator',
] as const;
export type ConditionReason = (typeof CONDITION_REASONS)[number];

const CHECKS: Readonly<Record<ConditionReason, (conditions: RouteConditions, payment: ConditionedPayment) => boolean>> =
  {
    amount: ({ amountMin, amountMax }, { amountMinor }) =>
      (amountMin ?? 0) <= amountMinor && amountMinor <= (amountMax ?? Number.POSITIVE_INFINITY),
    card_brand: ({ cardBrands }, { cardBrand }) => isAmong(cardBrands, cardBrand ?? null),
    card_group: ({ cardGroups }, { cardGroups: groups = [] }) =>
      isAny(cardGroups) || groups.some((group) => cardGroups.includes(group)),
    metadata: ({ metadata = {} }, { metadata: pairs = {} }) =>
      Object.entries(metadata).every(([name, value]) => Object.hasOwn(pairs, name) && pairs[name] === value),
    capture_method: ({ captureMethods }, { captureMethod }) => isAmong(captureMethods, captureMethod),
    initiator: ({ initiators }, { initiator = 'customer' }) => isAmong(initiators, initiator),
  };

function isAny(values: readonly string[] | undefined): values is undefined {
  return values === undefined || values.length === 0;
}

function isAmong(values: readonly string[] | undefined, value: string | null): boolean {
  return isAny(values) || (value !== null && values.includes(value));
}

/** The first condition that the payment does not meet; null where it meets all. */
export function unmetCondition(conditions: RouteConditions, payment: ConditionedPayment): ConditionReason | null {
  return CONDITION_REASONS.find((reason) => !CHECKS[reason](conditions, payment)) ?? null;
}
