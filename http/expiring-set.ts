/** Texts that are kept until a time; beyond the maximum, the oldest are removed. */
export interface ExpiringSet {
  /** @param untilMs in ms since the epoch */
  add(text: string, untilMs: number): void;
  /** How many texts it holds, expired ones included. */
  readonly size: number;
  /** The time until which a text is kept; undefined where it is not in the set. */
  expiryOf(text: string): number | undefined;
}

export function createExpiringSet(maximum: number): ExpiringSet {
  /** In the order in which they were added last. */
  const expiries = new Map<string, number>();
  const removeOldest = (): void => {
    const [oldest] = expiries.keys();
    if (oldest !== undefined) expiries.delete(oldest);
  };
  return {
    get size() {
      return expiries.size;
    },
    add(text, untilMs) {
      expiries.delete(text);
      if (expiries.size >= maximum) removeOldest();
      expiries.set(text, untilMs);
    },
    expiryOf(text) {
      const untilMs = expiries.get(text);
      if (untilMs === undefined || untilMs > Date.now()) return untilMs;
      expiries.delete(text);
      return undefined;
    },
  };
}
