import { LRUCache } from 'lru-cache';
import type { Environment } from '../../domain/payment.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { selectAccountsToWatch, selectProviderAccount } from '../../prisma/queries/provider-account.ts';
import type { RowOf } from '../../prisma/connection/statement.ts';
import { evmCredentialsSchema } from '../../providers/evm/credentials.ts';
import { type WatchedAccount, watchedAccountOf } from '../../providers/evm/evm-accounts.ts';
import type { CheckedFetch } from '../../providers/provider-kind.ts';
import type { Keyring } from '../../vault/keyring.ts';
import { openProviderCredentials } from '../../vault/provider-credentials.ts';

export interface WatchedAccountsDependencies {
  readonly database: Pick<Database, 'direct'>;
  readonly keyring: Keyring;
  /** Longest wait for one answer of a node. */
  readonly timeoutMs: number;
  readonly fetchers: Readonly<Record<Environment, CheckedFetch>>;
}

/** An account in the database whose deposits are to be watched. */
export type AccountToWatch = RowOf<ReturnType<typeof selectAccountsToWatch>>;

/** The accounts of merchants whose deposits are watched. */
export interface WatchedAccounts {
  /** Up to 500 accounts after the one with this id, by id; fewer are the last ones. */
  readPage(after: string | undefined): Promise<readonly AccountToWatch[]>;
  /** What the watcher needs of an account; undefined where there is no such account any more. */
  open(account: AccountToWatch): Promise<WatchedAccount | undefined>;
}

export const ACCOUNTS_PAGE_SIZE = 500;
/** How long the watcher still sees late deposits at an account after it was disabled. */
const DISABLED_DAYS = 30;
/** Accounts that are read often stay open; an open account takes some kilobytes. */
const MAXIMUM_KEPT = 2_000;

/** Each account is opened once for each version of its row, so that new credentials are used from the next read on. */
export function createWatchedAccounts({
  database: { direct },
  keyring,
  timeoutMs,
  fetchers,
}: WatchedAccountsDependencies): WatchedAccounts {
  const kept = new LRUCache<string, { readonly version: number; readonly watched: WatchedAccount }>({
    max: MAXIMUM_KEPT,
  });
  return {
    readPage: (after) =>
      direct.rows(selectAccountsToWatch({ after, limit: ACCOUNTS_PAGE_SIZE, disabledDays: DISABLED_DAYS })),

    async open({ id, version }) {
      const known = kept.get(id);
      if (known?.version === version) return known.watched;
      const row = await direct.row(selectProviderAccount(id));
      if (row === undefined) return undefined;
      const { merchantAccountId, environment } = row;
      const owner = { providerAccountId: id, merchantAccountId, environment };
      const sealed = { keyId: row.credentialsKeyId, ciphertext: row.credentialsCiphertext };
      const credentials = evmCredentialsSchema.parse(openProviderCredentials(keyring, owner, sealed));
      const settings = { name: id, environment, credentials, apiUrl: null, timeoutMs };
      const watched = watchedAccountOf(settings, fetchers[environment]);
      kept.set(id, { version: row.version, watched });
      return watched;
    },
  };
}
