import assert from 'node:assert/strict';
import { z } from 'zod';
import type { Credentials, SignedRequest } from '../../sandbox/signed-request.ts';
import { failureOf } from './envelopes.ts';
import { type Answer, request } from './signed-request.ts';

const pagination = z.strictObject({ page: z.int(), limit: z.int(), total: z.int(), totalPages: z.int() });

/** The resource in a success envelope that has exactly the documented fields. */
export function resourceOf<Shape extends z.ZodRawShape>(
  { status, body }: Answer,
  resource: z.ZodObject<Shape>,
  expectedStatus: 200 | 201 = 200,
) {
  assert.equal(status, expectedStatus, JSON.stringify(body));
  return z.strictObject({ success: z.literal(true), data: resource.strict() }).parse(body).data;
}

/** The resources and the pagination of a list. */
export function resourcePageOf<Shape extends z.ZodRawShape>({ status, body }: Answer, resource: z.ZodObject<Shape>) {
  assert.equal(status, 200, JSON.stringify(body));
  return z.strictObject({ success: z.literal(true), data: z.array(resource.strict()), pagination }).parse(body);
}

/** `field:code` of every field error in an error response. */
export function problemsOf(answer: Answer): string[] {
  const { fields } = z
    .object({ fields: z.array(z.object({ field: z.string(), code: z.string() })) })
    .parse(failureOf(answer).details);
  return fields.map(({ field, code }) => `${field}:${code}`).sort();
}

/** Sends requests below /api/v1 as one merchant. */
export function clientOf(credentials: Credentials, headers: Readonly<Record<string, string>> = {}) {
  return (method: SignedRequest['method'], path: string, body?: unknown, more: Readonly<Record<string, string>> = {}) =>
    request(
      {
        method,
        path: `/api/v1${path}`,
        ...(body === undefined ? {} : { body }),
        headers: { ...headers, ...more },
      },
      credentials,
    );
}

export type Client = ReturnType<typeof clientOf>;

/**
 * Sends ten changes of one row at once: each is done or refused as a conflict, at least one is done, and the row is as
 * one of those left it.
 */
export async function assertOneWinnerAtATime<Value>(
  change: (index: number) => Promise<Answer>,
  { valueOf, read }: { readonly valueOf: (index: number) => Value; readonly read: () => Promise<Value> },
): Promise<void> {
  const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => change(index)));
  const done = answers.flatMap(({ status }, index) => (status === 200 ? [index] : []));
  const conflicts = answers.filter((answer) => answer.status === 409 && failureOf(answer).code === 'STATE_CONFLICT');
  assert.ok(done.length > 0);
  assert.equal(done.length + conflicts.length, answers.length, JSON.stringify(answers.map(({ body }) => body)));
  const left = await read();
  assert.ok(
    done.some((index) => JSON.stringify(valueOf(index)) === JSON.stringify(left)),
    `${JSON.stringify(left)} is what none of ${done.join()} wrote`,
  );
}
