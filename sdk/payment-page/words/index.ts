import { languageOf } from '../../checkout/languages/index.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { hi } from './hi.ts';
import type { Words } from './words.ts';

const WORDS: Readonly<Record<string, Words>> = { en, de, es, hi };

/** A language of the page, and where the reader's numbers and dates are from. */
export interface Reader {
  /** Of the words: `de`. */
  readonly language: string;
  /** Of numbers and dates: `de-AT`. */
  readonly locale: string;
  readonly words: Words;
}

/** The first of the reader's languages that the page has; English for everybody else. @param tags such as `de-AT` */
export function readerOf(tags: readonly string[]): Reader {
  const known = tags.find((tag) => Object.hasOwn(WORDS, tag.split('-')[0]?.toLowerCase() ?? ''));
  const language = languageOf(known ?? 'en');
  return { language, locale: known !== undefined && isLocale(known) ? known : language, words: WORDS[language] ?? en };
}

/** The page's URL may name a malformed tag, such as `de-`, for which `Intl` throws. */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}

/** Text with its names in braces replaced. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
