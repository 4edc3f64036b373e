// The package's main entry would load the names of all countries in all languages.
import countries from 'i18n-iso-countries/index.js';
import { z } from 'zod';
import { isSupportedCurrency, SUPPORTED_CURRENCIES } from '../../domain/currencies.ts';
import { AMOUNT_MINOR_LIMITS } from '../../domain/money.ts';
import { containsCardNumber } from '../../domain/card-number.ts';
import { describeValue, expecting, mismatchMessage, NO_CARD_NUMBER } from '../field-messages.ts';
import type { RefinementParams } from '../validation.ts';
import { COMMON_MEMBERS, described, LIST_MEMBERS, REFERENCE } from './descriptions.ts';

/** What a refinement adds to the response; typed here because zod takes any object. */
export function refinement(params: RefinementParams): { params: Record<string, unknown> } {
  return { params: { ...params } };
}

/** What the OpenAPI document says of an object that has to have this member. */
export function requiringMember(member: string) {
  return { properties: { [member]: {} }, required: [member] };
}

/** No query string, or an empty body. */
export const NO_FIELDS = z.strictObject({}).describe('No data: an empty object, or no body at all.');

/** PostgreSQL can store neither NUL characters nor halves of surrogate pairs, in text and in JSON. */
const UNSTORABLE = /\u0000|\p{Surrogate}/u;

/** Why a text with a card number is refused. */
export const CARD_NUMBER = refinement({ fieldCode: 'invalid', message: NO_CARD_NUMBER });

const NOT_STORABLE = refinement({
  fieldCode: 'invalid',
  message: 'Expected text without NUL and without halves of surrogate pairs; got such a character. Remove it.',
});

/**
 * Text that the database can store, of at most so many characters, without card numbers. Text that is too long is not searched
 * for them.
 */
export function text(maximumLength: number) {
  return z
    .string()
    .max(maximumLength, { abort: true })
    .refine((value) => !UNSTORABLE.test(value), NOT_STORABLE)
    .refine((value) => !containsCardNumber(value), CARD_NUMBER)
    .meta({ override: { pattern: '^[^\\u0000]*$' } });
}

/**
 * Characters that are invisible, or that change the order in which text is shown: they make one name look like another. Joiners
 * and variation selectors are not among it, because scripts and emoji need them.
 */
const UNSEEN_RANGES =
  '\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e' +
  '\\u2060-\\u206f\\u2800\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb';
const UNSEEN = new RegExp(`[${UNSEEN_RANGES}]`, 'u');

const NOT_SEEN = refinement({
  fieldCode: 'invalid',
  message:
    'Expected a name of one line without invisible characters; got one that is not shown, or that changes the direction of text. Remove it.',
});

const NOT_SHOWN = refinement({
  fieldCode: 'invalid',
  message:
    'Expected text without invisible characters; got one that is not shown, or that changes the direction of text. Remove it.',
});

/** A name that is shown to people, of at most so many characters. */
export function shownName(maximumLength: number) {
  return text(maximumLength)
    .refine((value) => !UNSEEN.test(value), NOT_SEEN)
    .meta({ override: { pattern: `^[^${UNSEEN_RANGES}]*$` } });
}

/**
 * The merchant's own identifier, such as an order number: printable ASCII, which every provider takes, without spaces at its ends,
 * which nobody sees in a search.
 */
export const reference = z
  .string()
  .min(1)
  .max(100, { abort: true })
  .regex(
    /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/,
    expecting(
      'printable ASCII characters, without a space at the beginning or end',
      'Leave accents and other letters out.',
    ),
  )
  .refine((value) => !containsCardNumber(value), CARD_NUMBER)
  .describe(REFERENCE);

const AMOUNT_RANGE = `from ${AMOUNT_MINOR_LIMITS.minimum} to ${AMOUNT_MINOR_LIMITS.maximum}`;
const AMOUNT = expecting(
  `whole minor units of the currency, ${AMOUNT_RANGE}, as a number without quotes`,
  ({ input }) => amountAdvice(input),
);

