interface Ordered {
  readonly id: string;
  readonly priority: number;
}

/**
 * The priorities that change when a route moves to another place in its list: its own, and those behind it where there is
 * no number left between. Routes of equal priority stay equal.
 * @param routes in their order
 */
export function prioritiesAfterMove(routes: readonly Ordered[], from: number, to: number): readonly Ordered[] {
  const moved = routes[from];
  if (moved === undefined || from === to || to < 0 || to >= routes.length) return [];
  const others = routes.filter((route) => route !== moved);
  const before = others.slice(0, to);
  const behind = others.slice(to);
  const priority = (before.at(-1)?.priority ?? -1) + 1;
  const shift = Math.max(0, priority + 1 - (behind[0]?.priority ?? Number.POSITIVE_INFINITY));
  const isSplit = before.at(-1)?.priority === behind[0]?.priority;
  const changed =
    shift === 0 && !isSplit ? [] : behind.map((route) => ({ ...route, priority: route.priority + shift }));
  return [{ ...moved, priority }, ...changed].filter(
    ({ id, priority: now }) => routes.find((route) => route.id === id)?.priority !== now,
  );
}

interface Switchable {
  readonly id: string;
  readonly paymentMethod: string;
  readonly active: boolean;
}

/** Whether a route is the only active one of its payment method, so that without it nobody can pay by that method. */
export function isLastActive(
  routes: readonly Switchable[],
  { id, paymentMethod }: Pick<Switchable, 'id' | 'paymentMethod'>,
): boolean {
  const active = routes.filter((route) => route.paymentMethod === paymentMethod && route.active);
  return active.length === 1 && active[0]?.id === id;
}

interface Sharing extends Switchable {
  readonly priority: number;
  readonly weight: number;
}

/**
 * The share of the payments that try a route first, among the active routes with its number, in percent; null where it shares them with
 * none, or is not active.
 */
export function sharePercent(routes: readonly Sharing[], route: Sharing): number | null {
  const sharing = routes.filter(
    ({ active, paymentMethod, priority }) =>
      active && paymentMethod === route.paymentMethod && priority === route.priority,
  );
  if (!route.active || sharing.length < 2) return null;
  const total = sharing.reduce((sum, { weight }) => sum + weight, 0);
  return Math.round((route.weight / total) * 1_000) / 10;
}
