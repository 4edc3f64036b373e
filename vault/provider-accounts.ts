import { LRUCache } from 'lru-cache';
import { kindOfProviderAccount } from '../domain/provider-account.ts';
import type { Database } from '../prisma/connection/client.ts';
import {
  type CalledAccount,
  selectPreviousCredentials,
  selectProviderAccount,
} from '../prisma/queries/provider-account.ts';
import type { RowOf } from '../prisma/connection/statement.ts';
import type { ProviderKinds } from '../providers/provider-kinds.ts';
import type { PaymentProvider } from '../providers/payment-provider.ts';
import { WebhookVerificationError } from '../providers/provider-errors.ts';
import type { ProviderAccountLookup } from '../providers/provider-registry.ts';
import type { Keyring } from './keyring.ts';
import { openProviderCredentials } from './provider-credentials.ts';

export interface ProviderAccountsDependencies {
  readonly database: Pick<Database, 'direct'>;
  /** The connections for accounts that were not looked up before: anybody can send webhooks to made-up ids. */
  readonly databaseForUnknown?: Pick<Database, 'direct'>;
  readonly keyring: Keyring;
  readonly kinds: ProviderKinds;
  /** Whether the providers take webhooks: then those that are signed with credentials which were rotated away count for their overlap. */
  readonly takesWebhooks?: boolean;
  /** Wraps each new adapter; by default the adapter itself. */
  readonly wrap?: (provider: PaymentProvider, account: NotedAccount) => PaymentProvider;
}

/** An account that is called, with what is noted about its credentials, as it was last read. */
export interface NotedAccount extends CalledAccount {
  refusal: NotedRefusal | null;
}

interface KeptAccount {
  readonly account: NotedAccount;
  readonly provider: PaymentProvider;
}

type SealedCredentials = RowOf<ReturnType<typeof selectPreviousCredentials>>;

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
  takesWebhooks = false,
  wrap = (provider) => provider,
}: ProviderAccountsDependencies): ProviderAccountLookup {
  const kept = new LRUCache<string, KeptAccount>({
    max: MAXIMUM_KEPT,
  });

  const keep = ({ id, version }: CalledAccount, adapter: PaymentProvider): KeptAccount => {
    const account: NotedAccount = { id, version, refusal: null };
    const created = { account, provider: wrap(adapter, account) };
    kept.set(id, created);
    return created;
  };

  return {
    offerOfAccount: ({ kind, publicCredentials }, environment) =>
      kinds.find(kind, environment)?.capabilitiesOf(publicCredentials),

    async find(id) {
      if (kindOfProviderAccount(id) === undefined) return undefined;
      const known = kept.get(id);
      const { direct } = known === undefined ? databaseForUnknown : database;
      const row = await direct.row(selectProviderAccount(id));
      if (row === undefined) return undefined;
      const { merchantAccountId, environment, version } = row;
      const kind = kinds.find(row.kind, environment);
      if (kind === undefined) return undefined;
      const owner = { providerAccountId: id, merchantAccountId, environment };
      const adapterFor = ({ credentialsKeyId: keyId, credentialsCiphertext: ciphertext }: SealedCredentials) =>
        kind.create({ name: id, credentials: openProviderCredentials(keyring, owner, { keyId, ciphertext }) });
      const current = known?.account.version === version ? known : keep({ id, version }, adapterFor(row));
      current.account.refusal = refusalOf(row);
      if (!takesWebhooks) return current.provider;
      const previous = await direct.rows(selectPreviousCredentials(id));
      return acceptingWebhooksOf(previous.map(adapterFor), current.provider);
    },
  };
}

function refusalOf({
  refusedOperation,
  isRefusalOfEarlier,
}: RowOf<ReturnType<typeof selectProviderAccount>>): NotedRefusal | null {
  return refusedOperation === null ? null : { operation: refusedOperation, isOfEarlier: isRefusalOfEarlier };
}

/** The same provider, which takes webhooks as well that one of the earlier adapters verifies whole. */
function acceptingWebhooksOf(earlier: readonly PaymentProvider[], current: PaymentProvider): PaymentProvider {
  if (earlier.length === 0) return current;
  const parseWebhook: PaymentProvider['parseWebhook'] = (rawBody, headers) => {
    for (const adapter of [current, ...earlier]) {
      try {
        const received = adapter.parseWebhook(rawBody, headers);
        if (received.refusal === undefined) return received;
      } catch (error) {
        if (!(error instanceof WebhookVerificationError)) throw error;
      }
    }
    // What none of them verifies is refused as without the earlier ones.
    return current.parseWebhook(rawBody, headers);
  };
  return { ...current, parseWebhook };
}
