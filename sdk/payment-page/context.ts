import { type Reader, readerOf } from './words/index.ts';

const asked = new URLSearchParams(location.search).get('language');

/** Who reads this page: the language that the address names (`?language=de`), else the first of the browser's that the page has. */
export const READER: Reader = readerOf([...(asked === null ? [] : [asked]), ...navigator.languages]);

/** The address of the page, to which banks lead back; without the fragment. */
export const PAGE_URL = `${location.origin}${location.pathname}${location.search}`;

/** An amount in the reader's locale. @param digits after the point, as the API knows them */
export function formatMoney(amountMinor: number, currency: string, digits: number): string {
  return new Intl.NumberFormat(READER.locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amountMinor / 10 ** digits);
}

/** A time in the reader's locale and zone. @param iso ISO 8601 */
export function formatTime(iso: string): string {
  return new Intl.DateTimeFormat(READER.locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso));
}
