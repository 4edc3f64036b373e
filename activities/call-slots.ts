/** Calls that one worker has open within its workflow tasks to one provider at the same time. */
const SLOTS_PER_PROVIDER = 40;

export interface CallSlots {
  /** Takes a slot and answers with what gives it back, or with null when the provider has as many as it may. */
  take(provider: string): (() => void) | null;
}

/** Keeps a silent provider from using up the task slots that the payments through all providers share. */
export function createCallSlots(limit = SLOTS_PER_PROVIDER): CallSlots {
  const inUse = new Map<string, number>();
  return {
    take(provider) {
      const count = inUse.get(provider) ?? 0;
      if (count >= limit) return null;
      inUse.set(provider, count + 1);
      return () => inUse.set(provider, (inUse.get(provider) ?? 1) - 1);
    },
  };
}
