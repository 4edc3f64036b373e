import type { oas31 } from 'zod-openapi';

const integer = { type: 'integer', minimum: 0 } as const;

/** Headers of responses, by the name of their component. */
export const HEADER_COMPONENTS = {
  RequestId: {
    description: 'The id of the request, for support: the X-Request-Id of the request if it was well-formed.',
    required: true,
    schema: { type: 'string' },
  },
  EngineRequestId: {
    description:
      "The engine's own id of the request, which no other request has: a client may send an X-Request-Id twice.",
    required: true,
    schema: { type: 'string' },
  },
  RateLimitLimit: { description: 'Requests a minute.', required: true, schema: integer },
  RateLimitRemaining: {
    description: 'Remaining requests in the current minute.',
    required: true,
    schema: integer,
  },
  RateLimitReset: {
    description: 'When the current minute ends, in Unix seconds.',
    required: true,
    schema: integer,
  },
  RetryAfter: { description: 'Seconds to wait before a retry.', required: true, schema: integer },
  RetryAfterIfRunning: {
    description: 'Seconds to wait before a retry, if the first request with the key is still running.',
    schema: integer,
  },
  IdempotentReplayed: {
    description: 'Present on the stored response to an earlier request with the same X-Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
  RowLimit: { description: 'Of a CSV file: how many rows it has at most.', schema: integer },
  RowsTruncated: {
    description: 'Of a CSV file: whether the list has more rows, of which the file has the newest.',
    schema: { type: 'string', enum: ['true', 'false'] },
  },
} as const satisfies Record<string, oas31.HeaderObject>;

type HeaderComponent = keyof typeof HEADER_COMPONENTS;

const EVERYWHERE: Readonly<Record<string, HeaderComponent>> = {
  'X-Request-Id': 'RequestId',
  'X-Engine-Request-Id': 'EngineRequestId',
  'X-RateLimit-Limit': 'RateLimitLimit',
  'X-RateLimit-Remaining': 'RateLimitRemaining',
  'X-RateLimit-Reset': 'RateLimitReset',
};
const OF_STATUS: Readonly<Record<number, Readonly<Record<string, HeaderComponent>>>> = {
  429: { 'Retry-After': 'RetryAfter' },
  503: { 'Retry-After': 'RetryAfter' },
};
/** The additional headers of responses to requests with an idempotency key, by status. */
const OF_KEYED_STATUS: Readonly<Record<number, Readonly<Record<string, HeaderComponent>>>> = {
  200: { 'Idempotent-Replayed': 'IdempotentReplayed' },
  201: { 'Idempotent-Replayed': 'IdempotentReplayed' },
  400: { 'Idempotent-Replayed': 'IdempotentReplayed' },
  404: { 'Idempotent-Replayed': 'IdempotentReplayed' },
  409: { 'Idempotent-Replayed': 'IdempotentReplayed', 'Retry-After': 'RetryAfterIfRunning' },
};

/** The additional headers of a list that was asked for as CSV. */
export const CSV_HEADERS: oas31.HeadersObject = {
  'X-Row-Limit': { $ref: '#/components/headers/RowLimit' satisfies `#/components/headers/${HeaderComponent}` },
  'X-Rows-Truncated': {
    $ref: '#/components/headers/RowsTruncated' satisfies `#/components/headers/${HeaderComponent}`,
  },
};

/** The headers of a response of that status. */
export function responseHeaders(status: number, takesKey = false): oas31.HeadersObject {
  const names = { ...EVERYWHERE, ...OF_STATUS[status], ...(takesKey ? OF_KEYED_STATUS[status] : {}) };
  return Object.fromEntries(
    Object.entries(names).map(([name, component]) => [name, { $ref: `#/components/headers/${component}` }]),
  );
}
