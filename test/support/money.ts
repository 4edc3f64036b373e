import assert from 'node:assert/strict';
import { z } from 'zod';
import { eventResource } from '../../contract/schemas/event.ts';
import { refundResource } from '../../contract/schemas/refund.ts';
import { transactionResource } from '../../contract/schemas/transaction.ts';
import type { Credentials } from '../../sandbox/signed-request.ts';
import { failureOf } from './envelopes.ts';
import { type Answer, request } from './signed-request.ts';

const success = z.strictObject({ success: z.literal(true), data: z.unknown(), pagination: z.unknown().optional() });

/** Requests a refund; by default as the merchant of the sandbox. */
export function postRefund(
  body: object,
  { headers = {}, credentials }: { headers?: Readonly<Record<string, string>>; credentials?: Credentials } = {},
): Promise<Answer> {
  return request({ method: 'POST', path: '/api/v1/refunds', body, headers }, credentials);
}

/** The refund in the response to a creation. */
export function refundOf(answer: Answer): z.output<typeof refundResource> {
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return refundResource.strict().parse(success.parse(answer.body).data);
}

/** The refund in an error response. */
export function refundInFailure(answer: Answer): z.output<typeof refundResource> {
  return refundResource.strict().parse(failureOf(answer).details?.['refund']);
}

export async function getRefund(id: string): Promise<z.output<typeof refundResource>> {
  return refundResource.strict().parse(await getData(`/refunds/${id}`));
}

export async function listRefunds(query: string): Promise<z.output<typeof refundResource>[]> {
  return z.array(refundResource.strict()).parse(await getData(`/refunds?${query}`));
}

export async function listTransactions(query: string): Promise<z.output<typeof transactionResource>[]> {
  return z.array(transactionResource.strict()).parse(await getData(`/transactions?${query}`));
}

export async function listEvents(query: string): Promise<z.output<typeof eventResource>[]> {
  return z.array(eventResource.strict()).parse(await getData(`/events?${query}`));
}

/** The data of a GET below /api/v1. */
export async function getData(path: string): Promise<unknown> {
  const answer = await request({ method: 'GET', path: `/api/v1${path}` });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return success.parse(answer.body).data;
}
