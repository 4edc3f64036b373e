import type { ShareUsage } from '../metrics/server-metrics.ts';

/** Counts connections, in all and by address. */
export interface ConnectionCount {
  /** Acquires a slot and returns the function that releases it. Null when there is none left. */
  acquire(address: string): (() => void) | null;
  usage(): ShareUsage;
}

/** A count that refuses what exceeds either maximum. */
export function createConnectionCount(maximum: number, maximumPerAddress: number): ConnectionCount {
  const byAddress = new Map<string, number>();
  let total = 0;

  const release = (address: string): void => {
    const remaining = (byAddress.get(address) ?? 1) - 1;
    if (remaining === 0) byAddress.delete(address);
    else byAddress.set(address, remaining);
    total -= 1;
  };

  return {
    acquire(address) {
      const fromAddress = byAddress.get(address) ?? 0;
      if (total >= maximum || fromAddress >= maximumPerAddress) return null;
      byAddress.set(address, fromAddress + 1);
      total += 1;
      let isHeld = true;
      return () => {
        if (isHeld) release(address);
        isHeld = false;
      };
    },
    usage: () => ({ byAll: total, byOne: Math.max(0, ...byAddress.values()) }),
  };
}
