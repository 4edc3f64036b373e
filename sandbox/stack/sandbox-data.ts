import { SUPPORTED_CURRENCIES } from '../../domain/currencies.ts';

/** What the sandbox begins with. Fixed ids, so that seeding again changes the same rows. */

const unique = (number: number): string => `00000000000070008000${String(number).padStart(12, '0')}`;

export const SANDBOX_ENVIRONMENT = 'sandbox';
export const SANDBOX_MERCHANT = { id: `org_${unique(1)}`, name: 'Sandbox merchant' };
export const SANDBOX_ACCOUNTS = [
  { id: `mer_${unique(1)}`, name: 'Main account' },
  { id: `mer_${unique(2)}`, name: 'Second account' },
] as const;
/** The owner of the sandbox's merchant, who can sign in to the dashboard. */
export const SANDBOX_PERSON = { id: `per_${unique(1)}`, name: 'Sandbox owner', email: 'owner@sandbox.example' };
export const SANDBOX_API_KEY_ID = `key_${unique(1)}`;

export interface SeedRoute {
  readonly id: string;
  readonly provider: string;
  readonly method: string;
  readonly currencies: readonly string[];
  readonly countries: readonly string[];
  readonly excludedCountries: readonly string[];
  readonly priority: number;
}

/** A supported currency that no route takes, so that NO_TSP_AVAILABLE can be seen. */
const CURRENCY_WITHOUT_ROUTE = 'ISK';
/** A country that no route takes, so that UNSUPPORTED_REGION can be seen. */
const COUNTRY_WITHOUT_ROUTE = 'AQ';

const card = {
  method: 'card',
  currencies: SUPPORTED_CURRENCIES.filter((currency) => currency !== CURRENCY_WITHOUT_ROUTE),
  countries: [],
  excludedCountries: [COUNTRY_WITHOUT_ROUTE],
};
const upi = { method: 'upi', currencies: ['INR'], countries: ['IN'], excludedCountries: [] };
const CRYPTO_CURRENCIES = ['USD', 'EUR'];
const crypto = { method: 'crypto', currencies: CRYPTO_CURRENCIES, countries: [], excludedCountries: [] };

/** Lower priorities go first: `alpha` before `beta`. */
export const SANDBOX_ROUTES: readonly SeedRoute[] = [
  { id: `rt_${unique(1)}`, provider: 'alpha', priority: 10, ...card },
  { id: `rt_${unique(2)}`, provider: 'beta', priority: 20, ...card },
  { id: `rt_${unique(3)}`, provider: 'alpha', priority: 10, ...upi },
  { id: `rt_${unique(4)}`, provider: 'beta', priority: 20, ...upi },
  { id: `rt_${unique(5)}`, provider: 'alpha', priority: 10, ...crypto },
  { id: `rt_${unique(6)}`, provider: 'beta', priority: 20, ...crypto },
];

export interface SeedLimit {
  readonly method: string;
  readonly currency: string;
  readonly minimumMinor: bigint;
  readonly maximumMinor: bigint;
}

export const SANDBOX_CHANNEL_LIMITS: readonly SeedLimit[] = [
  ...SUPPORTED_CURRENCIES.map((currency) => ({
    method: 'card',
    currency,
    minimumMinor: 50n,
    maximumMinor: 99_999_999n,
  })),
  { method: 'upi', currency: 'INR', minimumMinor: 100n, maximumMinor: 10_000_000n },
  ...CRYPTO_CURRENCIES.map((currency) => ({
    method: 'crypto',
    currency,
    minimumMinor: 500n,
    maximumMinor: 50_000_000n,
  })),
];