/** What to do about a value that is no amount. */
function amountAdvice(input: unknown): string {
  if (typeof input === 'string')
    return 'Send the digits alone, without quotes, point and currency: 1999 for 19.99 EUR.';
  if (typeof input === 'number' && isNearlyWhole(input)) {
    return 'It is not whole, because computing with fractions is not exact. Round the result: Math.round(19.99 * 100) is 1999.';
  }
  return 'Send 1999 for 19.99 EUR, and 1999 for 1999 JPY, which has no minor unit.';
}

/** Whether a number is what floating point makes of a whole one, as 19.99 * 100. */
function isNearlyWhole(value: number): boolean {
  const distance = Math.abs(value - Math.round(value));
  return distance > 0 && distance < 1e-4;
}

/** Whole minor units of the currency. */
export const amount = z
  .number(AMOUNT)
  .int(AMOUNT)
  .min(AMOUNT_MINOR_LIMITS.minimum, AMOUNT)
  .max(AMOUNT_MINOR_LIMITS.maximum, AMOUNT)
  .meta({
    description:
      "Whole number in the currency's minor unit, from 1 to 99,999,999,999: 1999 is 19.99 EUR, 1999 JPY or 1.999 KWD.",
  });

const CURRENCY = expecting('an ISO 4217 code in upper case, such as EUR');

/** ISO 4217, upper case; a well-formed code that is not supported has an error code of its own. */
export const currency = z
  .string(CURRENCY)
  .regex(/^[A-Z]{3}$/, { abort: true, ...CURRENCY })
  .refine(isSupportedCurrency, {
    ...refinement({ fieldCode: 'invalid', soleCode: 'INVALID_CURRENCY' }),
    ...expecting('a supported currency', 'The enum `Currency` in /openapi.json lists them.'),
  })
  .meta({
    id: 'Currency',
    description: 'The currency as its ISO 4217 code, in upper case: `EUR`.',
    override: ({ jsonSchema }) => {
      delete jsonSchema.pattern;
      jsonSchema.enum = [...SUPPORTED_CURRENCIES];
    },
  });

/** ISO 3166-1 alpha-2 codes, sorted. */
export const COUNTRIES: readonly string[] = Object.keys(countries.getAlpha2Codes()).sort();

const ALPHA_2_CODES: ReadonlySet<string> = new Set(COUNTRIES);

/** Whether a text is an ISO 3166-1 alpha-2 code, in upper case. */
function isCountry(code: string): boolean {
  return ALPHA_2_CODES.has(code);
}

const COUNTRY = expecting('an ISO 3166-1 alpha-2 code in upper case, such as DE');

/** ISO 3166-1 alpha-2, upper case. */
export const country = z
  .string(COUNTRY)
  .refine(isCountry, { ...refinement({ fieldCode: 'invalid' }), ...COUNTRY })
  .meta({
    id: 'Country',
    description: 'A country as its ISO 3166-1 alpha-2 code, in upper case: `DE`.',
    override: { enum: [...COUNTRIES] },
  });

/** The same, or null for none: a schema of its own, since not every generator of clients can join a named list with null. */
export const nullableCountry = country.nullable().meta({
  id: 'NullableCountry',
  description: 'A country as its ISO 3166-1 alpha-2 code, in upper case: `DE`; null if there is none.',
  override: ({ jsonSchema }) => {
    delete jsonSchema.anyOf;
    Object.assign(jsonSchema, { type: ['string', 'null'], enum: [...COUNTRIES, null] });
  },
});

export const customerId = text(64).min(1);

const CONTROLS = '\\u0000-\\u001f';
/** Without tabulator, line feed and carriage return. */
const CONTROLS_WITHOUT_LINES = '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f';

/** A text of any number of lines that customers read, of at most so many characters. */
export function shownText(maximumLength: number) {
  return text(maximumLength)
    .refine((value) => !UNSEEN.test(value.replaceAll(/[\n\r\t]/g, ' ')), NOT_SHOWN)
    .meta({ override: { pattern: `^[^${UNSEEN_RANGES.replace(CONTROLS, CONTROLS_WITHOUT_LINES)}]*$` } });
}

/** Browsers leave such characters out, so that an address is shown that is not the one that is opened. */
const LEFT_OUT = /[\u0000-\u0020\u007f]/;

const NOT_LEFT_OUT = refinement({
  fieldCode: 'invalid',
  message:
    'Expected an address without spaces, line feeds and other control characters; got one with them. Remove them.',
});

