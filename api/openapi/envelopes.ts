import { z } from 'zod';
import { ERROR_CATALOGUE, type ErrorCode, isErrorCode } from '../../domain/error-catalogue.ts';
import { FIELD_CODES } from '../middleware/validation.ts';

export const ERROR_CODES: readonly ErrorCode[] = Object.keys(ERROR_CATALOGUE).filter(isErrorCode);
const ERROR_TYPES = [...new Set(Object.values(ERROR_CATALOGUE).map(({ type }) => type))];

const time = z.iso.datetime({ precision: 3 });

const fieldError = z
  .object({ field: z.string(), message: z.string(), code: z.enum(FIELD_CODES) })
  .meta({ id: 'FieldProblem', description: 'What is wrong with one field.' });

/** A reference to a component of the document. */
function component(name: string) {
  return z
    .unknown()
    .optional()
    .meta({ override: { $ref: `#/components/schemas/${name}` } });
}

const errorDetails = z
  .looseObject({
    fields: z.array(fieldError).optional().meta({ description: 'Every field that failed validation.' }),
    field: z.string().optional().meta({ description: 'The one field that is missing.' }),
    reason: z.string().optional().meta({ description: 'The exact cause, in one word.' }),
    scope: z.string().optional().meta({ description: 'The scope that the API key lacks.' }),
    limit: z.int().optional().meta({ description: 'Requests a minute.' }),
    remaining: z.int().optional(),
    resetAt: time.optional(),
    minimumAmount: z.int().optional(),
    maximumAmount: z.int().optional(),
    paymentIntent: component('PaymentIntent').meta({ description: 'The payment intent after the failure.' }),
    refund: component('Refund').meta({ description: 'The refund after the failure.' }),
  })
  .meta({ id: 'ErrorDetails', description: 'Details of the error; the members depend on the code.' });

const apiError = z
  .object({
    code: z.enum(ERROR_CODES).meta({ id: 'ErrorCode', description: 'Every error code of the API.' }),
    message: z.string().meta({ description: 'A message for people.' }),
    type: z.enum(ERROR_TYPES).meta({ id: 'ErrorType', description: 'The type of the error, a group of codes.' }),
    details: errorDetails.optional(),
    requestId: z.string().meta({ description: 'The same as the header X-Request-Id.' }),
  })
  .meta({ id: 'ApiError' });

/** The envelope of every error response. */
export const errorResponse = z
  .object({ success: z.literal(false), error: apiError })
  .meta({ id: 'ErrorResponse', description: 'The envelope of every error response.' });

const pagination = z
  .object({
    page: z.int().min(1),
    limit: z.int().min(1).max(100),
    total: z.int().min(0),
    totalPages: z.int().min(0),
    totalIsEstimate: z
      .literal(true)
      .optional()
      .meta({ description: 'Present if the list is too long to count, so that `total` is an estimate.' }),
  })
  .meta({ id: 'Pagination' });

/** The envelope of one resource, as a component of that name. */
export function successEnvelope(name: string, data: z.ZodType): z.ZodType {
  return z.object({ success: z.literal(true), data }).meta({ id: name });
}

/** The envelope of a page of resources, as a component of that name. */
export function pageEnvelope(name: string, item: z.ZodType): z.ZodType {
  return z.object({ success: z.literal(true), data: z.array(item), pagination }).meta({ id: name });
}
