/**
 * Currencies a payment may be made in, with the exponent of their minor unit (ISO 4217, list one).
 * Funds codes, precious metals, testing codes and codes without a minor unit are omitted, because they are not used for payments.
 */
const EXPONENTS = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  2:
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP ' +
    'CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES ' +
    'KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK ' +
    'NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB ' +
    'TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG',
  3: 'BHD IQD JOD KWD LYD OMR TND',
} as const;

const exponentByCurrency: ReadonlyMap<string, number> = new Map(
  Object.entries(EXPONENTS).flatMap(([exponent, codes]) =>
    codes.split(' ').map((code) => [code, Number(exponent)] as const),
  ),
);

/** All supported currency codes, sorted. */
export const SUPPORTED_CURRENCIES: readonly string[] = [...exponentByCurrency.keys()].sort();

/** Whether a well-formed code is a currency payments may be made in. */
export function isSupportedCurrency(currency: string): boolean {
  return exponentByCurrency.has(currency);
}

/** Digits after the decimal point of a supported currency (ISO 4217 minor unit). */
export function currencyExponent(currency: string): number {
  const exponent = exponentByCurrency.get(currency);
  if (exponent === undefined) throw new RangeError(`unsupported currency ${currency}`);
  return exponent;
}