const NO_USER = refinement({
  fieldCode: 'invalid',
  message: 'Expected an address without user name and password; got one with them. Remove what is before the @.',
});

/** A URL with http or https. */
export const webAddress = text(2_048)
  .refine((value) => !LEFT_OUT.test(value), NOT_LEFT_OUT)
  .pipe(z.url({ protocol: /^https?$/ }))
  .meta({ override: { format: 'uri', pattern: '^https?://[^\\u0000-\\u0020\\u007f]+$' } });

/** Where a customer is sent: without a user name, which looks like the host of another address. */
export const returnAddress = webAddress
  .refine((value) => !URL.canParse(value) || hasNoUser(new URL(value)), NO_USER)
  .meta({
    override: { format: 'uri', pattern: '^https?://[^\\u0000-\\u0020\\u007f/?#@]+([/?#][^\\u0000-\\u0020\\u007f]*)?$' },
  });

function hasNoUser({ username, password }: URL): boolean {
  return username === '' && password === '';
}

const MAXIMUM_METADATA_PAIRS = 50;

/** What clients call the security code of a card, and what it looks like: nobody may store one. */
const SECURITY_CODE_NAME = /^(?:card)?[_.\s-]*(?:cvc|cvv|cvn|csc|cid|security[_.\s-]*code)[_.\s-]*\d?$/i;
const SECURITY_CODE = /^\s*\d{3,4}\s*$/;
const NO_SECURITY_CODE = refinement({
  fieldCode: 'invalid',
  message: 'Expected no security code of a card, which nobody may store; got what looks like one. Leave it out.',
});

const PROTOTYPE = refinement({ fieldCode: 'unknown', message: 'Expected another name; got __proto__. Rename it.' });
const TOO_MANY_PAIRS = refinement({
  fieldCode: 'too_long',
  message: `Expected at most ${MAXIMUM_METADATA_PAIRS} pairs; got more. Leave some out.`,
});

/** At most 50 pairs of strings. */
export const metadata = z.preprocess(
  checkPairs,
  z.record(text(100).min(1), text(1_000)).meta({ override: { maxProperties: MAXIMUM_METADATA_PAIRS } }),
);

/** A `__proto__` member would be lost when the pairs are copied, and the validation of 100,000 pairs takes a second. */
function checkPairs(value: unknown, context: z.RefinementCtx): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if (Object.hasOwn(value, '__proto__')) {
    context.addIssue({ code: 'custom', path: ['__proto__'], ...PROTOTYPE });
  }
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'string' && SECURITY_CODE_NAME.test(name) && SECURITY_CODE.test(member))
      context.addIssue({ code: 'custom', path: [name], ...NO_SECURITY_CODE });
  }
  if (Object.keys(value).length > MAXIMUM_METADATA_PAIRS) {
    context.addIssue({ code: 'custom', ...TOO_MANY_PAIRS });
  }
  return value;
}

/** Each pair costs a look-up for each row that the others have found. */
const MAXIMUM_FILTER_PAIRS = 10;

const TOO_MANY_FILTER_PAIRS = refinement({
  fieldCode: 'too_long',
  message: `Expected at most ${MAXIMUM_FILTER_PAIRS} pairs; got more. Leave some out.`,
});

/** `metadata[key]=value` of lists, once or several times: a resource must have all of these pairs. */
const metadataFilter = metadata
  .refine((pairs) => Object.keys(pairs).length <= MAXIMUM_FILTER_PAIRS, TOO_MANY_FILTER_PAIRS)
  .optional()
  .meta({
    override: { type: 'object', additionalProperties: { type: 'string' }, maxProperties: MAXIMUM_FILTER_PAIRS },
    param: { style: 'deepObject', explode: true },
  });

/** The filters of lists by what the merchant gave a resource. */
export const referenceQuery = {
  reference: reference.optional().describe('Selects what has this reference, compared exactly.'),
  metadata: metadataFilter.describe(
    `Selects what has all of these pairs, compared exactly: \`metadata[key]=value\`, up to ${MAXIMUM_FILTER_PAIRS} times.`,
  ),
};

const WHOLE_NUMBER = /^-?\d{1,15}$/;

