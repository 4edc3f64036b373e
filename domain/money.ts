import { currencyExponent } from './currencies.ts';

/** Smallest and largest amount of a payment, in minor units of its currency. */
export const AMOUNT_MINOR_LIMITS = { minimum: 1, maximum: 99_999_999_999 } as const;

/**
 * An amount as people read it, with the digits of its currency: `USD 12.34`, `JPY 500`, `KWD 1.005`.
 * @param amountMinor whole minor units, zero or more
 */
export function formatMoney(amountMinor: number, currency: string): string {
  return `${currency} ${decimalAmount(amountMinor, currency)}`;
}

/**
 * An amount as a decimal with the digits of its currency, such as `12.34`.
 * @param amountMinor whole minor units, zero or more
 */
export function decimalAmount(amountMinor: number, currency: string): string {
  const exponent = currencyExponent(currency);
  if (exponent === 0) return String(amountMinor);
  const digits = String(amountMinor).padStart(exponent + 1, '0');
  return `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}
