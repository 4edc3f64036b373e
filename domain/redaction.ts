import type { JsonObject, JsonValue } from './json.ts';

const SENSITIVE_KEY =
  /(cvc|cvv|cvn|csc|security.?code|card.?number|account.?number|\bpan\b|number|holder|name|email|phone|vpa|upi.?id|secret|token|authorization|password)/i;
const DIGIT_RUN = /\d(?:[ -]?\d){11,18}/g;
const MAXIMUM_TEXT_LENGTH = 500;
const MAXIMUM_ENTRIES = 30;
const MAXIMUM_DEPTH = 4;

/** Text with everything that could be a card number (12 to 19 digits, spaced or not) blotted out, cut to 500 characters. */
export function redactText(text: string): string {
  return text.replace(DIGIT_RUN, '[redacted]').slice(0, MAXIMUM_TEXT_LENGTH);
}

/**
 * What a provider said, made fit to be kept and shown: no card data, nothing personal, bounded in depth and size.
 */
export function redactProviderResponse(response: JsonObject): JsonObject {
  return redactObject(response, 0);
}

function redactObject(object: JsonObject, depth: number): JsonObject {
  const entries = Object.entries(object).slice(0, MAXIMUM_ENTRIES);
  return Object.fromEntries(
    entries.map(([key, value]) => [
      redactText(key),
      SENSITIVE_KEY.test(key) ? '[redacted]' : redactValue(value, depth + 1),
    ]),
  );
}

function redactValue(value: JsonValue, depth: number): JsonValue {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'number') return redactText(String(value)) === String(value) ? value : '[redacted]';
  if (typeof value === 'boolean' || value === null) return value;
  if (depth >= MAXIMUM_DEPTH) return '[cut]';
  if (isArray(value)) return value.slice(0, MAXIMUM_ENTRIES).map((item) => redactValue(item, depth + 1));
  return redactObject(value, depth);
}

function isArray(value: JsonObject | readonly JsonValue[]): value is readonly JsonValue[] {
  return Array.isArray(value);
}
