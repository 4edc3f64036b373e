// Its main entry loads the names of all countries in all languages.
import countries from 'i18n-iso-countries/index.js';

/** ISO 3166-1 alpha-2 codes, sorted. */
export const COUNTRIES: readonly string[] = Object.keys(countries.getAlpha2Codes()).sort();

const ALPHA_2_CODES: ReadonlySet<string> = new Set(COUNTRIES);

/** Whether a text is an ISO 3166-1 alpha-2 code, in upper case. */
export function isCountry(code: string): boolean {
  return ALPHA_2_CODES.has(code);
}
