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

/** Stands for the currencies with two decimals, where none is chosen. */
export const ANY_WITH_CENTS = 'EUR';

/** An amount in the reader's locale, without its currency. @param amountMinor whole minor units */
export function formatNumber(amountMinor: number, currency: string, locale?: string): string {
  const exponent = currencyExponent(currency);
  return new Intl.NumberFormat(locale, { minimumFractionDigits: exponent, maximumFractionDigits: exponent }).format(
    amountMinor / 10 ** exponent,
  );
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

/** An amount as a decimal in the reader's locale, for inputs: `1299.90`, or `1299,90`. @param amountMinor whole minor units */
export function decimalOf(amountMinor: number, currency: string, locale?: string): string {
  const exponent = currencyExponent(currency);
  return new Intl.NumberFormat(locale, {
    useGrouping: false,
    minimumFractionDigits: exponent,
    maximumFractionDigits: exponent,
  }).format(amountMinor / 10 ** exponent);
}

/** Scripts that are written from the right begin amounts with one. */
const DIRECTION_MARKS = /[\u200e\u200f\u061c]/g;
/** Between digits they only group them, in every locale. */
const NOTHING_BUT_GROUPS = /(?<=\d)[\s'’](?=\d)/g;
/** Groups of three digits, and of two before them as in India. */
const GROUPED = /^[1-9]\d{0,2}(?:,\d{2,3})*,\d{3}$/;

/**
 * What was typed as whole minor units; undefined where it is no amount of the currency. It is read as people of the locale write it,
 * with or without groups and the currency: `1,299.90`, `1.299,90 EUR`. Where the separators leave no doubt, those of others are read too.
 */
export function parseMoney(text: string, currency: string, locale?: string): number | undefined {
  const exponent = currencyExponent(currency);
  const { whole, fraction } = partsOf(plainDigits(withoutCurrency(text, currency), locale), locale);
  if (!/^\d{1,12}$/.test(whole) || !/^\d*$/.test(fraction) || fraction.length > exponent) return undefined;
  return Number(whole + fraction.padEnd(exponent, '0'));
}

function withoutCurrency(text: string, currency: string): string {
  const trimmed = text.replaceAll(DIRECTION_MARKS, '').trim();
  const upper = trimmed.toUpperCase();
  if (upper.startsWith(currency)) return trimmed.slice(currency.length).trim();
  return upper.endsWith(currency) ? trimmed.slice(0, -currency.length).trim() : trimmed;
}

/** The text with the digits 0 to 9, of whichever script the locale writes them in, and without what only groups them. */
function plainDigits(text: string, locale: string | undefined): string {
  const format = new Intl.NumberFormat(locale, { useGrouping: false });
  const digits = new Map(Array.from({ length: 10 }, (_, digit) => [format.format(digit), String(digit)]));
  return [...text]
    .map((letter) => digits.get(letter) ?? letter)
    .join('')
    .replaceAll('\u066b', ',')
    .replaceAll('\u066c', '')
    .replaceAll(NOTHING_BUT_GROUPS, '');
}

interface NumberParts {
  readonly whole: string;
  /** Empty for a whole number. */
  readonly fraction: string;
}

const NO_NUMBER: NumberParts = { whole: '', fraction: '' };

/** @param text digits, points and commas */
function partsOf(text: string, locale: string | undefined): NumberParts {
  const separators = text.replaceAll(/[^.,]/g, '');
  const decimal = decimalSign(text, separators, locale);
  const parts = decimal === null ? [text] : text.split(decimal);
  const [whole = '', fraction = '', ...more] = parts;
  if (more.length > 0 || (decimal !== null && fraction === '')) return NO_NUMBER;
  const grouped = whole.replaceAll('.', ',');
  if (!grouped.includes(',')) return { whole, fraction };
  return GROUPED.test(grouped) && !/\..*,|,.*\./.test(whole)
    ? { whole: grouped.replaceAll(',', ''), fraction }
    : NO_NUMBER;
}

/** The sign before the fraction; null where there is none. Of two signs the last one is it, and one that is there twice is not. */
function decimalSign(text: string, separators: string, locale: string | undefined): '.' | ',' | null {
  const last = separators.at(-1);
  if (last !== '.' && last !== ',') return null;
  if (separators.length === 1) {
    const isLocales = last === decimalOfLocale(locale);
    return isLocales || !GROUPED.test(text.replace('.', ',')) ? last : null;
  }
  return separators.indexOf(last) === separators.length - 1 ? last : null;
}

function decimalOfLocale(locale: string | undefined): '.' | ',' {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5);
  return parts.some(({ type, value }) => type === 'decimal' && value === '.') ? '.' : ',';
}
