import { currencyExponent, isSupportedCurrency } from '../../domain/currencies.ts';
import { decimalAmount } from '../../domain/money.ts';
import { ProviderOutageError } from '../provider-errors.ts';

/** The only currency whose payments are made at Cashfree: UPI has no other. */
export const CASHFREE_CURRENCY = 'INR';

/** Cashfree takes no order of less than one rupee. */
export const MINIMUM_MINOR = 1_00;

/**
 * An amount as Cashfree takes it: a JSON number of rupees with at most two decimals. Dividing by 100 would do as well up to
 * the largest payable amount; parsing the decimal needs no such bound.
 */
export function rupeesOf(amountMinor: number): number {
  return Number(decimalAmount(amountMinor, CASHFREE_CURRENCY));
}

/**
 * An amount as Cashfree reports it, in minor units of its currency.
 * @throws ProviderOutageError where it is no whole number of minor units, or the currency is unknown
 */
export function minorOf(amount: number, currency: string): number {
  if (!isSupportedCurrency(currency)) throw new ProviderOutageError('TSP_ERROR', 'the reported currency is unknown');
  const decimal = amount.toFixed(currencyExponent(currency));
  const amountMinor = Number(decimal.replace('.', ''));
  if (Number(decimal) === amount && Number.isSafeInteger(amountMinor) && amountMinor >= 0) return amountMinor;
  throw new ProviderOutageError('TSP_ERROR', 'the reported amount is no whole number of minor units');
}
