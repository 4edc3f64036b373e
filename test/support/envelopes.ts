import assert from 'node:assert/strict';
import { z } from 'zod';
import {
  createdPaymentIntentResource,
  paymentIntentResource,
  timelineLine,
} from '../../contract/schemas/payment-intent-resource.ts';
import type { Answer } from './signed-request.ts';

const intent = paymentIntentResource.strict();
const createdIntent = createdPaymentIntentResource.strict();
const page = z.strictObject({ page: z.int(), limit: z.int(), total: z.int(), totalPages: z.int() });
const failure = z.strictObject({
  code: z.string(),
  message: z.string().min(1),
  type: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
  requestId: z.string().min(1),
});

export type Intent = z.infer<typeof intent>;
export type CreatedIntent = z.infer<typeof createdIntent>;
export type Failure = z.infer<typeof failure>;

/** The intent in a success envelope that has exactly the documented fields. */
export function intentOf(answer: Answer): Intent {
  return dataOf(answer, intent);
}

/** The same for data that the server client returns. */
export function asIntent(data: unknown): Intent {
  return intent.parse(data);
}

/** The same for a creation by the server client. */
export function asCreatedIntent(data: unknown): CreatedIntent {
  return createdIntent.parse(data);
}

/** The intent in the response to a creation. */
export function createdIntentOf(answer: Answer): CreatedIntent {
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return dataOf(answer, createdIntent);
}

export function timelineOf(answer: Answer): readonly z.infer<typeof timelineLine>[] {
  return dataOf(answer, z.array(timelineLine));
}

/** The intents and the pagination of a list. */
export function intentPageOf(answer: Answer): { data: readonly Intent[]; pagination: z.infer<typeof page> } {
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return z.strictObject({ success: z.literal(true), data: z.array(intent), pagination: page }).parse(answer.body);
}

/** The error in an error envelope; its request id is also the response's. */
export function failureOf(answer: Answer): Failure {
  const { error } = z.strictObject({ success: z.literal(false), error: failure }).parse(answer.body);
  assert.equal(answer.headers.get('x-request-id'), error.requestId);
  return error;
}

/** The intent that a payment error carries. */
export function intentInFailure(answer: Answer): Intent {
  return intent.parse(failureOf(answer).details?.['paymentIntent']);
}

/** Asserts the status and code of an error response. @returns its other members */
export function assertRefused(answer: Answer, status: number, code: string): Failure {
  const error = failureOf(answer);
  assert.deepEqual({ status: answer.status, code: error.code }, { status, code }, JSON.stringify(error));
  return error;
}

function dataOf<Schema extends z.ZodType>({ status, body }: Answer, schema: Schema): z.output<Schema> {
  assert.ok(status === 200 || status === 201, JSON.stringify(body));
  return schema.parse(z.strictObject({ success: z.literal(true), data: z.unknown() }).parse(body).data);
}
