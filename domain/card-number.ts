/**
 * Digits in groups of any size, separated by up to three spaces, dots, dashes, underscores or invisible characters, also where a
 * word is next to them.
 */
const DIGIT_GROUPS = /\d+(?:[\s\p{Pd}\p{Cf}\u2212._]{1,3}\d+)*/gu;
/**
 * The groups that are printed on cards, separated by slashes, commas and the like. Groups of other sizes are lists of numbers, or
 * amounts.
 */
const PRINTED_GROUPS = /(?<!\d)(?:(?:\d{4}[/\\,;:|+]\s?){3}\d{1,7}|\d{4}[/\\,;:|+]\s?\d{6}[/\\,;:|+]\s?\d{4,5})(?!\d)/g;
/** Ids and digests of any system: with so many digits and letters from a to f, they have runs of digits of any kind. */
const HEXADECIMAL = /(?<![\da-z])(?:[a-z]{1,12}_)?(?=\d*[a-f])[\da-f]{20,}(?![\da-z])/gi;
/** A UUID is no card number, although its groups may all be digits. */
const UUID = /(?<![\da-z])[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?![\da-z])/gi;
/** The beginnings of card schemes' numbers: 3 to 6, 81 and 82 (UnionPay, RuPay), 2200 to 2204 (Mir), or 2221 to 2720. */
const BEGINNING = /^(?:[3-6]|8[12]|2(?:20[0-4]|22[1-9]|2[3-9]|[3-6]|7[01]|720))/;
const LONGEST_BEGINNING = 4;
/** Lengths of card numbers (ISO/IEC 7812-1). */
const LENGTH = { minimum: 13, maximum: 19 } as const;

/** Lengths of the numbers that cards may have: some Maestro cards have the shortest. */
const CARD_DIGITS = /^\d{12,19}$/;

/** Whether digits alone are of a card number's length and end in a valid check digit, whatever the card's brand. */
export function isCardNumber(digits: string): boolean {
  return CARD_DIGITS.test(digits) && createLuhnCheck(digits)(0, digits.length);
}

/**
 * Whether a text contains what is very likely a card number: digits of a card number's length, in one or more groups, that begin
 * as a card scheme's numbers do and end in a valid check digit.
 */
export function containsCardNumber(text: string): boolean {
  const searched = withPlainDigits(text).replace(UUID, '').replace(HEXADECIMAL, '#');
  const runs = [...(searched.match(DIGIT_GROUPS) ?? []), ...(searched.match(PRINTED_GROUPS) ?? [])];
  return runs.some((run) => hasCardNumber(run.split(/\D+/)));
}

/**
 * The text with 0 to 9 in place of the digits of other scripts, and of their wide and other forms. Each character is normalised by
 * itself: in a whole text, marks that follow each other are sorted too, which takes the square of their number.
 */
function withPlainDigits(text: string): string {
  if (!/\P{ASCII}/u.test(text)) return text;
  return text
    .replaceAll(/\P{ASCII}/gu, (character) => character.normalize('NFKC'))
    .replaceAll(/\p{Nd}/gu, (digit) => String(valueOfDigit(digit)));
}

/** The digits of a script follow each other from 0 to 9, and no digit precedes its 0. */
function valueOfDigit(digit: string): number {
  const codePoint = digit.codePointAt(0) ?? 0;
  let zero = codePoint;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (codePoint - zero) % 10;
}

/** Whether some neighbouring groups together are a card number. */
function hasCardNumber(groups: readonly string[]): boolean {
  const digits = groups.join('');
  const isValid = createLuhnCheck(digits);
  let start = 0;
  return groups.some((group, first) => {
    const from = start;
    start += group.length;
    return (
      BEGINNING.test(digits.slice(from, from + LONGEST_BEGINNING)) &&
      endsOf(groups, first, from).some((to) => isValid(from, to))
    );
  });
}

/** The groups at which numbers of a card's length may end that begin with a certain group. @param from where that group begins */
function endsOf(groups: readonly string[], first: number, from: number): readonly number[] {
  const ends: number[] = [];
  let end = from;
  for (let next = first; next < groups.length && end - from < LENGTH.maximum; next += 1) {
    end += groups[next]?.length ?? 0;
    if (end - from >= LENGTH.minimum && end - from <= LENGTH.maximum) ends.push(end);
  }
  return ends;
}

/** The sums of the digits of twice 0 to 9. */
const DOUBLED = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9] as const;

/**
 * The Luhn check (ISO/IEC 7812-1, annex B) of any part of a text of digits. It doubles each second digit, beginning with the last
 * but one. The sums up to each place are computed once, so the check of a part takes the same time however long the text is.
 */
function createLuhnCheck(digits: string): (from: number, to: number) => boolean {
  /** The sums where digits at even places are doubled, and where those at odd places are. */
  const sums = [new Uint32Array(digits.length + 1), new Uint32Array(digits.length + 1)] as const;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits.charAt(place));
    const doubled = DOUBLED[digit] ?? 0;
    const isEven = place % 2 === 0;
    sums[0][place + 1] = (sums[0][place] ?? 0) + (isEven ? doubled : digit);
    sums[1][place + 1] = (sums[1][place] ?? 0) + (isEven ? digit : doubled);
  }
  return (from, to) => {
    const sum = to % 2 === 0 ? sums[0] : sums[1];
    return ((sum[to] ?? 0) - (sum[from] ?? 0)) % 10 === 0;
  };
}
