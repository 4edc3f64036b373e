/** How routes of equal priority are ordered: by their weights, or by the approval rates of their providers. */
export const ORDERINGS = ['weighted', 'approval_rate'] as const;
export type Ordering = (typeof ORDERINGS)[number];

/** How quickly a rate forgets: an attempt counts half as much once as many further ones of the provider have ended. */
export const RATE_HALF_LIFE_ATTEMPTS = 50;

/** The approval rate of a provider, of payments like the one that is planned or of more. */
export interface ApprovalRate {
  readonly provider: string;
  /** Empty for every currency. */
  readonly currency: string;
  /** Empty for every country. */
  readonly country: string;
  /** From 0 to 1; newer attempts count more. */
  readonly approvalRate: number;
  /** Attempts that were measured. */
  readonly attempts: number;
}

/** How the merchant has routes of equal priority ordered by approval rates. */
export interface ApprovalOrdering {
  /** Of the payments that could go to the best provider, how many go to the others instead, so that their rates stay known. */
  readonly explorationShare: number;
  /** Attempts of a provider below which its rate does not count. */
  readonly minimumAttempts: number;
  readonly rates: readonly ApprovalRate[];
}

/** Why a route has its place among those of equal priority; absent where only weights decide. */
export interface PlaceReason {
  /** `weight` where the route that was drawn by weight has no rate yet. */
  readonly by: 'approval_rate' | 'exploration' | 'weight';
  /** Of the provider; null below the minimum of attempts. */
  readonly approvalRate: number | null;
  readonly attempts: number;
}

interface Ranked {
  readonly provider: string;
}

/** A route with the reason for its place. */
export interface Placed<Route extends Ranked> {
  readonly route: Route;
  readonly reason: PlaceReason;
}

/**
 * Orders routes of equal priority. The route that is drawn by weight goes first if its provider has no rate yet: a new provider so gets
 * its share at once, and where none has a rate, weights decide. Else the exploration share of the payments goes to one of the others, and
 * all others to the provider with the highest rate.
 * @param drawn the routes in the order of their weighted draw
 * @param chance from 0 to 1, the same each time for the same payment
 */
export function orderByApproval<Route extends Ranked>(
  drawn: readonly Route[],
  ordering: ApprovalOrdering,
  chance: number,
): readonly Placed<Route>[] {
  const rated = drawn.map((route) => ({ route, ...rateOf(route, ordering) }));
  const best = rated.toSorted((a, b) => (b.approvalRate ?? -1) - (a.approvalRate ?? -1));
  const [first] = rated;
  const others = rated.filter(({ route, approvalRate }) => approvalRate !== null && route !== best[0]?.route);
  const isUnknown = first?.approvalRate === null;
  const explored = !isUnknown && chance < ordering.explorationShare ? others[0] : undefined;
  const head = isUnknown ? first : explored;
  const by = isUnknown ? 'weight' : 'exploration';
  return [...(head === undefined ? [] : [head]), ...best.filter((each) => each !== head)].map(
    ({ route, approvalRate, attempts }, index) => ({
      route,
      reason: { by: index === 0 && head !== undefined ? by : 'approval_rate', approvalRate, attempts },
    }),
  );
}

/** The rate of the payments most like this one for which enough attempts were measured. */
function rateOf(
  { provider }: Ranked,
  { rates, minimumAttempts }: ApprovalOrdering,
): Pick<PlaceReason, 'approvalRate' | 'attempts'> {
  const own = rates.filter((rate) => rate.provider === provider).toSorted((a, b) => closeness(b) - closeness(a));
  const usable = own.find(({ attempts }) => attempts >= minimumAttempts);
  const measured = usable ?? own.at(-1);
  return { approvalRate: usable?.approvalRate ?? null, attempts: measured?.attempts ?? 0 };
}

function closeness({ currency, country }: ApprovalRate): number {
  return (currency === '' ? 0 : 1) + (country === '' ? 0 : 1);
}
