import { z } from 'zod';
import type { oas31, ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import type { ErrorCode } from '../../domain/error-catalogue.ts';
import { described } from '../../contract/schemas/descriptions.ts';
import { successEnvelope } from './envelopes.ts';
import { COMMON_CODES, errorResponsesOf } from './error-responses.ts';
import { RECORDED_EXAMPLES, requestExamples, responseExamples } from './recorded-examples.ts';
import { responseHeaders } from './response-headers.ts';

const MEMBERS = {
  status: 'Always `ok`: with anything else the response is an error.',
  database: 'Always `ok`: PostgreSQL answers.',
  temporal: 'Always `ok`: Temporal answers.',
  received: 'Always true: the event is stored, or it was stored before, or it concerns no payment of this engine.',
};
const health = z
  .object(described(MEMBERS, { status: z.literal('ok') }))
  .meta({ id: 'Health', description: 'The process is up.' });
const readiness = z
  .object(described(MEMBERS, { status: z.literal('ok'), database: z.literal('ok'), temporal: z.literal('ok') }))
  .meta({ id: 'Readiness', description: 'The process and what it depends on are up.' });
const receipt = z
  .object(described(MEMBERS, { received: z.literal(true) }))
  .meta({ id: 'WebhookReceipt', description: 'The confirmation that a webhook was received.' });

const PROVIDER: oas31.ParameterObject = {
  name: 'provider',
  in: 'path',
  required: true,
  description: 'The name of the provider, as in payment routes.',
  schema: { type: 'string', pattern: '^[a-z][a-z0-9_-]{0,31}$', examples: ['alpha'] },
};

const exchangesOf = (operationId: string) => RECORDED_EXAMPLES.operations[operationId] ?? {};

/** The operations that need no API key. */
export function publicOperations(): ZodOpenApiPathsObject {
  return {
    '/healthz': { get: open('getHealth', 'Whether the process is up', successEnvelope('HealthResponse', health)) },
    '/readyz': {
      get: open(
        'getReadiness',
        'Whether the process and its dependencies are up',
        successEnvelope('ReadinessResponse', readiness),
      ),
    },
    '/openapi.json': { get: open('getOpenApiDocument', 'This document', { type: 'object' }) },
    '/api/v1/providers/{provider}/webhooks': {
      post: {
        ...open(
          'receiveProviderWebhook',
          'Receive a webhook of a provider',
          successEnvelope('WebhookReceiptResponse', receipt),
          ['INVALID_SIGNATURE', 'RESOURCE_NOT_FOUND'],
        ),
        description:
          "For providers only. The provider's own signature over the raw bytes is verified before anything is parsed. " +
          'A repeated event changes nothing.',
        parameters: [PROVIDER],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { type: 'object', description: 'An event in the form of the provider.' },
              examples: requestExamples(exchangesOf('receiveProviderWebhook')),
            },
          },
        },
      },
    },
  };
}

function open(
  operationId: string,
  summary: string,
  schema: z.ZodType | oas31.SchemaObject,
  errors: readonly ErrorCode[] = [],
): ZodOpenApiOperationObject {
  return {
    operationId,
    summary,
    tags: ['service'],
    security: [],
    responses: {
      200: {
        description: 'The request was carried out.',
        headers: responseHeaders(200),
        content: { 'application/json': { schema, examples: responseExamples(exchangesOf(operationId), 200) } },
      },
      ...errorResponsesOf([...COMMON_CODES, ...errors], false),
    },
  };
}
