import type { Environment } from '../domain/payment.ts';
import type { KnownAccount } from '../domain/provider-account.ts';
import type { PaymentProvider, ProviderCapabilities } from './payment-provider.ts';

/** A provider together with the environments whose payments it may take. */
export interface RegisteredProvider {
  readonly provider: PaymentProvider;
  readonly environments: readonly Environment[];
}

/** The accounts of merchants at providers. */
export interface ProviderAccountLookup {
  /** The provider with the credentials of the account, also of one that is disabled; undefined when there is no such account. */
  find(providerAccountId: string): Promise<PaymentProvider | undefined>;
  /** What an account offers; undefined where the engine takes no accounts of its kind in the environment. */
  offerOfAccount(account: KnownAccount, environment: Environment): ProviderCapabilities | undefined;
}

/** The providers of this installation: those that are configured, and accounts of merchants. */
export interface ProviderRegistry extends Pick<ProviderAccountLookup, 'offerOfAccount'> {
  /** The provider of that name, which is a configured one or the id of an account; undefined when there is none. */
  find(name: string): Promise<PaymentProvider | undefined>;
  /** What the configured providers offer that may take payments of an environment, by name, in the order of configuration. */
  offersFor(environment: Environment): ReadonlyMap<string, ProviderCapabilities>;
}

const NO_ACCOUNTS: ProviderAccountLookup = {
  find: () => Promise.resolve(undefined),
  offerOfAccount: () => undefined,
};

/** @throws RangeError when two providers share a name */
export function createProviderRegistry(
  registered: readonly RegisteredProvider[],
  accounts = NO_ACCOUNTS,
): ProviderRegistry {
  const providerByName = new Map<string, PaymentProvider>();
  for (const { provider } of registered) {
    if (providerByName.has(provider.name)) throw new RangeError(`two providers are named ${provider.name}`);
    providerByName.set(provider.name, provider);
  }
  const offersFor = (environment: Environment) =>
    new Map(
      registered
        .filter(({ environments }) => environments.includes(environment))
        .map(({ provider: { name, capabilities } }) => [name, capabilities]),
    );
  const offers = { sandbox: offersFor('sandbox'), production: offersFor('production') };
  return {
    find: async (name) => providerByName.get(name) ?? accounts.find(name),
    offersFor: (environment) => offers[environment],
    offerOfAccount: accounts.offerOfAccount,
  };
}
