import type { JsonObject, JsonValue } from './json.ts';

const SENSITIVE_KEY =
  /(cvc|cvv|cvn|csc|security.?code|pan$|^pan|[_. -]pan[_. -]|number|iban|track[12]|cryptogram|holder|name|email|phone|address|birth|vpa|upi.?id|secret|token|authorization|password)/i;
/** 12 to 19 digits, however they are set apart, as long as no letter stands between them. */
const DIGIT_RUN = /\p{Nd}(?:[^\p{L}\p{N}]{0,3}\p{Nd}){11,18}/gu;
/** E-mail addresses and virtual payment addresses. */
const PERSONAL_ADDRESS = /[^\s@"'<>]{1,128}@[^\s@"'<>]{1,128}/gu;
/** PostgreSQL stores neither NUL nor half a surrogate pair, and other control characters are useless to a reader. */
const UNSTORABLE = /[\p{Cc}\p{Cf}\p{Cs}]/gu;

const REDACTED = '[redacted]';
const TRUNCATED = '[cut]';
/** Far more than is kept, so that a number which this limit truncates never becomes part of the kept text. */
const MAXIMUM_SCANNED_LENGTH = 20_000;
const MAXIMUM_TEXT_LENGTH = 500;
const MAXIMUM_KEY_LENGTH = 100;
const MAXIMUM_ENTRIES = 30;
const MAXIMUM_DEPTH = 6;
const MAXIMUM_VALUES = 200;

/** Counts down the values that one response may still keep. */
interface Allowance {
  values: number;
}

/** Whether values under this name are card data, secrets or personal data. */
export function isSensitiveName(name: string): boolean {
  return SENSITIVE_KEY.test(name);
}

/**
 * Redacts everything that could be a card number (12 to 19 digits, with or without separators) and every address with an @.
 * The result has at most 500 characters and none that PostgreSQL cannot store.
 */
export function redactText(text: string): string {
  return truncate(redactPersonalData(text.slice(0, MAXIMUM_SCANNED_LENGTH)), MAXIMUM_TEXT_LENGTH);
}

/**
 * A provider's response without card data and personal data, at most 200 values in at most six levels.
 */
export function redactProviderResponse(response: JsonObject): JsonObject {
  return redactObject(response, 0, { values: MAXIMUM_VALUES });
}

function redactObject(object: JsonObject, depth: number, allowance: Allowance): JsonObject {
  const entries = Object.entries(object).slice(0, MAXIMUM_ENTRIES);
  return Object.fromEntries(
    entries.map(([key, value]) => [
      truncate(redactText(key), MAXIMUM_KEY_LENGTH),
      isSensitiveName(key) ? REDACTED : redactValue(value, depth + 1, allowance),
    ]),
  );
}

function redactValue(value: JsonValue, depth: number, allowance: Allowance): JsonValue {
  if (allowance.values <= 0) return TRUNCATED;
  allowance.values -= 1;
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'number') return redactText(String(value)) === String(value) ? value : REDACTED;
  if (typeof value === 'boolean' || value === null) return value;
  if (depth >= MAXIMUM_DEPTH) return TRUNCATED;
  if (isArray(value)) {
    return value.slice(0, MAXIMUM_ENTRIES).map((item) => redactValue(item, depth + 1, allowance));
  }
  return redactObject(value, depth, allowance);
}

function redactPersonalData(text: string): string {
  const withoutNumbers = text.replace(UNSTORABLE, ' ').replace(DIGIT_RUN, REDACTED);
  return withoutNumbers.includes('@') ? withoutNumbers.replace(PERSONAL_ADDRESS, REDACTED) : withoutNumbers;
}

/** Never splits a surrogate pair. */
function truncate(text: string, length: number): string {
  const end = /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) ? length - 1 : length;
  return text.slice(0, end);
}

function isArray(value: JsonObject | readonly JsonValue[]): value is readonly JsonValue[] {
  return Array.isArray(value);
}
