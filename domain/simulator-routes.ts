import { SUPPORTED_CURRENCIES } from './currencies.ts';

/**
 * The data with which a merchant of the sandbox begins: routes to the simulators, so that its first payment can be made, and
 * limits.
 */

/** A supported currency that no route takes, so that NO_TSP_AVAILABLE can be seen. */
const CURRENCY_WITHOUT_ROUTE = 'ISK';
/** A country that no route takes, so that UNSUPPORTED_REGION can be seen. */
const COUNTRY_WITHOUT_ROUTE = 'AQ';
const CRYPTO_CURRENCIES = ['USD', 'EUR'];
const PRIORITY_STEP = 10;

const METHODS = [
  {
    method: 'card',
    currencies: SUPPORTED_CURRENCIES.filter((currency) => currency !== CURRENCY_WITHOUT_ROUTE),
    countries: [],
    excludedCountries: [COUNTRY_WITHOUT_ROUTE],
  },
  { method: 'upi', currencies: ['INR'], countries: ['IN'], excludedCountries: [] },
  { method: 'crypto', currencies: CRYPTO_CURRENCIES, countries: [], excludedCountries: [] },
];

/** Routes of every payment method to the simulators with these names; the first name goes first. */
export function routesToSimulators(names: readonly string[]) {
  return METHODS.flatMap(({ currencies, countries, excludedCountries, method }) =>
    names.map((provider, index) => ({
      provider,
      method,
      priority: PRIORITY_STEP * (index + 1),
      currencies: [...currencies],
      countries: [...countries],
      excludedCountries: [...excludedCountries],
    })),
  );
}

interface FirstLimit {
  readonly method: string;
  readonly currency: string;
  readonly minimumMinor: bigint;
  readonly maximumMinor: bigint;
}

/** Limits of the channels that have routes to simulators. */
export const SIMULATOR_LIMITS: readonly FirstLimit[] = [
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
