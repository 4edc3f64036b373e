// The package's main entry would load the names of all countries in all languages.
import countries from 'i18n-iso-countries/index.js';
import { z } from 'zod';
import { isSupportedCurrency, SUPPORTED_CURRENCIES } from '../../domain/currencies.ts';
import { AMOUNT_MINOR_LIMITS } from '../../domain/money.ts';
import { containsCardNumber } from '../../domain/card-number.ts';
import { NO_CARD_NUMBER, type RefinementParams } from '../middleware/validation.ts';
import { COMMON_MEMBERS, described, LIST_MEMBERS } from './descriptions.ts';

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

/** Text that the database can store, of at most so many characters, without card numbers. */
export function text(maximumLength: number) {
  return z
    .string()
    .max(maximumLength)
    .refine((value) => !UNSTORABLE.test(value), refinement({ fieldCode: 'invalid' }))
    .refine((value) => !containsCardNumber(value), CARD_NUMBER)
    .meta({ override: { pattern: '^[^\\u0000]*$' } });
}

/** Whole minor units of the currency. */
export const amount = z.number().int().min(AMOUNT_MINOR_LIMITS.minimum).max(AMOUNT_MINOR_LIMITS.maximum).meta({
  description:
    "Whole number in the currency's minor unit, from 1 to 99,999,999,999: 1999 is 19.99 EUR, 1999 JPY or 1.999 KWD.",
});

/** ISO 4217, upper case; a well-formed code that is not supported has an error code of its own. */
export const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, { abort: true })
  .refine(isSupportedCurrency, refinement({ fieldCode: 'invalid', soleCode: 'INVALID_CURRENCY' }))
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

/** ISO 3166-1 alpha-2, upper case. */
export const country = z
  .string()
  .refine(isCountry, refinement({ fieldCode: 'invalid' }))
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

/** A URL with http or https. */
export const webAddress = text(2_048)
  .pipe(z.url({ protocol: /^https?$/ }))
  .meta({ override: { format: 'uri', pattern: '^https?://[^\\u0000]+$' } });

const MAXIMUM_METADATA_PAIRS = 50;

/** At most 50 pairs of strings. */
export const metadata = z.preprocess(
  checkPairs,
  z.record(text(100).min(1), text(1_000)).meta({ override: { maxProperties: MAXIMUM_METADATA_PAIRS } }),
);

/** A `__proto__` member would be lost when the pairs are copied, and the validation of 100,000 pairs takes a second. */
function checkPairs(value: unknown, context: z.RefinementCtx): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if (Object.hasOwn(value, '__proto__')) {
    context.addIssue({ code: 'custom', path: ['__proto__'], ...refinement({ fieldCode: 'unknown' }) });
  }
  if (Object.keys(value).length > MAXIMUM_METADATA_PAIRS) {
    context.addIssue({ code: 'custom', ...refinement({ fieldCode: 'too_long' }) });
  }
  return value;
}

const WHOLE_NUMBER = /^-?\d{1,15}$/;

/** A whole number in a query string. */
function wholeNumberText(minimum: number, maximum: number) {
  return z
    .string()
    .transform((value, context) => {
      if (WHOLE_NUMBER.test(value)) return Number(value);
      context.addIssue({ code: 'custom', ...refinement({ fieldCode: 'type' }) });
      return z.NEVER;
    })
    .pipe(z.number().min(minimum).max(maximum))
    .meta({ override: { type: 'integer', minimum, maximum } });
}

/** The database reads the index up to the page; this limits the cost. */
const MAXIMUM_PAGE = 1_000;

const BEYOND_LAST_PAGE = refinement({
  fieldCode: 'max',
  message: `Pages end at ${MAXIMUM_PAGE}. Narrow the list by its filters: createdBefore with the createdAt of the last element, or after for events.`,
});

/** `page` and `limit` of every list. */
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
};

/** An ISO 8601 time with its zone, as a Date. In UTC, its year may be 0 or 10000, which the database rejects. */
export const timeText = z.iso
  .datetime({ offset: true })
  .transform((value) => new Date(value))
  .refine((time) => time.getUTCFullYear() >= 1 && time.getUTCFullYear() <= 9_999, refinement({ fieldCode: 'invalid' }));

/** The filters of lists by the time of creation. */
export const creationQuery = described(LIST_MEMBERS, {
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
