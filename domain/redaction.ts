import { isId, RESOURCE_KINDS } from './ids.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { kindOfProviderAccount } from './provider-account.ts';

const SENSITIVE_KEY =
  /(cvc|cvv|cvn|csc|security.?code|pan$|^pan|[_. -]pan[_. -]|number|iban|track[12]|cryptogram|holder|name|email|phone|address|birth|vpa|upi.?id|secret|token|authorization|password|credential|api.?key$|hmac)/i;
/** 12 to 19 digits, however they are set apart, as long as no letter stands between them. */
const DIGIT_RUN = /\p{Nd}(?:[^\p{L}\p{N}]{0,3}\p{Nd}){11,18}/gu;
/** E-mail addresses and virtual payment addresses. It begins where a word begins, so that no word is looked through twice. */
const PERSONAL_ADDRESS = /(?<![^\s@"'<>])[^\s@"'<>]+@[^\s@"'<>]+/gu;
/** PostgreSQL stores neither NUL nor half a surrogate pair, and other control characters are useless to a reader. */
const UNSTORABLE = /[\p{Cc}\p{Cf}\p{Cs}]/gu;

const REDACTED = '[redacted]';
const TRUNCATED = '[cut]';
/** Far more than is kept, so that the kept text never contains a number that this limit truncates. */
const MAXIMUM_SCANNED_LENGTH = 20_000;
const MAXIMUM_TEXT_LENGTH = 500;
const MAXIMUM_KEY_LENGTH = 100;
const MAXIMUM_ENTRIES = 30;
const MAXIMUM_DEPTH = 6;
const MAXIMUM_VALUES = 200;

/** Keys, webhook secrets and client secrets of this engine. */
const SECRET = /\b(?:svc_(?:live|test)_|whsec_|pi_[0-9a-f]{32}_secret_)[\w+/=-]{12,}/g;

/**
 * Whoever has the token in the address of a payment link can pay; whoever has that of a return address can come back in the
 * customer's place.
 */
const TOKEN_IN_ADDRESS = /(\/pay\/|\/returns\/[^/\s]{1,80}\/)[\w-]{32}(?![\w-])/gi;

/** Most names and words in bodies: they have no digit, and are too short for a secret. */
const HARMLESS = /^[A-Za-z_]{0,17}$/;

/** The rules of one redaction, and how many values it may still keep. */
interface Redaction {
  values: number;
  readonly entries: number;
  /** Whether the body is of this API, whose names are known, rather than a provider's. */
  readonly isBody: boolean;
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
  if (HARMLESS.test(text)) return text;
  return truncate(redactPersonalData(text.slice(0, MAXIMUM_SCANNED_LENGTH)), MAXIMUM_TEXT_LENGTH);
}

/**
 * Redacts the answer of a merchant's server: removes what could be a card number, a secret of this engine or an address, and
 * keeps line breaks.
 */
export function redactReply(text: string): string {
  return withoutPersonalData(text.replaceAll('\u0000', ''));
}

/**
 * A provider's response without card data and personal data, at most 200 values in at most six levels.
 */
export function redactProviderResponse(response: JsonObject): JsonObject {
  return redactObject(response, 0, { values: MAXIMUM_VALUES, entries: MAXIMUM_ENTRIES, isBody: false });
}

/** Parents of card data in bodies, also where clients make up the name, and what is kept below them. */
const METHOD_NAME = /card|payment_?method|source/i;
const KEPT_OF_METHOD: ReadonlySet<string> = new Set([
  'type',
  'card',
  'upi',
  'crypto',
  'brand',
  'last4',
  'asset',
  'network',
  'expiryMonth',
  'expiryYear',
]);
/** A CVC, whatever the field is called. */
const SHORT_NUMBER = /^\p{Nd}{3,4}$/u;
const BODY_LIMITS = { values: 400, entries: 60 } as const;

/** The body of a request or of a response of this API without card data, personal data and secrets. */
export function redactBody(body: JsonValue): JsonValue {
  return redactValue(body, 0, { ...BODY_LIMITS, isBody: true });
}

function redactObject(object: JsonObject, depth: number, redaction: Redaction, isMethod = false): JsonObject {
  const entries = Object.entries(object).slice(0, redaction.entries);
  return Object.fromEntries(
    entries.map(([key, value]) => [
      truncate(redactText(key), MAXIMUM_KEY_LENGTH),
      isHidden(key, isMethod) ? REDACTED : redactMember(key, value, depth + 1, { redaction, isMethod }),
    ]),
  );
}

function isHidden(key: string, isMethod: boolean): boolean {
  return isSensitiveName(key) || (isMethod && !KEPT_OF_METHOD.has(key));
}

function redactMember(
  key: string,
  value: JsonValue,
  depth: number,
  { redaction, isMethod }: { readonly redaction: Redaction; readonly isMethod: boolean },
): JsonValue {
  if (!redaction.isBody) return redactValue(value, depth, redaction);
  if (isMethod && key === 'last4' && typeof value === 'string' && SHORT_NUMBER.test(value)) return value;
  return redactValue(value, depth, redaction, isMethod || METHOD_NAME.test(key));
}

function redactValue(value: JsonValue, depth: number, redaction: Redaction, isMethod = false): JsonValue {
  if (redaction.values <= 0) return TRUNCATED;
  redaction.values -= 1;
  if (typeof value === 'string') return redaction.isBody ? redactBodyText(value) : redactText(value);
  if (typeof value === 'number') return redactText(String(value)) === String(value) ? value : REDACTED;
  if (typeof value === 'boolean' || value === null) return value;
  if (depth >= MAXIMUM_DEPTH) return TRUNCATED;
  if (isArray(value)) {
    return value.slice(0, redaction.entries).map((item) => redactValue(item, depth + 1, redaction, isMethod));
  }
  return redactObject(value, depth, redaction, isMethod);
}

/** A prefix of two letters, and 32 digits. */
const SHORTEST_ID = 35;

/** Ids of this engine are kept, though they may have many digits. */
function redactBodyText(text: string): string {
  if (text.length >= SHORTEST_ID && isIdOfEngine(text)) return text;
  return SHORT_NUMBER.test(text) ? REDACTED : redactText(text);
}

/** Whether a text has the form of an id of this engine; says nothing about existence. */
export function isIdOfEngine(text: string): boolean {
  return RESOURCE_KINDS.some((kind) => isId(kind, text)) || kindOfProviderAccount(text) !== undefined;
}

/** Redacts keys, webhook secrets, client secrets and tokens in addresses of this engine, and nothing else. */
export function redactSecrets(text: string): string {
  return text.replace(SECRET, REDACTED).replace(TOKEN_IN_ADDRESS, `$1${REDACTED}`);
}

function redactPersonalData(text: string): string {
  return withoutPersonalData(text.replace(UNSTORABLE, ' '));
}

function withoutPersonalData(text: string): string {
  const withoutNumbers = redactSecrets(text).replace(DIGIT_RUN, REDACTED);
  return withoutNumbers.includes('@') ? withoutNumbers.replace(PERSONAL_ADDRESS, REDACTED) : withoutNumbers;
}

/** Truncates a text, and never splits a surrogate pair. */
function truncate(text: string, length: number): string {
  const end = /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) ? length - 1 : length;
  return text.slice(0, end);
}

function isArray(value: JsonObject | readonly JsonValue[]): value is readonly JsonValue[] {
  return Array.isArray(value);
}
