import type { z } from 'zod';
import type { Environment } from '../domain/payment.ts';
import { type KnownAccount, PROVIDER_KIND_NAMES, type ProviderKindName } from '../domain/provider-account.ts';
import { ADYEN } from './adyen/adyen-provider.ts';
import { CASHFREE, cashfreeAbilities } from './cashfree/cashfree-provider.ts';
import type { PaymentProvider, ProviderAbilities } from './payment-provider.ts';
import type { ProviderAccountSettings, ProviderKind } from './provider-kinds.ts';
import { SIMULATOR } from './simulator/simulator-kind.ts';
import { STRIPE } from './stripe/stripe-provider.ts';

/** One of the credentials of a kind. */
interface Credential {
  /** Whether nobody may read it again. */
  readonly isSecret: boolean;
  /** For merchants, in markdown. */
  readonly meaning: string;
}

/** What an account with these credentials, which are no secret, offers. */
type AbilitiesOf = (publicCredentials: KnownAccount['publicCredentials']) => ProviderAbilities;

/** What the engine knows of a kind: its adapter, for credentials whose form is not known yet. */
interface KindOfProvider {
  readonly schema: z.ZodType;
  readonly credentials: Readonly<Record<string, Credential>>;
  readonly abilitiesOf: AbilitiesOf;
  create(settings: ProviderAccountSettings<unknown>): PaymentProvider;
  check(settings: ProviderAccountSettings<unknown>, signal: AbortSignal): Promise<string | null>;
}

/** The kinds of providers: a line for each adapter, with the meaning of its credentials. */
export const PROVIDER_KINDS: Readonly<Record<ProviderKindName, KindOfProvider>> = {
  simulator: kindOf(SIMULATOR, {
    apiKey: secret("the simulator's API key"),
    webhookSecret: secret('what it signs webhooks with: `whsec_` and base64'),
  }),
  stripe: kindOf(STRIPE, {
    secretKey: secret('a secret or restricted key, `sk_…` or `rk_…`'),
    webhookSecret: secret('the signing secret of the webhook endpoint, `whsec_…`'),
  }),
  adyen: kindOf(ADYEN, {
    apiKey: secret('the key of an API credential'),
    merchantAccount: shown('the name of the merchant account at Adyen'),
    liveUrlPrefix: shown('the prefix of the live addresses; required in production'),
    hmacKey: secret('the HMAC key of the Standard webhook, in hexadecimal digits'),
  }),
  cashfree: kindOf(
    CASHFREE,
    {
      clientId: shown('the app id'),
      clientSecret: secret('the secret key'),
      fallbackPhone: shown('ten digits, for payments without the phone number of a customer'),
      preauthorization: shown('`true` if Cashfree holds card payments for the account; otherwise `false`, or left out'),
    },
    ({ preauthorization }) => cashfreeAbilities(preauthorization === 'true'),
  ),
};

function secret(meaning: string): Credential {
  return { isSecret: true, meaning };
}

function shown(meaning: string): Credential {
  return { isSecret: false, meaning };
}

/** @param abilitiesOf by default all of the adapter's */
function kindOf<Credentials>(
  { credentials: schema, abilities, ...adapter }: ProviderKind<Credentials>,
  credentials: Readonly<Record<Extract<keyof Credentials, string>, Credential>>,
  abilitiesOf: AbilitiesOf = () => abilities,
): KindOfProvider {
  const parsed = (settings: ProviderAccountSettings<unknown>): ProviderAccountSettings<Credentials> => ({
    ...settings,
    credentials: schema.parse(settings.credentials),
  });
  return {
    schema,
    credentials,
    abilitiesOf,
    create: (settings) => adapter.create(parsed(settings)),
    check: (settings, signal) => adapter.check(parsed(settings), signal),
  };
}

export interface ProviderKindSettings {
  /** Where the APIs of kinds are, without a path; a kind that is not in the map is at the vendor's own address. */
  readonly apiUrls: ReadonlyMap<string, string>;
  /** Longest wait for one answer. */
  readonly timeoutMs: number;
  readonly allowSimulatorInProduction: boolean;
}

/** An account as adapters need it. */
export type AccountToCall = Pick<ProviderAccountSettings<unknown>, 'name' | 'credentials'>;

/** A kind in an environment in which merchants can have accounts of it. */
export interface OfferedKind {
  readonly abilitiesOf: AbilitiesOf;
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
    const { abilitiesOf, create, check } = PROVIDER_KINDS[name];
    const { apiUrls, timeoutMs } = settings;
    const complete = (account: AccountToCall): ProviderAccountSettings<unknown> => ({
      ...account,
      environment,
      apiUrl: apiUrls.get(name) ?? null,
      timeoutMs,
    });
    return {
      abilitiesOf,
      create: (account) => create(complete(account)),
      check: (account, signal) => check(complete(account), signal),
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
