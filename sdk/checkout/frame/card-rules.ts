import cardValidator from 'card-validator';
import type { CardProblem } from '../languages/messages.ts';

/** A card as it was typed, digits only but for the expiry. */
export interface TypedCard {
  readonly number: string;
  readonly expiry: string;
  readonly code: string;
}

export type FieldName = keyof TypedCard;
export const FIELD_NAMES: readonly FieldName[] = ['number', 'expiry', 'code'];

/** What is wrong with each field; null where nothing is. */
export type CardProblems = Readonly<Record<FieldName, CardProblem | null>>;

export interface Brand {
  /** Such as `Visa`. */
  readonly name: string;
  readonly shortestNumber: number;
  readonly longestNumber: number;
  readonly codeLength: number;
}

const SHORTEST_NUMBER = 12;
const LONGEST_NUMBER = 19;
const LONGEST_CODE = 4;
const DEFAULT_CODE_LENGTH = 3;
const UNKNOWN_CODE_LENGTHS: readonly number[] = [3, 4];
/** Of the brands that the API knows, this one alone has longer codes. */
const AMERICAN_EXPRESS = { name: 'american_express', codeLength: 4 };
const UNKNOWN_BRAND = 'unknown';
const DEFAULT_GAPS = [4, 8, 12, 16];
const CENTURY = 2_000;
/** How far the last time zone on earth is behind UTC. */
const LAST_ZONE_BEHIND_MS = 12 * 3_600_000;
/** As the API has them: the ranges of RuPay's own numbers by their first six digits, which the package does not have. */
const RUPAY_RANGES: readonly (readonly [first: number, last: number])[] = [
  [508_500, 508_999],
  [606_985, 607_984],
  [608_001, 608_500],
  [652_150, 653_149],
  [817_200, 820_199],
];
const RANGE_DIGITS = 6;
const RUPAY: Brand = { name: 'RuPay', shortestNumber: 16, longestNumber: 16, codeLength: 3 };
/** As the API has it. */
const MOST_YEARS_AHEAD = 19;

export function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '');
}

/** The brand that the beginning of a number tells; null as long as it does not. */
export function brandOf(number: string): Brand | null {
  if (isRuPay(number)) return RUPAY;
  const { card } = cardValidator.number(number);
  if (number === '' || card === null) return null;
  const { niceType: name, lengths, code } = card;
  return { name, shortestNumber: Math.min(...lengths), longestNumber: Math.max(...lengths), codeLength: code.size };
}

function isRuPay(number: string): boolean {
  const range = Number(number.slice(0, RANGE_DIGITS));
  return number.length >= RANGE_DIGITS && RUPAY_RANGES.some(([first, last]) => range >= first && range <= last);
}

/** A number in groups as its brand prints them: `4242 4242 4242 4242`, `3782 822463 10005`. */
export function groupNumber(text: string): string {
  const digits = digitsOf(text);
  const number = digits.slice(0, brandOf(digits)?.longestNumber ?? LONGEST_NUMBER);
  const gaps = cardValidator.number(number).card?.gaps ?? DEFAULT_GAPS;
  return [...number].map((digit, index) => (gaps.includes(index) ? ` ${digit}` : digit)).join('');
}

/** An expiry as it is typed: `1230`, `12/2030` and `12 / 30` become `12/30`, and `4` becomes `04`. */
export function formatExpiry(text: string): string {
  const [, typedMonth, typedYear] = /^\s*(\d{1,2})\s*[/.-]\s*(\d*)/.exec(text) ?? [];
  const digits = typedMonth === undefined ? digitsOf(text) : `${typedMonth.padStart(2, '0')}${typedYear ?? ''}`;
  const padded = /^[2-9]/.test(digits) ? `0${digits}` : digits;
  if (padded.length <= 2 && typedMonth === undefined) return padded;
  return `${padded.slice(0, 2)}/${shortYear(padded.slice(2))}`;
}

/** The last two digits of a year. `203` may become `2030`. */
function shortYear(digits: string): string {
  if (/^20\d$/.test(digits)) return digits;
  return /^20\d{2}/.test(digits) ? digits.slice(2, 4) : digits.slice(0, 2);
}

export function formatCode(text: string): string {
  return digitsOf(text).slice(0, LONGEST_CODE);
}

/** Month (1 to 12) and year of an expiry such as `12/30`; null where it is none. */
export function parseExpiry(expiry: string): { readonly month: number; readonly year: number } | null {
  const [, month, year] = /^(0[1-9]|1[0-2])\/(\d{2})$/.exec(expiry) ?? [];
  return month === undefined ? null : { month: Number(month), year: CENTURY + Number(year) };
}

/** What is wrong with a card, as far as the page can tell. */
export function problemsOf({ number, expiry, code }: TypedCard, nowMs: number): CardProblems {
  return {
    number: numberProblem(number),
    expiry: expiryProblem(expiry, nowMs),
    code: codeProblem(code, codeLengthsOf(brandOf(number))),
  };
}

/** What is wrong with the security code of a saved card. @param brand as the API names it */
export function problemsOfSaved({ code }: Pick<TypedCard, 'code'>, brand: string): CardProblems {
  return {
    number: null,
    expiry: null,
    code: codeProblem(code, brand === UNKNOWN_BRAND ? UNKNOWN_CODE_LENGTHS : [codeLengthOfSaved(brand)]),
  };
}

function numberProblem(number: string): CardProblem | null {
  if (number === '') return 'number_missing';
  if (number.length < (brandOf(number)?.shortestNumber ?? SHORTEST_NUMBER)) return 'number_incomplete';
  const isValid = cardValidator.number(number).isValid || (number.length <= LONGEST_NUMBER && hasCheckDigit(number));
  return isValid ? null : 'number_invalid';
}

/** The Luhn check (ISO/IEC 7812-1, annex B): from the end, each second digit counts as the sum of the digits of its double. */
function hasCheckDigit(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** A card is valid until its month has ended everywhere on earth. */
function expiryProblem(text: string, nowMs: number): CardProblem | null {
  if (text === '') return 'expiry_missing';
  const expiry = parseExpiry(text);
  if (expiry === null) return 'expiry_invalid';
  if (Date.UTC(expiry.year, expiry.month) + LAST_ZONE_BEHIND_MS <= nowMs) return 'expired';
  return expiry.year > new Date(nowMs).getUTCFullYear() + MOST_YEARS_AHEAD ? 'expiry_invalid' : null;
}

function codeLengthsOf(brand: Brand | null): readonly number[] {
  return brand === null ? UNKNOWN_CODE_LENGTHS : [brand.codeLength];
}

function codeProblem(code: string, lengths: readonly number[]): CardProblem | null {
  if (code === '') return 'code_missing';
  return lengths.includes(code.length) ? null : 'code_length';
}

/** How many digits the security code of a saved card has. @param brand as the API names it */
export function codeLengthOfSaved(brand: string): number {
  return brand === AMERICAN_EXPRESS.name ? AMERICAN_EXPRESS.codeLength : DEFAULT_CODE_LENGTH;
}

/** How many digits the security code of a card has. */
export function codeLengthOf(number: string): number {
  return brandOf(number)?.codeLength ?? DEFAULT_CODE_LENGTH;
}
