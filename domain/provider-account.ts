/** The kinds of providers that merchants can have accounts at: lower-case letters alone, because the ids of accounts begin with them. */
export const PROVIDER_KIND_NAMES = ['simulator', 'stripe', 'adyen', 'cashfree', 'evm'] as const;
export type ProviderKindName = (typeof PROVIDER_KIND_NAMES)[number];

/** `disabled`: it takes no new payments; those that are under way are still resolved. */
export const PROVIDER_ACCOUNT_STATUSES = ['active', 'disabled'] as const;
export type ProviderAccountStatus = (typeof PROVIDER_ACCOUNT_STATUSES)[number];

/** The public part of an account. */
export interface KnownAccount {
  readonly kind: ProviderKindName;
  /** The credentials that are not secret, by name, as texts: the provider's offer may depend on them. */
  readonly publicCredentials: Readonly<Record<string, string>>;
}

/** The id of an account. @param unique 32 hexadecimal digits */
export function providerAccountIdOf(kind: ProviderKindName, unique: string): string {
  return `${kind}_${unique}`;
}

/** The kind of the account with this id; undefined if the text does not have the form of such an id. */
export function kindOfProviderAccount(id: string): ProviderKindName | undefined {
  const [, prefix] = /^([a-z]+)_[0-9a-f]{32}$/.exec(id) ?? [];
  return PROVIDER_KIND_NAMES.find((kind) => kind === prefix);
}

/** A provider as metrics name it: there are few kinds, but any number of accounts. */
export function providerLabelOf(provider: string): string {
  return kindOfProviderAccount(provider) ?? provider;
}
