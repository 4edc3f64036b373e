import type { TranslationKeys, ZxcvbnFactory } from '@zxcvbn-ts/core';
import { ApiError } from '../../domain/api-error.ts';

export const SHORTEST_PASSWORD = 12;
export const LONGEST_PASSWORD = 128;

/** Of 0 to 4: what withstands 10,000,000,000 guesses less often than not is refused. */
const LOWEST_SCORE = 3;
/** Characters that are judged: the time grows with the square of their number, and anybody can ask for it before signing in. */
const CHECKED_LENGTH = 32;

/** What people are told, in place of the library's keys. */
const ADVICE: TranslationKeys = {
  warnings: {
    straightRow: 'Keys in a row are easy to guess.',
    keyPattern: 'Patterns on the keyboard are easy to guess.',
    simpleRepeat: 'Repeated letters like "aaa" are easy to guess.',
    extendedRepeat: 'Repeated parts like "abcabcabc" are easy to guess.',
    sequences: 'Sequences like "abc" or "6543" are easy to guess.',
    recentYears: 'Recent years are easy to guess.',
    dates: 'Dates are easy to guess.',
    topTen: 'This is one of the ten most common passwords.',
    topHundred: 'This is one of the hundred most common passwords.',
    common: 'This is a common password.',
    similarToCommon: 'This is much like a common password.',
    wordByItself: 'A single word is easy to guess.',
    namesByThemselves: 'Names are easy to guess.',
    commonNames: 'Common names are easy to guess.',
    userInputs: 'It repeats your name, your e-mail address or the name of your company.',
    pwned: 'This password was in a data breach.',
  },
  suggestions: {
    l33t: 'Letters replaced by digits, like "@" for "a", help little.',
    reverseWords: 'Words spelled backwards help little.',
    allUppercase: 'Capital letters alone help little.',
    capitalization: 'A capital first letter helps little.',
    dates: 'Leave out dates and years that have to do with you.',
    recentYears: 'Leave out recent years.',
    associatedYears: 'Leave out years that have to do with you.',
    sequences: 'Leave out sequences.',
    repeated: 'Leave out repetitions.',
    longerKeyboardPattern: 'Leave out patterns on the keyboard.',
    anotherWord: 'Add words that are not common.',
    useWords: 'Use several words that have nothing to do with each other.',
    noNeed: 'You need no symbols, digits or capital letters.',
    pwned: 'Change it wherever else you use it.',
  },
  timeEstimation: {
    ltSecond: '',
    second: '',
    seconds: '',
    minute: '',
    minutes: '',
    hour: '',
    hours: '',
    day: '',
    days: '',
    month: '',
    months: '',
    year: '',
    years: '',
    centuries: '',
  },
};

let loading: Promise<ZxcvbnFactory> | undefined;

/** Its lists of passwords are read when the first password is chosen, so that the process starts as fast without them. */
function loadEstimator(): Promise<ZxcvbnFactory> {
  loading ??= Promise.all([import('@zxcvbn-ts/core'), import('@zxcvbn-ts/language-common')]).then(
    ([{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }]) =>
      new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, translations: ADVICE, maxLength: CHECKED_LENGTH }),
  );
  return loading;
}

/**
 * Refuses a password that is easy to guess, with advice. What is too short or too long is left to others.
 * @param known what a guesser knows of the person: name, e-mail address, company
 * @throws ApiError `VALIDATION_ERROR`
 */
export async function requireStrongPassword(password: string, known: readonly string[]): Promise<void> {
  if (password.length < SHORTEST_PASSWORD || password.length > LONGEST_PASSWORD) return;
  const estimator = await loadEstimator();
  const { score, feedback } = estimator.check(password, known.flatMap(partsOf));
  if (score >= LOWEST_SCORE) return;
  const advice = [feedback.warning ?? '', ...feedback.suggestions].filter((text) => text !== '');
  throw new ApiError('VALIDATION_ERROR', {
    message: `This password is easy to guess. ${advice.length === 0 ? ADVICE.suggestions.useWords : advice.join(' ')}`,
    details: { reason: 'weak_password' },
  });
}

/** A text, what is judged of a password that is this text, and the words in it. */
function partsOf(text: string): string[] {
  const judged = text.slice(0, CHECKED_LENGTH);
  return [text, judged, ...text.split(/[^\p{L}\p{N}]+/u)].filter((part) => part.length > 2);
}
