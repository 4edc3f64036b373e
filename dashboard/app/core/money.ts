/** Digits after the decimal point of each currency that has not 2 (ISO 4217); the browser's own table differs from it. */
const EXPONENTS: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
};

const exponents = new Map(
  Object.entries(EXPONENTS).flatMap(([exponent, codes]) => codes.split(' ').map((code) => [code, Number(exponent)])),
);

/** Digits after the decimal point. */
export function currencyExponent(currency: string): number {
  return exponents.get(currency) ?? 2;
}

/** An amount in the reader's locale. @param amountMinor whole minor units */
export function formatMoney(amountMinor: number, currency: string, locale?: string): string {
  const exponent = currencyExponent(currency);
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    minimumFractionDigits: exponent,
    maximumFractionDigits: exponent,
  }).format(amountMinor / 10 ** exponent);
}

/** An amount in few letters, for the axes of plots: `EUR 1.2K`. @param amountMinor whole minor units */
export function formatMoneyShort(amountMinor: number, currency: string, locale?: string): string {
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    notation: 'compact',
    maximumFractionDigits: 1,
  }).format(amountMinor / 10 ** currencyExponent(currency));
}

/** An amount as a plain decimal, for inputs: `12.34`. @param amountMinor whole minor units */
export function decimalOf(amountMinor: number, currency: string): string {
  return (amountMinor / 10 ** currencyExponent(currency)).toFixed(currencyExponent(currency));
}

/** What was typed as whole minor units; undefined where it is no amount of the currency. */
export function parseMoney(text: string, currency: string): number | undefined {
  const exponent = currencyExponent(currency);
  const [, whole = '', fraction = ''] = /^(\d{1,12})(?:[.,](\d{1,3}))?$/.exec(text.trim()) ?? [];
  if (whole === '' || fraction.length > exponent) return undefined;
  return Number(whole + fraction.padEnd(exponent, '0'));
}
