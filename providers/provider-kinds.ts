import type { z } from 'zod';
import type { DepositStore } from '../domain/deposit.ts';
import type { Environment } from '../domain/payment.ts';
import { kindOfProviderAccount, PROVIDER_KIND_NAMES, type ProviderKindName } from '../domain/provider-account.ts';
import { ADYEN } from './adyen/adyen-provider.ts';
import { CASHFREE } from './cashfree/cashfree-provider.ts';
import { EVM } from './evm/evm-provider.ts';
import type { PaymentProvider } from './payment-provider.ts';
import type {
  CapabilitiesOf,
  CheckedFetch,
  Credential,
  CredentialProblem,
  DisputeAnswers,
  ProviderAccountSettings,
  ProviderDependencies,
  ProviderKind,
} from './provider-kind.ts';
import { SIMULATOR } from './simulator/simulator-kind.ts';
import { STRIPE } from './stripe/stripe-provider.ts';

/** What the engine knows of a kind: its adapter, for credentials whose form is not known yet. */
interface KindOfProvider {
  readonly label: string;
  readonly description: string;
  readonly schema: z.ZodType;
  readonly credentials: Readonly<Record<string, Credential>>;
  readonly capabilitiesOf: CapabilitiesOf;
  readonly disputeAnswers: DisputeAnswers | null;
  /** The name of the credential that is an address which the engine calls; null if the vendor's address is known. */
  readonly addressCredential: string | null;
  create(settings: ProviderAccountSettings<unknown>, dependencies: ProviderDependencies): PaymentProvider;
  check(
    settings: ProviderAccountSettings<unknown>,
    signal: AbortSignal,
    dependencies: ProviderDependencies,
  ): Promise<string | null>;
  problemIn(credentials: unknown, environment: Environment): CredentialProblem | null;
  mayReplace(earlier: unknown, next: unknown): CredentialProblem | null;
}

/** The kinds of providers. */
export const PROVIDER_KINDS: Readonly<Record<ProviderKindName, KindOfProvider>> = {
  simulator: kindOf(SIMULATOR),
  stripe: kindOf(STRIPE),
  adyen: kindOf(ADYEN),
  cashfree: kindOf(CASHFREE),
  evm: kindOf(EVM),
};

/**
 * How the engine sends merchants' answers to disputes there; null where it cannot.
 * @param provider the id of an account at a provider, or the name of a simulated provider
 */
export function disputeAnswersOf(provider: string): DisputeAnswers | null {
  return PROVIDER_KINDS[kindOfProviderAccount(provider) ?? 'simulator'].disputeAnswers;
}

function kindOf<Credentials>(adapter: ProviderKind<Credentials>): KindOfProvider {
  const { label, description, schema, credentials, capabilities, addressCredential } = adapter;
  const parsed = (settings: ProviderAccountSettings<unknown>): ProviderAccountSettings<Credentials> => ({
    ...settings,
    credentials: schema.parse(settings.credentials),
  });
  return {
    label,
    description,
    schema,
    credentials,
    capabilitiesOf: adapter.capabilitiesOf ?? (() => capabilities),
    disputeAnswers: adapter.disputeAnswers ?? null,
    addressCredential: addressCredential ?? null,
    create: (settings, dependencies) => adapter.create(parsed(settings), dependencies),
    check: (settings, signal, dependencies) => adapter.check(parsed(settings), signal, dependencies),
    problemIn: (entered, environment) => adapter.problemIn?.(schema.parse(entered), environment) ?? null,
    mayReplace: (earlier, next) => adapter.mayReplace?.(schema.parse(earlier), schema.parse(next)) ?? null,
  };
}

export interface ProviderKindSettings {
  /** Where the APIs of kinds are, without a path; a kind that is not in the map is at the vendor's own address. */
  readonly apiUrls: ReadonlyMap<string, string>;
  /** Longest wait for one answer. */
  readonly timeoutMs: number;
  /** How many requests a second this process may send for one account, for kinds with another limit than their own. */
  readonly requestsPerSecond?: ReadonlyMap<string, number>;
  readonly allowSimulatorInProduction: boolean;
  readonly deposits: DepositStore;
  /** Calls the addresses that merchants have entered, as far as each environment allows. */
  readonly fetchers: Readonly<Record<Environment, CheckedFetch>>;
}

/** The account's data that adapters need. */
export type AccountToCall = Pick<ProviderAccountSettings<unknown>, 'name' | 'credentials'>;

/** A kind in an environment in which merchants can have accounts of it. */
export interface OfferedKind {
  readonly capabilitiesOf: CapabilitiesOf;
  /** @throws ZodError or RangeError where the credentials are not those of the kind and environment */
  create(account: AccountToCall): PaymentProvider;
  /**
   * Makes a harmless request.
   * @returns null where the credentials work, else what is wrong with them
   * @throws ProviderOutageError where the provider gave no usable answer
   */
  check(account: AccountToCall, signal: AbortSignal): Promise<string | null>;
}

/** The kinds as they are configured. */
export interface ProviderKinds {
  /** Undefined where merchants cannot have such accounts in the environment. */
  find(kind: ProviderKindName, environment: Environment): OfferedKind | undefined;
  /** The kinds that merchants can have accounts of in an environment. */
  namesFor(environment: Environment): readonly ProviderKindName[];
}

export function createProviderKinds(settings: ProviderKindSettings): ProviderKinds {
  const find = (name: ProviderKindName, environment: Environment): OfferedKind | undefined => {
    if (!isOffered(name, environment, settings)) return undefined;
    const { capabilitiesOf, create, check } = PROVIDER_KINDS[name];
    const { apiUrls, timeoutMs, deposits, fetchers } = settings;
    const requestsPerSecond = settings.requestsPerSecond?.get(name);
    const dependencies = { deposits, fetch: fetchers[environment] };
    const complete = (account: AccountToCall): ProviderAccountSettings<unknown> => ({
      ...account,
      environment,
      apiUrl: apiUrls.get(name) ?? null,
      timeoutMs,
      ...(requestsPerSecond === undefined ? {} : { requestsPerSecond }),
    });
    return {
      capabilitiesOf,
      create: (account) => create(complete(account), dependencies),
      check: (account, signal) => check(complete(account), signal, dependencies),
    };
  };
  return {
    find,
    namesFor: (environment) => PROVIDER_KIND_NAMES.filter((name) => find(name, environment) !== undefined),
  };
}

/** Credentials of production go over HTTPS alone. The simulator has no address of its own, and is for the sandbox. */
function isOffered(
  name: ProviderKindName,
  environment: Environment,
  { apiUrls, allowSimulatorInProduction }: ProviderKindSettings,
): boolean {
  const apiUrl = apiUrls.get(name);
  if (name === 'simulator') return apiUrl !== undefined && (environment === 'sandbox' || allowSimulatorInProduction);
  return environment === 'sandbox' || apiUrl === undefined || apiUrl.startsWith('https:');
}
