import type { z } from 'zod';
import { isSensitiveName, redactText } from '../domain/redaction.ts';

/** The message for a card number in a field that would be stored in the clear. */
export const NO_CARD_NUMBER = 'This looks like a card number. Send card numbers in paymentMethod.card.number only.';

/** What is wrong with a field: what was expected, what came, and what to do where that is not plain. */
export function mismatchMessage(expected: string, received: string, advice = ''): string {
  return `Expected ${expected}; got ${received}.${advice === '' ? '' : ` ${advice}`}`;
}

const MAXIMUM_SHOWN_LENGTH = 40;
const PRINTABLE = /^[\x20-\x7e]*$/;
/** Keys, salts, client secrets, webhook secrets, and addresses with an @. */
const PRIVATE = /svc_(?:live|test)_|whsec_|_secret_|@/i;

/** A value as a message may repeat it: short, printable and not secret; of other values, the kind and the length. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number') return isHarmless(String(value)) ? String(value) : describeLongNumber(value);
  if (typeof value === 'boolean' || value === null) return String(value);
  if (typeof value !== 'string') return 'an object';
  const isShown =
    value.length <= MAXIMUM_SHOWN_LENGTH && PRINTABLE.test(value) && !PRIVATE.test(value) && isHarmless(value);
  return isShown ? JSON.stringify(value) : `a text of ${counted(value.length, 'character')}`;
}

/** A fraction may have as many digits as a card number, and be none. */
function describeLongNumber(value: number): string {
  const nearest = String(Math.round(value));
  return Number.isInteger(value) || !isHarmless(nearest) ? 'a long number' : `a fraction near ${nearest}`;
}

/** `1 character`, `2 characters`; without a unit, the number alone. */
function counted(count: number | bigint, unit: string | undefined): string {
  return unit === undefined ? String(count) : `${count} ${unit}${Number(count) === 1 ? '' : 's'}`;
}

const KINDS: Readonly<Record<string, string>> = { string: 'a text', number: 'a number', boolean: 'true or false' };

/** Whether a text has no number of a card's length, not even one with a wrong check digit. */
function isHarmless(text: string): boolean {
  return redactText(text) === text;
}

/** The kind of a value without its content: for card data, and for fields in which clients may put anything. */
function describeKind(value: unknown): string {
  return KINDS[typeof value] ?? describeValue(value);
}

/** Values below these fields, and in fields with such names, are not repeated. */
const PRIVATE_PARENTS: ReadonlySet<PropertyKey> = new Set(['paymentMethod', 'metadata', 'credentials']);

function describeInput({ input, path = [] }: Pick<z.core.$ZodRawIssue, 'input' | 'path'>): string {
  const isPrivate = path.some((name) => PRIVATE_PARENTS.has(name) || isSensitiveName(String(name)));
  return isPrivate ? describeKind(input) : describeValue(input);
}

/**
 * The message of a schema whose values need a better description than their type.
 * @param advice what to do, which may depend on the value
 * @param expected reads after "Expected", such as "an upper-case ISO 4217 code, such as EUR"
 */
export function expecting(
  expected: string,
  advice: string | ((issue: z.core.$ZodRawIssue) => string) = '',
): { error: (issue: z.core.$ZodRawIssue) => string } {
  const adviceOn = typeof advice === 'string' ? () => advice : advice;
  return { error: (issue) => mismatchMessage(expected, describeInput(issue), adviceOn(issue)) };
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text in quotes',
  number: 'a number without quotes',
  int: 'a whole number',
  boolean: 'true or false, without quotes',
  array: 'a list in brackets',
  object: 'an object in braces',
  record: 'an object in braces',
};

const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'an ISO 8601 time with its zone, such as 2026-11-22T12:00:00Z',
  url: 'a URL that begins with https:// or http://',
  email: 'an e-mail address',
};

const UNITS: Readonly<Record<string, string>> = { string: 'character', array: 'element' };

/** The message of an issue that its schema does not describe. Card data and long texts never become part of it. */
export function describeIssue(issue: z.core.$ZodRawIssue): string {
  return mismatchMessage(expectedBy(issue), receivedBy(issue), adviceFor(issue));
}

function expectedBy(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected] ?? issue.expected;
    case 'invalid_format':
      return FORMATS[issue.format] ?? `a text of the form ${issue.pattern ?? issue.format}`;
    case 'invalid_value':
      return oneOf(issue.values.map((value) => JSON.stringify(value)));
    case 'invalid_union':
      return oneOf(optionsOf(issue).map((value) => JSON.stringify(value)));
    case 'too_small':
      return `at least ${counted(issue.minimum, UNITS[issue.origin])}`;
    case 'too_big':
      return `at most ${counted(issue.maximum, UNITS[issue.origin])}`;
    case 'unrecognized_keys':
      return noOtherFields(knownFields(issue));
    case 'invalid_key':
      return 'a shorter name, or another one';
    default:
      return 'another value';
  }
}

function receivedBy(issue: z.core.$ZodRawIssue): string {
  const { code, input } = issue;
  if (code === 'unrecognized_keys') return 'this one';
  if (code === 'invalid_key') return 'this one';
  if (code === 'too_small' || code === 'too_big') {
    // Counted as the limit counts: characters, not UTF-16 code units.
    if (typeof input === 'string') return counted(Array.from(input).length, 'character');
    if (Array.isArray(input)) return String(input.length);
  }
  if (code === 'invalid_union') return isAbsent(issue) ? 'nothing' : 'another value';
  return describeInput(issue);
}

/** What to do about a common mistake, if that is clear. */
function adviceFor(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'unrecognized_keys') return 'Check its spelling and place, or leave it out.';
  if (issue.input === undefined) return 'Add the field.';
  if (issue.code !== 'invalid_type') return '';
  if (issue.expected === 'string' && typeof issue.input === 'number') return 'Put it in quotes.';
  if (['number', 'int'].includes(issue.expected) && typeof issue.input === 'string') {
    return issue.input.trim() !== '' && Number.isFinite(Number(issue.input))
      ? 'Leave the quotes out.'
      : 'Send digits alone.';
  }
  return '';
}

/** Whether the field that selects one of several schemas is absent. */
function isAbsent(issue: z.core.$ZodRawIssue): boolean {
  const discriminator = issue.path?.at(-1);
  return discriminator === undefined || Reflect.get(Object(issue.input), discriminator) === undefined;
}

function noOtherFields(known: readonly string[]): string {
  return known.length === 0 ? 'no fields' : `no fields but ${known.join(', ')}`;
}

function oneOf(values: readonly string[]): string {
  return values.length === 1 ? (values[0] ?? '') : `one of ${values.join(', ')}`;
}

function optionsOf(issue: object): readonly unknown[] {
  const options: unknown = Reflect.get(issue, 'options');
  return Array.isArray(options) ? options : [];
}

/** The names of the fields that an object's schema has. */
function knownFields({ inst }: z.core.$ZodRawIssue): readonly string[] {
  const shape: unknown = Reflect.get(Object(inst?._zod.def), 'shape');
  return typeof shape === 'object' && shape !== null ? Object.keys(shape) : [];
}
