import type { CustomersAtProvider } from '../../domain/saved-payment-method.ts';

/** The ids by which a provider knows customers, in memory. */
export function memoryCustomers(): CustomersAtProvider & {
  readonly known: ReadonlyMap<string, string>;
  /** The attempts about whose tokens the provider is to be asked. */
  readonly asked: readonly string[];
} {
  const known = new Map<string, string>();
  const asked: string[] = [];
  return {
    known,
    asked,
    askAboutToken: async (attemptId) => void asked.push(attemptId),
    find: (customerId) => Promise.resolve(known.get(customerId) ?? null),
    store(customerId, providerCustomerId, replaces) {
      const stored = known.get(customerId);
      const used = stored === undefined || stored === replaces ? providerCustomerId : stored;
      known.set(customerId, used);
      return Promise.resolve(used);
    },
  };
}
