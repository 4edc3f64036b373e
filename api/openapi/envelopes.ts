import { z } from 'zod';
import { ERROR_CATALOGUE, type ErrorCode, isErrorCode } from '../../domain/error-catalogue.ts';
import { FIELD_CODES, type FieldCode } from '../../contract/validation.ts';
import { described, withValues } from '../../contract/schemas/descriptions.ts';
import { ERROR_CODE_MEANINGS, ERROR_TYPE_MEANINGS } from './error-meanings.ts';

export const ERROR_CODES: readonly ErrorCode[] = Object.keys(ERROR_CATALOGUE).filter(isErrorCode);
const ERROR_TYPES = [...new Set(Object.values(ERROR_CATALOGUE).map(({ type }) => type))];

const time = z.iso.datetime({ precision: 3 });

const FIELD_MEMBERS = {
  field: 'The path of the field, such as `paymentMethod.card.number`.',
  message: 'What is wrong with it, for people, in English.',
  code: withValues<FieldCode>('What is wrong with it.', {
    required: 'it is missing',
    invalid: 'its value is not valid',
    type: 'its value has the wrong type',
    min: 'the number or time is too small',
    max: 'the number or time is too large',
    too_short: 'the text or list is too short',
    too_long: 'the text or list is too long',
    unknown: 'there is no such field',
  }),
};
const fieldError = z
  .object(described(FIELD_MEMBERS, { field: z.string(), message: z.string(), code: z.enum(FIELD_CODES) }))
  .meta({ id: 'FieldProblem', description: 'What is wrong with one field.' });

/** A reference to a component of the document. */
function component(name: string, description: string) {
  return z
    .unknown()
    .optional()
    .meta({ description, override: { $ref: `#/components/schemas/${name}` } });
}

const DETAILS_MEMBERS = {
  fields: 'Every field that failed validation.',
  field: 'The one field that is missing.',
  reason: 'The exact cause in one word, such as `nonce_used`.',
  scope: 'The scope that the API key lacks.',
  limit: 'How many requests a minute are allowed.',
  remaining: 'How many requests are left in the current minute.',
  resetAt: 'When the current minute ends; ISO 8601 in UTC.',
  minimumAmount: "The smallest amount of the payment method, in the currency's minor unit.",
  maximumAmount: "The largest amount of the payment method, in the currency's minor unit.",
};
const errorDetails = z
  .looseObject({
    ...described(DETAILS_MEMBERS, {
      fields: z.array(fieldError).optional(),
      field: z.string().optional(),
      reason: z.string().optional(),
      scope: z.string().optional(),
      limit: z.int().optional(),
      remaining: z.int().optional(),
      resetAt: time.optional(),
      minimumAmount: z.int().optional(),
      maximumAmount: z.int().optional(),
    }),
    paymentIntent: component('FailedPaymentIntent', 'The payment intent after the failure.'),
    refund: component('Refund', 'The refund after the failure.'),
  })
  .meta({ id: 'ErrorDetails', description: 'Details of the error; the members depend on the code.' });

const ERROR_MEMBERS = {
  code: 'The error code, for programs. Codes are not renamed; new ones may be added.',
  message: 'What went wrong, for people, in English. The text may change.',
  type: 'The group of codes that the code belongs to.',
  details: 'What else is known of the error.',
  requestId: 'The id of the request, for support; the same as the header `X-Request-Id`.',
};
const apiError = z
  .object(
    described(ERROR_MEMBERS, {
      code: z.enum(ERROR_CODES).meta({
        id: 'ErrorCode',
        description: withValues(
          'Every error code of the API, and why it is returned. `/docs/errors` says what to do about each.',
          ERROR_CODE_MEANINGS,
        ),
      }),
      message: z.string(),
      type: z.enum(ERROR_TYPES).meta({
        id: 'ErrorType',
        description: withValues('The type of the error, a group of codes.', ERROR_TYPE_MEANINGS),
      }),
      details: errorDetails.optional(),
      requestId: z.string(),
    }),
  )
  .meta({ id: 'ApiError', description: 'What went wrong.' });

/** The envelope of every error response. */
export const errorResponse = z
  .object(
    described(
      { success: 'Always false: the request failed.', error: 'What went wrong.' },
      { success: z.literal(false), error: apiError },
    ),
  )
  .meta({ id: 'ErrorResponse', description: 'The envelope of every error response.' });

const PAGINATION_MEMBERS = {
  page: 'The number of this page, from 1.',
  limit: 'How many elements a page has at most, from 1 to 100.',
  total: 'How many elements the list has in all.',
  totalPages: 'How many pages the list has in all.',
  totalIsEstimate: 'Present if the list is too long to count, so that `total` is an estimate.',
};
const pagination = z
  .object(
    described(PAGINATION_MEMBERS, {
      page: z.int().min(1),
      limit: z.int().min(1).max(100),
      total: z.int().min(0),
      totalPages: z.int().min(0),
      totalIsEstimate: z.literal(true).optional(),
    }),
  )
  .meta({ id: 'Pagination', description: 'Which page of a list this is, and how long the list is.' });

const SUCCESS = { success: z.literal(true).describe('Always true: the request was carried out.') };

/** The envelope of one resource, which describes itself, or of all of its parts; as a component of that name. */
export function successEnvelope(name: string, data: z.ZodType): z.ZodType {
  const content = data instanceof z.ZodArray ? data.describe('All of them; the list has one page.') : data;
  return z
    .object({ ...SUCCESS, data: content })
    .meta({ id: name, description: 'The envelope of a successful response.' });
}

/** The envelope of a page of resources, as a component of that name. */
export function pageEnvelope(name: string, item: z.ZodType): z.ZodType {
  return z
    .object({
      ...SUCCESS,
      ...described(
        { data: 'The elements of the page.', pagination: 'Which page this is.' },
        { data: z.array(item), pagination },
      ),
    })
    .meta({ id: name, description: 'The envelope of a page of a list.' });
}
