import type { CheckoutError } from '../types.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { hi } from './hi.ts';
import type { Messages } from './messages.ts';

/** A language is one file, and a row here. The first one is for everybody else. */
const LANGUAGES: Readonly<Record<string, Messages>> = { en, de, es, hi };
const DEFAULT_LANGUAGE = 'en';

/** The language to use for a language tag such as `de-AT`. */
export function languageOf(tag: string): string {
  const language = tag.split('-')[0]?.toLowerCase() ?? '';
  return Object.hasOwn(LANGUAGES, language) ? language : DEFAULT_LANGUAGE;
}

export function messagesOf(language: string): Messages {
  return LANGUAGES[languageOf(language)] ?? en;
}

/**
 * Says to the customer why something failed, and what they can do: by the reason of a declined card where there is one
 * (`expired_card`, `authentication_failed`), else by the code, else in the words of the API.
 * @param language a language tag such as `de` or `es-MX`
 */
export function describeError({ code, message, details }: CheckoutError, language: string): string {
  const failures: Readonly<Record<string, string>> = messagesOf(language).failures;
  const names = [details?.reason, code];
  const known = names.find((name): name is string => typeof name === 'string' && Object.hasOwn(failures, name));
  return known === undefined ? message : (failures[known] ?? message);
}
