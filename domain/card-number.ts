/**
 * Digits in groups of any size that up to three spaces, dots, dashes or invisible characters set apart; not part of a word, as
 * in an id.
 */
const DIGIT_GROUPS = /(?<![\p{L}\p{N}_])\d+(?:[\s\p{Pd}\p{Cf}\u2212.]{1,3}\d+)*(?![\p{L}\p{N}_])/gu;
/** A UUID is no card number, although it can have groups of digits alone. */
const UUID = /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi;
/** Length of card numbers (ISO/IEC 7812-1), and what the numbers of card schemes begin with: 3 to 6, or 2221 to 2720. */
const CARD_NUMBER = /^(?=\d{13,19}$)(?:[3-6]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720))/;

const MAXIMUM_LENGTH = 19;

/**
 * Whether a text contains what is very likely a card number: digits of a card number's length, in one or more groups, that begin
 * as a card scheme's numbers do and end in a valid check digit.
 */
export function containsCardNumber(text: string): boolean {
  const runs = withPlainDigits(text).replace(UUID, '').match(DIGIT_GROUPS) ?? [];
  return runs.some((run) => hasCardNumber(run.split(/\D+/)));
}

/** The text with 0 to 9 in place of the digits of other scripts, and of their wide and other forms. */
function withPlainDigits(text: string): string {
  if (!/\P{ASCII}/u.test(text)) return text;
  return text.normalize('NFKC').replaceAll(/\p{Nd}/gu, (digit) => String(valueOfDigit(digit)));
}

/** The digits of a script follow each other from 0 to 9, and begin where no digit stands before them. */
function valueOfDigit(digit: string): number {
  const codePoint = digit.codePointAt(0) ?? 0;
  let zero = codePoint;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (codePoint - zero) % 10;
}

/** Whether some neighbouring groups together are a card number. */
function hasCardNumber(groups: readonly string[]): boolean {
  return groups.some((_, first) => {
    let digits = '';
    for (let next = first; next < groups.length && digits.length < MAXIMUM_LENGTH; next += 1) {
      digits += groups[next];
      if (CARD_NUMBER.test(digits) && hasValidCheckDigit(digits)) return true;
    }
    return false;
  });
}

/** The Luhn check (ISO/IEC 7812-1, annex B). */
function hasValidCheckDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
