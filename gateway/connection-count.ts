/** Counts connections, in all and by address. */
export interface ConnectionCount {
  /** Takes a place; the answer gives it back. Null when there is none left. */
  acquire(address: string): (() => void) | null;
}

export function createConnectionCount(maximum: number, maximumPerAddress: number): ConnectionCount {
  const byAddress = new Map<string, number>();
  let total = 0;

  const leave = (address: string): void => {
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
      let inside = true;
      return () => {
        if (inside) leave(address);
        inside = false;
      };
    },
  };
}
