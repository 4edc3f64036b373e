import { z } from 'zod';
import { ERROR_CATALOGUE, type ErrorCode, isErrorCode } from '../../domain/error-catalogue.ts';
import { FIELD_CODES } from '../middleware/validation.ts';

export const ERROR_CODES: readonly ErrorCode[] = Object.keys(ERROR_CATALOGUE).filter(isErrorCode);
const ERROR_TYPES = [...new Set(Object.values(ERROR_CATALOGUE).map(({ type }) => type))];

const time = z.iso.datetime({ precision: 3 });

const fieldError = z
  .object({ field: z.string(), message: z.string(), code: z.enum(FIELD_CODES) })
  .meta({ id: 'FieldProblem', description: 'What is wrong with one field.' });

/** Anything that the document describes elsewhere. */
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
    reason: z.string().optional().meta({ description: 'What exactly is wrong, in one word.' }),
    scope: z.string().optional().meta({ description: 'The scope that the API key lacks.' }),
    limit: z.int().optional().meta({ description: 'Requests a minute.' }),
    remaining: z.int().optional(),
    resetAt: time.optional(),
    minimumAmount: z.int().optional(),
    maximumAmount: z.int().optional(),
    paymentIntent: component('PaymentIntent').meta({ description: 'The payment intent as the failure left it.' }),
    refund: component('Refund').meta({ description: 'The refund as the failure left it.' }),
  })
  .meta({ id: 'ErrorDetails', description: 'Context of a failure; which members there are depends on the code.' });

const apiError = z
  .object({
    code: z.enum(ERROR_CODES).meta({ id: 'ErrorCode', description: 'Every code the service can answer with.' }),
    message: z.string().meta({ description: 'What a person reads.' }),
    type: z.enum(ERROR_TYPES).meta({ id: 'ErrorType', description: 'The family of the code.' }),
    details: errorDetails.optional(),
    requestId: z.string().meta({ description: 'The same as the header X-Request-Id.' }),
  })
  .meta({ id: 'ApiError' });

/** What every failure answers with. */
export const errorResponse = z
  .object({ success: z.literal(false), error: apiError })
  .meta({ id: 'ErrorResponse', description: 'The envelope of every failure.' });

const pagination = z
  .object({
    page: z.int().min(1),
    limit: z.int().min(1).max(100),
    total: z.int().min(0),
    totalPages: z.int().min(0),
    totalIsEstimate: z
      .literal(true)
      .optional()
      .meta({ description: 'Present where there is too much to count, and `total` is an estimate.' }),
  })
  .meta({ id: 'Pagination' });

/** The envelope of one thing, as a component of that name. */
export function successEnvelope(name: string, data: z.ZodType): z.ZodType {
  return z.object({ success: z.literal(true), data }).meta({ id: name });
}

/** The envelope of a page of things, as a component of that name. */
export function pageEnvelope(name: string, item: z.ZodType): z.ZodType {
  return z.object({ success: z.literal(true), data: z.array(item), pagination }).meta({ id: name });
}
