import type { JsonObject, JsonValue } from './json.ts';

const SENSITIVE_KEY =
  /(cvc|cvv|cvn|csc|security.?code|pan$|^pan|[_. -]pan[_. -]|number|iban|track[12]|cryptogram|holder|name|email|phone|address|birth|vpa|upi.?id|secret|token|authorization|password)/i;
/** 12 to 19 digits, however they are set apart, as long as no letter stands between them. */
const DIGIT_RUN = /\p{Nd}(?:[^\p{L}\p{N}]{0,3}\p{Nd}){11,18}/gu;
/** E-mail addresses and virtual payment addresses. */
const PERSONAL_ADDRESS = /[^\s@"'<>]{1,128}@[^\s@"'<>]{1,128}/gu;
/** PostgreSQL stores neither NUL nor half a surrogate pair, and no other control character tells a reader anything. */
const UNSTORABLE = /[\p{Cc}\p{Cf}\p{Cs}]/gu;

const REDACTED = '[redacted]';
const CUT = '[cut]';
/** Far more than is kept, so that blotting out never shortens the text to where a number was cut in two. */
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

/**
 * Text with everything that could be a card number (12 to 19 digits, set apart or not) and every address with an @
 * blotted out, fit for the database, cut to 500 characters.
 */
export function redactText(text: string): string {
  return cut(blot(text.slice(0, MAXIMUM_SCANNED_LENGTH)), MAXIMUM_TEXT_LENGTH);
}

/**
 * What a provider said, made fit to be kept and shown: no card data, nothing personal, at most 200 values in at most
 * six levels.
 */
export function redactProviderResponse(response: JsonObject): JsonObject {
  return redactObject(response, 0, { values: MAXIMUM_VALUES });
}

function redactObject(object: JsonObject, depth: number, allowance: Allowance): JsonObject {
  const entries = Object.entries(object).slice(0, MAXIMUM_ENTRIES);
  return Object.fromEntries(
    entries.map(([key, value]) => [
      cut(redactText(key), MAXIMUM_KEY_LENGTH),
      SENSITIVE_KEY.test(key) ? REDACTED : redactValue(value, depth + 1, allowance),
    ]),
  );
}

function redactValue(value: JsonValue, depth: number, allowance: Allowance): JsonValue {
  if (allowance.values <= 0) return CUT;
  allowance.values -= 1;
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'number') return redactText(String(value)) === String(value) ? value : REDACTED;
  if (typeof value === 'boolean' || value === null) return value;
  if (depth >= MAXIMUM_DEPTH) return CUT;
  if (isArray(value)) {
    return value.slice(0, MAXIMUM_ENTRIES).map((item) => redactValue(item, depth + 1, allowance));
  }
  return redactObject(value, depth, allowance);
}

function blot(text: string): string {
  const withoutNumbers = text.replace(UNSTORABLE, ' ').replace(DIGIT_RUN, REDACTED);
  return withoutNumbers.includes('@') ? withoutNumbers.replace(PERSONAL_ADDRESS, REDACTED) : withoutNumbers;
}

/** Never leaves half a surrogate pair behind. */
function cut(text: string, length: number): string {
  const end = /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) ? length - 1 : length;
  return text.slice(0, end);
}

function isArray(value: JsonObject | readonly JsonValue[]): value is readonly JsonValue[] {
  return Array.isArray(value);
}