/** A whole number in a query string. */
export function wholeNumberText(minimum: number, maximum: number) {
  const bound = maximum === Number.MAX_SAFE_INTEGER ? `from ${minimum}` : `from ${minimum} to ${maximum}`;
  const expected = `one whole number ${bound}`;
  const bounds = expecting(expected);
  return z
    .string(bounds)
    .transform((value, context) => {
      if (WHOLE_NUMBER.test(value)) return Number(value);
      const message = mismatchMessage(expected, describeValue(value));
      context.addIssue({ code: 'custom', ...refinement({ fieldCode: 'type', message }) });
      return z.NEVER;
    })
    .pipe(z.number().min(minimum, bounds).max(maximum, bounds))
    .meta({ override: { type: 'integer', minimum, maximum } });
}

const amountText = wholeNumberText(0, AMOUNT_MINOR_LIMITS.maximum).optional();

/** `amountMin` and `amountMax` of lists, in minor units; both are included. */
export const amountRangeQuery = described(LIST_MEMBERS, { amountMin: amountText, amountMax: amountText });

/** Reports a range that no amount is in. */
export function checkAmountRange(
  { amountMin, amountMax }: { readonly amountMin?: number | undefined; readonly amountMax?: number | undefined },
  context: z.RefinementCtx,
): void {
  if (amountMin === undefined || amountMax === undefined || amountMin <= amountMax) return;
  const params = refinement({ fieldCode: 'invalid', message: 'amountMin is larger than amountMax.' });
  context.addIssue({ code: 'custom', path: ['amountMin'], ...params });
}

/** The database reads the index up to the page; this limits the cost. */
const MAXIMUM_PAGE = 1_000;

/** Longer than every id. */
const MAXIMUM_CURSOR_LENGTH = 200;

const BEYOND_LAST_PAGE = refinement({
  fieldCode: 'max',
  message: `The last page is ${MAXIMUM_PAGE}. To read further, leave page out, and set startingAfter to the id of the last element.`,
});

/** `page`, `limit` and `startingAfter` of every list. */
export const pageQuery = {
  page: wholeNumberText(1, Number.MAX_SAFE_INTEGER)
    .refine((page) => page <= MAXIMUM_PAGE, BEYOND_LAST_PAGE)
    .default(1)
    .meta({
      description: LIST_MEMBERS.page,
      override: { type: 'integer', minimum: 1, maximum: MAXIMUM_PAGE, default: 1 },
    }),
  limit: wholeNumberText(1, 100)
    .default(20)
    .meta({ description: LIST_MEMBERS.limit, override: { default: 20 } }),
  startingAfter: text(MAXIMUM_CURSOR_LENGTH).min(1).optional().describe(LIST_MEMBERS.startingAfter),
};

/** An ISO 8601 time with its zone, as a Date. In UTC, its year may be 0 or 10000, which the database rejects. */
export const timeText = z.iso
  .datetime({ offset: true })
  .transform((value) => new Date(value))
  .refine(
    (time) => time.getUTCFullYear() >= 1 && time.getUTCFullYear() <= 9_999,
    refinement({ fieldCode: 'invalid', message: 'Expected a time in the years 1 to 9999, in UTC; got another year.' }),
  );

/** The filters of lists by the time of creation. */
export const creationQuery = described(LIST_MEMBERS, {
  createdFrom: timeText.optional(),
  createdAfter: timeText.optional(),
  createdBefore: timeText.optional(),
});

/** A secret that the first response shows; null in a repeat that was made with another API key. */
export const secretShownOnce = z.string().nullable();
/** Present in such a repeat only: why there is no secret. */
export const secretNotice = z
  .string()
  .optional()
  .describe('Why the secret is null: present only in a repeat by another API key, which does not get it.');

/** A time in a response: ISO 8601 UTC with milliseconds. */
export const responseTime = z.iso.datetime({ precision: 3 });

/** The response to a DELETE. */
export function deletedResource<Kind extends string>(object: Kind) {
  const members = { id: z.string(), object: z.literal(object), deleted: z.literal(true) };
  return z
    .object(described({ ...COMMON_MEMBERS, id: 'The id of what was deleted.' }, members))
    .describe('The confirmation that it is deleted.');
}

/** Where support staff read a resource's workflow. */
export const workflowUrl = z.string().optional();
