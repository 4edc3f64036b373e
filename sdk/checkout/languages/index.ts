import type { CheckoutError, FutureUsage } from '../types.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { hi } from './hi.ts';
import type { FailureName, Messages } from './messages.ts';

/** A language is one file, and a row here. The first one is for everybody else. */
const LANGUAGES: Readonly<Record<string, Messages>> = { en, de, es, hi };
const DEFAULT_LANGUAGE = 'en';

/** Codes whose message for customers is that of another code. */
const SAME_AS: Readonly<Record<string, FailureName>> = {
  UNSUPPORTED_REGION: 'NO_TSP_AVAILABLE',
  UNSUPPORTED_CURRENCY_PAIR: 'NO_TSP_AVAILABLE',
  INVALID_PAYMENT_METHOD: 'NO_TSP_AVAILABLE',
  FRAUD_DETECTED: 'PAYMENT_DECLINED',
  PROVIDER_VALIDATION_ERROR: 'PAYMENT_FAILED',
  TSP_ERROR: 'SERVICE_UNAVAILABLE',
  TSP_TIMEOUT: 'SERVICE_UNAVAILABLE',
  TSP_UNAVAILABLE: 'SERVICE_UNAVAILABLE',
  INTERNAL_ERROR: 'SERVICE_UNAVAILABLE',
};

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
  const failures = new Map(Object.entries<string>(messagesOf(language).failures));
  const { reason } = details ?? {};
  return failures.get(String(reason)) ?? failures.get(SAME_AS[code] ?? code) ?? message;
}

/**
 * What a customer agrees to by ticking a box that is empty at first. Show this text beside the box, and send it as `consent.text` of
 * the confirm with the same `setupFutureUsage`.
 * @param language a language tag such as `de` or `es-MX`
 */
export function consentText(
  { merchant, setupFutureUsage }: { readonly merchant: string; readonly setupFutureUsage: FutureUsage },
  language: string,
): string {
  return messagesOf(language).consents[setupFutureUsage].replaceAll('{merchant}', () => merchant);
}
