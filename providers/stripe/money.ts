import { currencyExponent, isSupportedCurrency } from '../../domain/currencies.ts';

/** Currencies that Stripe counts in other units than ISO 4217 does: how many decimals its amounts have. */
const STRIPE_DECIMALS: ReadonlyMap<string, number> = new Map([
  // ISO 4217 has whole units only; Stripe kept its earlier two decimals.
  ['ISK', 2],
  ['UGX', 2],
  // Its minor unit is a fifth, in which Stripe does not count.
  ['MGA', 0],
]);

/** ISO currencies that Stripe charges no cards in. */
const NOT_TAKEN: ReadonlySet<string> = new Set(
  'BTN CUP ERN GHS IQD IRR KPW LYD MRU SDG SSP STN SVC SYP TMT VED VES XAD ZWG'.split(' '),
);

/**
 * The amount in Stripe's unit of the currency.
 * @param amountMinor in minor units of ISO 4217
 * @returns null where Stripe does not take the currency, or cannot express the amount
 */
export function toStripeAmount(amountMinor: number, currency: string): number | null {
  if (!isSupportedCurrency(currency) || NOT_TAKEN.has(currency)) return null;
  // Card networks settle currencies of three decimals in two: Stripe refuses any other last digit than 0.
  if (currencyExponent(currency) === 3 && amountMinor % 10 !== 0) return null;
  return wholeNumber(scale(amountMinor, stripeDecimals(currency) - currencyExponent(currency)));
}

/**
 * An amount that Stripe reports, in minor units of ISO 4217.
 * @param amount in Stripe's unit of the currency
 * @param currency as Stripe writes it, in lower case
 * @returns null where the amount is no whole number of minor units
 */
export function fromStripeAmount(amount: number, currency: string): number | null {
  const code = currency.toUpperCase();
  // A currency that this engine does not know was never requested: its amount is reported as it came.
  if (!isSupportedCurrency(code)) return wholeNumber(amount);
  return wholeNumber(scale(amount, currencyExponent(code) - stripeDecimals(code)));
}

function stripeDecimals(currency: string): number {
  return STRIPE_DECIMALS.get(currency) ?? currencyExponent(currency);
}

/** Divides where the power is negative, since 0.01 is no exact number. */
function scale(amount: number, power: number): number {
  return power < 0 ? amount / 10 ** -power : amount * 10 ** power;
}

function wholeNumber(amount: number): number | null {
  return Number.isSafeInteger(amount) ? amount : null;
}
