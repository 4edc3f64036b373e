import type { Environment } from '../domain/payment.ts';
import type { PaymentProvider } from './payment-provider.ts';

/** A provider together with the environments whose payments it may take. */
export interface RegisteredProvider {
  readonly provider: PaymentProvider;
  readonly environments: readonly Environment[];
}

/** The configured providers of this installation. */
export interface ProviderRegistry {
  /** The provider of that name, or undefined when it is not configured. */
  find(name: string): Promise<PaymentProvider | undefined>;
  /** All configured names, in the order of configuration. */
  names(): readonly string[];
  /** Names of the providers that may take payments of an environment. */
  namesFor(environment: Environment): readonly string[];
}

/** @throws RangeError when two providers share a name */
export function createProviderRegistry(registered: readonly RegisteredProvider[]): ProviderRegistry {
  const providerByName = new Map<string, PaymentProvider>();
  for (const { provider } of registered) {
    if (providerByName.has(provider.name)) throw new RangeError(`two providers are named ${provider.name}`);
    providerByName.set(provider.name, provider);
  }
  return {
    find: (name) => Promise.resolve(providerByName.get(name)),
    names: () => [...providerByName.keys()],
    namesFor: (environment) =>
      registered.filter(({ environments }) => environments.includes(environment)).map(({ provider }) => provider.name),
  };
}
