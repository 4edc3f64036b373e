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

const DECIMAL_AMOUNT = /^([+-]?)(\d{1,15})(?:\.(\d{1,12}))?$/;

/**
 * The opposite of `decimalAmount`, also for an amount below zero and with zeros that the currency does not need.
 * @returns null where the text is no amount of whole minor units
 */
export function minorOfDecimal(text: string, currency: string): number | null {
  const [, sign = '', whole, fraction = ''] = DECIMAL_AMOUNT.exec(text) ?? [];
  if (whole === undefined) return null;
  const digits = currencyExponent(currency);
  if (/[1-9]/.test(fraction.slice(digits))) return null;
  const minor = Number(`${whole}${fraction.slice(0, digits).padEnd(digits, '0')}`);
  if (!Number.isSafeInteger(minor)) return null;
  return sign === '-' && minor !== 0 ? -minor : minor;
}
