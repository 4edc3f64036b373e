import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { pageQuery, responseTime, text, timeText, wholeNumberText } from './common.ts';

/** GET /requests */
export const listRequestsQuery = z.strictObject({
  ...pageQuery,
  status: wholeNumberText(100, 599).optional(),
  code: text(64).min(1).optional(),
  path: text(200).min(1).optional(),
  createdAfter: timeText.optional(),
  createdBefore: timeText.optional(),
});

/** A body as far as it is kept: masked; `omitted` says why there is none. */
const body = z.unknown().meta({
  description:
    'The JSON without card data, personal data and secrets; null without a body. `{"omitted": …, "bytes": …}` stands for a body ' +
    'that was too large to keep, or no JSON.',
});

/** A logged request in every response. */
export const requestResource = z.object({
  /** The `X-Request-Id` of its response. */
  id: z.string(),
  object: z.literal('request'),
  merchantId: z.string(),
  environment: z.enum(ENVIRONMENTS),
  /** The API key that signed it, or the payment intent whose checkout page did. */
  apiKeyId: z.string(),
  method: z.string(),
  /** Without the query. */
  path: z.string(),
  status: z.number(),
  /** The error code of the response; null where it was a success. */
  code: z.string().nullable(),
  durationMs: z.number(),
  requestBody: body,
  responseBody: body,
  createdAt: responseTime,
});

export type RequestResource = z.infer<typeof requestResource>;
