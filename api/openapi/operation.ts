import { z } from 'zod';
import type {
  oas31,
  ZodOpenApiContentObject,
  ZodOpenApiOperationObject,
  ZodOpenApiRequestBodyObject,
} from 'zod-openapi';
import type { ErrorCode } from '../../domain/error-catalogue.ts';
import type { ApiOperation } from '../resources/api-operation.ts';
import { CSV_TYPE } from '../resources/csv-export.ts';
import type { ComponentNames } from './component-names.ts';
import { AUTHENTICATION_CODES, COMMON_CODES, errorResponsesOf } from './error-responses.ts';
import { parametersOf } from './parameters.ts';
import { codeSamplesOf } from './code-samples.ts';
import { type Exchanges, RECORDED_EXAMPLES, requestExamples, responseExamples } from './recorded-examples.ts';
import { CSV_HEADERS, responseHeaders } from './response-headers.ts';

/** The four headers of a signed request, of signature version 1 or of version 2. */
const SIGNED: oas31.SecurityRequirementObject[] = [
  { bearer: [], timestamp: [], secretSalt: [], signature: [] },
  { bearer: [], timestamp: [], nonce: [], signature: [] },
];

/** One API operation as an operation of the document. */
export function describeOperation(operation: ApiOperation, names: ComponentNames): ZodOpenApiOperationObject {
  const { operationId, summary, status } = operation;
  const exchanges = RECORDED_EXAMPLES.operations[operationId] ?? {};
  const sample = Object.values(exchanges).find(({ response }) => response.status === status);
  const takesKey = operation.method === 'post';
  return {
    operationId,
    summary,
    description: descriptionOf(operation),
    tags: [operation.resource],
    security: SIGNED,
    parameters: parametersOf(operation),
    ...(operation.query instanceof z.ZodObject ? { requestParams: { query: operation.query } } : {}),
    ...(operation.body === null || operation.method === 'delete'
      ? {}
      : { requestBody: requestBodyOf(operation, exchanges) }),
    responses: {
      [status]: {
        description: describeSuccess(operation),
        headers: { ...responseHeaders(status, takesKey), ...(operation.csvColumns === null ? {} : CSV_HEADERS) },
        content: {
          'application/json': {
            schema: names.envelopeOf(operation),
            examples: responseExamples(exchanges, status),
          },
          ...csvContentOf(operation),
        },
      },
      ...errorResponsesOf(codesOf(operation), takesKey, exchanges),
    },
    ...(sample === undefined ? {} : { 'x-codeSamples': codeSamplesOf(operation, sample) }),
  };
}

/** The example of a list as a CSV file: its first line, so that readers see the columns. */
function csvContentOf({ csvColumns }: ApiOperation): ZodOpenApiContentObject {
  if (csvColumns === null) return {};
  return {
    [CSV_TYPE]: {
      schema: {
        type: 'string',
        description:
          'All rows of the filtered list in place of one page, newest first, up to the number in `X-Row-Limit`. The first line ' +
          'names the columns; more columns may be added at the end.',
      },
      example: `${csvColumns.join(',')}\r\n`,
    },
  };
}

/** Says what `data` is, by the description of its schema. */
function describeSuccess({ status, isList, responseData }: ApiOperation): string {
  if (isList) return 'One page of the list, and in `pagination` how long the list is.';
  const element = responseData instanceof z.ZodArray ? responseData.element : responseData;
  const text = element instanceof z.ZodType ? (element.description ?? '') : '';
  return `${status === 201 ? 'Created' : 'Done'}. \`data\`: ${text}`;
}

function descriptionOf({ description, method, scope, forCheckout = false, mayRequireKey }: ApiOperation): string {
  const until = method === 'get' ? 'until 24 hours after the end of the payment' : 'until the end of the payment';
  const page = forCheckout ? ` A checkout page may do it with the client secret of the payment intent, ${until}.` : '';
  const key =
    mayRequireKey === true ? ' Needs `X-Idempotency-Key` where the account has `requireIdempotencyKeys`.' : '';
  const needed = `Needs the scope \`${scope}\`.${page}${key}`;
  return description === undefined ? needed : `${description}\n\n${needed}`;
}

function requestBodyOf({ body }: ApiOperation, exchanges: Exchanges): ZodOpenApiRequestBodyObject {
  return {
    required: body?.safeParse({}).success !== true,
    content: {
      'application/json': { ...(body === null ? {} : { schema: body }), examples: requestExamples(exchanges) },
    },
  };
}

/** Codes for errors in fields of these names, besides `VALIDATION_ERROR`. */
const CODES_OF_FIELDS: Readonly<Record<string, readonly ErrorCode[]>> = {
  amount: ['INVALID_AMOUNT'],
  currency: ['INVALID_CURRENCY'],
  currencies: ['INVALID_CURRENCY'],
  paymentMethod: ['INVALID_PAYMENT_METHOD', 'MISSING_REQUIRED_FIELD'],
};

/** Every error code of the operation. */
function codesOf({ method, query, body, mayRequireKey, errors }: ApiOperation): readonly ErrorCode[] {
  const fields = [query, body].flatMap((schema) => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : []));
  return [
    ...new Set<ErrorCode>([
      ...AUTHENTICATION_CODES,
      ...COMMON_CODES,
      'VALIDATION_ERROR',
      ...(method === 'post' ? (['DUPLICATE_REQUEST'] as const) : []),
      ...(mayRequireKey === true ? (['MISSING_REQUIRED_FIELD'] as const) : []),
      ...fields.flatMap((field) => CODES_OF_FIELDS[field] ?? []),
      ...errors,
    ]),
  ];
}
