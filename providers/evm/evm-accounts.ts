import type { DepositStore } from '../../domain/deposit.ts';
import type { Environment } from '../../domain/payment.ts';
import { UserError } from '../../domain/user-error.ts';
import type { RegisteredProvider } from '../provider-registry.ts';
import type { CheckedFetch, ProviderAccountSettings } from '../provider-kind.ts';
import type { EvmChain } from './chain.ts';
import type { EvmCredentials } from './credentials.ts';
import { chainOf, EVM } from './evm-provider.ts';

export interface EvmAccountsSettings {
  readonly accounts: readonly {
    readonly name: string;
    readonly environment: Environment;
    /** As `evmCredentialsSchema` describes them; not checked yet. */
    readonly credentials: unknown;
  }[];
  /** Longest wait for one answer of a node. */
  readonly timeoutMs: number;
  readonly deposits: DepositStore;
}

/** An account whose deposits are watched. */
export interface WatchedAccount {
  /** The name of its provider. */
  readonly name: string;
  readonly chain: EvmChain;
  readonly chainId: number;
  /** The contracts whose transfers count, lower case. */
  readonly contracts: readonly string[];
  readonly confirmations: number;
  readonly requireFinality: boolean;
}

/**
 * The accounts of this installation on EVM chains: one provider for each, and what its watcher needs.
 * @throws UserError where credentials are wrong; the message names the members, never their values
 */
export function createEvmAccounts({
  accounts,
  timeoutMs,
  deposits,
}: EvmAccountsSettings): (RegisteredProvider & { readonly watched: WatchedAccount })[] {
  return accounts.map(({ name, environment, credentials: given }) => {
    const { data: credentials, error } = EVM.schema.safeParse(given);
    if (credentials === undefined) {
      const members = (error?.issues ?? []).map(({ path, message }) => `${path.join('.') || 'all'} (${message})`);
      throw new UserError(`EVM_ACCOUNTS: wrong credentials of ${name}: ${members.join(', ')}`);
    }
    const settings = { name, environment, credentials, apiUrl: null, timeoutMs };
    return {
      provider: EVM.create(settings, { deposits }),
      environments: [environment],
      watched: watchedAccountOf(settings),
    };
  });
}

/** @param fetch calls the node, where a merchant has entered its address */
export function watchedAccountOf(
  settings: ProviderAccountSettings<EvmCredentials>,
  fetch?: CheckedFetch,
): WatchedAccount {
  const { name, credentials } = settings;
  const { chainId, tokens, confirmations, requireFinality } = credentials;
  const contracts = tokens.map(({ contract }) => contract);
  return { name, chain: chainOf(settings, fetch), chainId, contracts, confirmations, requireFinality };
}
