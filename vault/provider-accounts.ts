import { LRUCache } from 'lru-cache';
import { kindOfProviderAccount } from '../domain/provider-account.ts';
import type { Database } from '../prisma/client.ts';
import { type CalledAccount, selectProviderAccount } from '../prisma/queries/provider-account.ts';
import type { RowOf } from '../prisma/statement.ts';
import type { ProviderKinds } from '../providers/kinds-of-providers.ts';
import type { PaymentProvider } from '../providers/payment-provider.ts';
import type { ProviderAccountLookup } from '../providers/provider-registry.ts';
import type { Keyring } from './keyring.ts';
import { openProviderCredentials } from './provider-credentials.ts';

export interface ProviderAccountsDependencies {
  readonly database: Pick<Database, 'direct'>;
  /** The connections for accounts that were not looked up before: anybody can send webhooks to made-up ids. */
  readonly databaseForUnknown?: Pick<Database, 'direct'>;
  readonly keyring: Keyring;
  readonly kinds: ProviderKinds;
  /** Wraps each new adapter; by default the adapter itself. */
  readonly wrap?: (provider: PaymentProvider, account: NotedAccount) => PaymentProvider;
}

/** An account that is called, with what is noted about its credentials, as it was last read. */
export interface NotedAccount extends CalledAccount {
  refusal: NotedRefusal | null;
}

interface NotedRefusal {
  readonly operation: string;
  /** Whether the credentials were replaced since. */
  readonly isOfEarlier: boolean;
}

/** More accounts than have payments at one time. An adapter is a few kilobytes and its connections. */
const MAXIMUM_KEPT = 500;

/**
 * The accounts in the database. Each look-up reads the row, so that new credentials are used at once; the adapter is kept
 * for as long as the row has its version.
 */
export function createProviderAccounts({
  database,
  databaseForUnknown = database,
  keyring,
  kinds,
  wrap = (provider) => provider,
}: ProviderAccountsDependencies): ProviderAccountLookup {
  const kept = new LRUCache<string, { readonly account: NotedAccount; readonly provider: PaymentProvider }>({
    max: MAXIMUM_KEPT,
  });

  return {
    offerOfAccount: ({ kind, publicCredentials }, environment) =>
      kinds.find(kind, environment)?.capabilitiesOf(publicCredentials),

    async find(id) {
      if (kindOfProviderAccount(id) === undefined) return undefined;
      const known = kept.get(id);
      const row = await (known === undefined ? databaseForUnknown : database).direct.row(selectProviderAccount(id));
      if (row === undefined) return undefined;
      const { merchantAccountId, environment, version } = row;
      if (known?.account.version === version) {
        known.account.refusal = refusalOf(row);
        return known.provider;
      }
      const kind = kinds.find(row.kind, environment);
      if (kind === undefined) return undefined;
      const owner = { providerAccountId: id, merchantAccountId, environment };
      const sealed = { keyId: row.credentialsKeyId, ciphertext: row.credentialsCiphertext };
      const credentials = openProviderCredentials(keyring, owner, sealed);
      const account: NotedAccount = { id, version, refusal: refusalOf(row) };
      const provider = wrap(kind.create({ name: id, credentials }), account);
      kept.set(id, { account, provider });
      return provider;
    },
  };
}

function refusalOf({
  refusedOperation,
  isRefusalOfEarlier,
}: RowOf<ReturnType<typeof selectProviderAccount>>): NotedRefusal | null {
  return refusedOperation === null ? null : { operation: refusedOperation, isOfEarlier: isRefusalOfEarlier };
}
