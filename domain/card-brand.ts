import cardValidator from 'card-validator';
import { isCardNumber } from './card-number.ts';

/** What the beginning of a card number tells of the card. */
export interface CardBrand {
  /** In lower case with underscores: `american_express`. */
  readonly name: string;
  /** As people write it: `American Express`. */
  readonly title: string;
  /** Lengths of its numbers, in digits. */
  readonly lengths: readonly number[];
  readonly codeLength: number;
  /** After how many digits a gap is printed. */
  readonly gaps: readonly number[];
}

/**
 * The ranges of RuPay's own numbers by their first six digits, which the package does not have. It takes those within ranges of
 * Discover, Maestro or UnionPay for theirs.
 */
const RUPAY_RANGES: readonly (readonly [first: number, last: number])[] = [
  [508_500, 508_999],
  [606_985, 607_984],
  [608_001, 608_500],
  [652_150, 653_149],
  [817_200, 820_199],
];
const RANGE_DIGITS = 6;
const NO_DIGIT = /\D/;
const RUPAY: CardBrand = { name: 'rupay', title: 'RuPay', lengths: [16], codeLength: 3, gaps: [4, 8, 12] };

/** The brand that the beginning of a card number tells; null where none is known, or several are possible. */
export function cardBrandOf(digits: string): CardBrand | null {
  if (isRuPay(digits)) return RUPAY;
  const { card } = cardValidator.number(digits);
  if (digits === '' || card === null) return null;
  const { type, niceType: title, lengths, code, gaps } = card;
  return { name: type.replaceAll('-', '_'), title, lengths, codeLength: code.size, gaps };
}

function isRuPay(digits: string): boolean {
  const range = Number(digits.slice(0, RANGE_DIGITS));
  return digits.length >= RANGE_DIGITS && RUPAY_RANGES.some(([first, last]) => range >= first && range <= last);
}

/**
 * Whether digits can be the number of a card. Brands that are not known here exist, so the length and the check digit are all that
 * is required; UnionPay has cards without a check digit.
 */
export function canBeCard(digits: string): boolean {
  return isCardNumber(digits) || (!NO_DIGIT.test(digits) && cardValidator.number(digits).isValid);
}
