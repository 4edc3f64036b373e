import { currencyExponent } from '../../domain/currencies.ts';

/** An amount as Adyen counts it. */
export interface AdyenAmount {
  /** In the smallest unit that Adyen counts in, which is not always the currency's minor unit. */
  readonly value: number;
  readonly currency: string;
}

interface Money {
  readonly amountMinor: number;
  readonly currency: string;
}

/** The currencies of Adyen's table that payments may be made in. */
const TAKEN: ReadonlySet<string> = new Set(
  (
    'AED ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BMD BND BOB BRL BSD BWP BYN BZD CAD CHF CLP CNY COP CRC CUP CVE CZK ' +
    'DJF DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD ISK JMD JOD JPY ' +
    'KES KGS KHR KMF KRW KWD KYD KZT LAK LBP LKR LYD MAD MDL MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK ' +
    'NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SEK SGD SHP SLE SOS SRD STN SVC SZL THB TND ' +
    'TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VND VUV WST XAF XCD XOF XPF YER ZAR ZMW'
  ).split(' '),
);

/** The digits after the decimal point where Adyen's table differs from ISO 4217. */
const OWN_EXPONENTS: ReadonlyMap<string, number> = new Map([
  ['CLP', 2],
  ['CVE', 0],
  ['IDR', 0],
  ['ISK', 2],
]);

/** @returns null where Adyen does not take the currency, or cannot express a part of the amount */
export function toAdyenAmount({ amountMinor, currency }: Money): AdyenAmount | null {
  const digits = extraDigitsOf(currency);
  if (digits === null) return null;
  const value = digits >= 0 ? amountMinor * 10 ** digits : amountMinor / 10 ** -digits;
  return Number.isSafeInteger(value) ? { value, currency } : null;
}

/** @returns null where the currency is unknown, or the amount is not a whole number of minor units */
export function fromAdyenAmount({ value, currency }: AdyenAmount): Money | null {
  const digits = extraDigitsOf(currency);
  if (digits === null) return null;
  const amountMinor = digits >= 0 ? value / 10 ** digits : value * 10 ** -digits;
  return Number.isSafeInteger(amountMinor) ? { amountMinor, currency } : null;
}

/** How many digits more than the currency's minor unit Adyen counts, below zero where fewer. */
function extraDigitsOf(currency: string): number | null {
  if (!TAKEN.has(currency)) return null;
  const exponent = currencyExponent(currency);
  return (OWN_EXPONENTS.get(currency) ?? exponent) - exponent;
}
