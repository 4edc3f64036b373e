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
const DEFAULT_GAPS = [4, 8, 12, 16];
const CENTURY = 2_000;
/** As the API has it. */
const MOST_YEARS_AHEAD = 19;

export function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '');
}

/** The brand that the beginning of a number tells; null as long as it does not. */
export function brandOf(number: string): Brand | null {
  const { card } = cardValidator.number(number);
  if (number === '' || card === null) return null;
  const { niceType: name, lengths, code } = card;
  return { name, shortestNumber: Math.min(...lengths), longestNumber: Math.max(...lengths), codeLength: code.size };
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
    code: codeProblem(code, brandOf(number)),
  };
}

function numberProblem(number: string): CardProblem | null {
  if (number === '') return 'number_missing';
  const { isValid, isPotentiallyValid } = cardValidator.number(number);
  if (isValid) return null;
  const isShort = isPotentiallyValid && number.length < (brandOf(number)?.shortestNumber ?? SHORTEST_NUMBER);
  return isShort ? 'number_incomplete' : 'number_invalid';
}

/** A card is valid until the end of its month. */
function expiryProblem(text: string, nowMs: number): CardProblem | null {
  if (text === '') return 'expiry_missing';
  const expiry = parseExpiry(text);
  if (expiry === null) return 'expiry_invalid';
  if (Date.UTC(expiry.year, expiry.month) <= nowMs) return 'expired';
  return expiry.year > new Date(nowMs).getUTCFullYear() + MOST_YEARS_AHEAD ? 'expiry_invalid' : null;
}

function codeProblem(code: string, brand: Brand | null): CardProblem | null {
  if (code === '') return 'code_missing';
  return code.length === (brand?.codeLength ?? DEFAULT_CODE_LENGTH) ? null : 'code_length';
}

/** How many digits the security code of a card has. */
export function codeLengthOf(number: string): number {
  return brandOf(number)?.codeLength ?? DEFAULT_CODE_LENGTH;
}
