import type { oas31, ZodOpenApiExamplesObject, ZodOpenApiResponseObject } from 'zod-openapi';
import { ERROR_CATALOGUE, type ErrorCode } from '../../domain/error-catalogue.ts';
import { ERROR_CODES } from './envelopes.ts';
import { ERROR_CODE_MEANINGS } from './error-meanings.ts';
import { type Exchanges, RECORDED_EXAMPLES, responseExamples } from './recorded-examples.ts';
import { responseHeaders } from './response-headers.ts';

/** Codes that any signed request may get. */
export const AUTHENTICATION_CODES = [
  'UNAUTHORIZED',
  'INVALID_SIGNATURE',
  'TIMESTAMP_EXPIRED',
  'API_KEY_REVOKED',
  'API_KEY_EXPIRED',
  'IP_NOT_WHITELISTED',
  'INSUFFICIENT_PERMISSIONS',
  'FORBIDDEN',
  'MERCHANT_SUSPENDED',
] as const satisfies readonly ErrorCode[];

/** Codes that any request may get. */
export const COMMON_CODES = [
  'INVALID_REQUEST',
  'RATE_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

/** The responses that all operations share: each has exactly these codes. */
const SHARED: Readonly<Record<string, { readonly description: string; readonly codes: readonly ErrorCode[] }>> = {
  Unauthorized: codesWithStatus(401, 'The API key, its signature or the time is missing or wrong.'),
  Forbidden: codesWithStatus(403, 'The API key does not allow this operation.'),
  RateLimited: codesWithStatus(429, 'Too many requests.'),
  InternalError: codesWithStatus(500, 'Something went wrong on our side.'),
  Unavailable: { description: 'The service cannot answer right now.', codes: ['SERVICE_UNAVAILABLE'] },
};

function codesWithStatus(status: number, description: string) {
  const codes = [...AUTHENTICATION_CODES, ...COMMON_CODES].filter((code) => ERROR_CATALOGUE[code].status === status);
  return { description, codes };
}

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'The request is malformed, or the payment or refund failed.',
  401: 'The request is not authentic.',
  403: 'Access denied.',
  404: 'The resource does not exist.',
  409: 'The state of the resource, or of an idempotency key, does not allow this operation.',
  422: 'The request is well-formed, but its values are invalid.',
  502: 'The provider failed.',
  503: 'The service or the providers are unavailable.',
};

/** The responses that operations share. */
export function sharedErrorResponses(): Record<string, ZodOpenApiResponseObject> {
  return Object.fromEntries(
    Object.entries(SHARED).map(([name, { description, codes }]) => [
      name,
      errorResponse({ status: statusOf(codes), codes, description, takesKey: false }),
    ]),
  );
}

/** Codes of no operation: the code of the advisory, and those of unsupported methods and media types. */
const OF_NO_OPERATION: readonly ErrorCode[] = ['PAYMENT_STUCK', 'METHOD_NOT_ALLOWED', 'NOT_ACCEPTABLE'];

/** Whether a response with the code was recorded. `npm run record-examples` builds the document before it records that of a new code. */
function isRecorded(code: ErrorCode): boolean {
  return RECORDED_EXAMPLES.errors[code] !== undefined;
}

/** A recorded response with each code, by the name of its component. */
export function errorExamples(): ZodOpenApiExamplesObject {
  return Object.fromEntries(
    ERROR_CODES.filter((code) => !OF_NO_OPERATION.includes(code) && isRecorded(code)).map((code) => [
      code,
      { summary: ERROR_CATALOGUE[code].message, value: RECORDED_EXAMPLES.errors[code] },
    ]),
  );
}

/**
 * The error responses of an operation by status.
 * @param exchanges recorded requests of the operation; those that failed are examples, besides one for each code
 */
export function errorResponsesOf(
  codes: readonly ErrorCode[],
  takesKey: boolean,
  exchanges: Exchanges = {},
): Record<string, ZodOpenApiResponseObject | oas31.ReferenceObject> {
  const statuses = [...new Set(codes.map((code) => ERROR_CATALOGUE[code].status))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = ERROR_CODES.filter((code) => codes.includes(code) && ERROR_CATALOGUE[code].status === status);
      const shared = Object.entries(SHARED).find(([, { codes: same }]) => isSame(same, ofStatus));
      const response =
        shared === undefined
          ? errorResponse({
              status,
              codes: ofStatus,
              description: DESCRIPTIONS[status] ?? `Status ${status}.`,
              takesKey,
              exchanges,
            })
          : { $ref: `#/components/responses/${shared[0]}` };
      return [String(status), response];
    }),
  );
}

interface ErrorResponseOptions {
  readonly status: number;
  readonly codes: readonly ErrorCode[];
  readonly description: string;
  readonly takesKey: boolean;
  readonly exchanges?: Exchanges;
}

/**
 * The general envelope. Its description and `x-error-codes` name the codes: a schema for each response would be hundreds of
 * classes of generated clients.
 */
function errorResponse(options: ErrorResponseOptions): ZodOpenApiResponseObject {
  const { status, codes, description, takesKey, exchanges = {} } = options;
  const ofCodes = Object.fromEntries(
    codes.filter(isRecorded).map((code) => [code, { $ref: `#/components/examples/${code}` }]),
  );
  return {
    description: `${description}\n\n${codes.map((code) => `- \`${code}\`: ${ERROR_CODE_MEANINGS[code]}`).join('\n')}`,
    headers: responseHeaders(status, takesKey),
    'x-error-codes': [...codes],
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ErrorResponse' },
        examples: { ...responseExamples(exchanges, status), ...ofCodes },
      },
    },
  };
}

function statusOf([first]: readonly ErrorCode[]): number {
  return first === undefined ? 500 : ERROR_CATALOGUE[first].status;
}

function isSame(some: readonly ErrorCode[], others: readonly ErrorCode[]): boolean {
  return some.length === others.length && some.every((code) => others.includes(code));
}
