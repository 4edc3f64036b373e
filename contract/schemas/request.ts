import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { creationQuery, pageQuery, responseTime, text, wholeNumberText } from './common.ts';
import { COMMON_MEMBERS, described } from './descriptions.ts';

const MEMBERS = {
  ...COMMON_MEMBERS,
  id: 'The id of the request: the header `X-Request-Id` of its response, which the client may have chosen.',
  merchantId: 'The id of the merchant account (`mer_…`) that the request acted for.',
  environment: 'The environment of the API key: `sandbox` or `production`.',
  apiKeyId:
    'The id of the API key (`key_…`) that signed the request, or that of the payment intent (`pi_…`) whose checkout page sent it.',
  address: 'The IP address of the client, as `TRUST_PROXY` lets proxies say it.',
  method: 'The HTTP method, such as `POST`.',
  path: 'The path, without the query: `/api/v1/payment-intents`.',
  status: 'The HTTP status of the response.',
  code: 'The error code of the response, one of `ErrorCode`; null if it was a success.',
  durationMs: 'How long the response took, in milliseconds.',
  requestBody:
    'The JSON body of the request without card data, personal data and secrets; null without a body. ' +
    '`{"omitted": …, "bytes": …}` stands for a body that was too large to keep, or was not JSON.',
  responseBody:
    'The JSON body of the response without card data, personal data and secrets; null without a body. ' +
    '`{"omitted": …, "bytes": …}` stands for a body that was too large to keep, or was not JSON.',
  createdAt: 'When the request arrived; ISO 8601 in UTC, with milliseconds.',
};

/** GET /requests */
export const listRequestsQuery = z.strictObject({
  ...pageQuery,
  ...creationQuery,
  status: wholeNumberText(100, 599).optional().describe('Selects the requests that got this HTTP status.'),
  code: text(64).min(1).optional().describe('Selects the requests that got this error code.'),
  path: text(200).min(1).optional().describe('Selects the requests of this path, compared exactly, without the query.'),
});

/** A logged request in every response. */
export const requestResource = z
  .object(
    described(MEMBERS, {
      id: z.string(),
      object: z.literal('request'),
      merchantId: z.string(),
      environment: z.enum(ENVIRONMENTS),
      apiKeyId: z.string(),
      address: z.string(),
      method: z.string(),
      path: z.string(),
      status: z.int(),
      code: z.string().nullable(),
      durationMs: z.int(),
      requestBody: z.unknown(),
      responseBody: z.unknown(),
      createdAt: responseTime,
    }),
  )
  .describe('A request to the API, and how it was answered.');

export type RequestResource = z.infer<typeof requestResource>;
