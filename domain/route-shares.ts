interface Sharing {
  readonly paymentMethod: string;
  readonly priority: number;
  readonly weight: number;
  readonly active: boolean;
}

/** Names the routes that share payments: those of one payment method with equal priority. */
export function sharingKeyOf({ paymentMethod, priority }: Pick<Sharing, 'paymentMethod' | 'priority'>): string {
  return `${paymentMethod}:${priority}`;
}

/** The sums of the weights of active routes that share payments, by `sharingKeyOf`. */
export type SharedWeights = ReadonlyMap<string, number>;

export function sharedWeightsOf(routes: readonly Sharing[]): SharedWeights {
  const sums = new Map<string, number>();
  for (const route of routes.filter(({ active }) => active)) {
    const key = sharingKeyOf(route);
    sums.set(key, (sums.get(key) ?? 0) + route.weight);
  }
  return sums;
}

/**
 * The share of a route among those that it shares payments with, in percent, rounded to a tenth: of the payments that all of them take.
 * Null where it takes none, because it is not active.
 */
export function sharePercentOf(route: Sharing, weights: SharedWeights): number | null {
  if (!route.active) return null;
  const total = weights.get(sharingKeyOf(route)) ?? route.weight;
  return Math.round((route.weight / total) * 1_000) / 10;
}
