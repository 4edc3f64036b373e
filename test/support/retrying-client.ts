import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { SECOND_MS } from '../../domain/time.ts';
import { type Credentials, sendSigned, type SignedRequest } from '../../sandbox/signed-request.ts';

const intentSchema = z.looseObject({
  id: z.string(),
  status: z.string(),
  amount: z.number(),
  attempts: z.array(z.looseObject({ provider: z.string() })),
});
export type ClientIntent = z.infer<typeof intentSchema>;

const successSchema = z.object({ data: intentSchema });
const failureSchema = z.object({
  error: z.looseObject({
    code: z.string(),
    details: z.looseObject({ paymentIntent: intentSchema.optional() }).optional(),
  }),
});

/** A definite answer: the intent as the API showed it, and the code of the failure if there was one. */
export interface ClientAnswer {
  readonly status: number;
  readonly code: string | null;
  readonly intent: ClientIntent | null;
}

export interface RetriedRequest extends SignedRequest {
  /** The same for every try. */
  readonly idempotencyKey?: string;
}

const GIVE_UP_AFTER_MS = 150 * SECOND_MS;
const REQUEST_TIMEOUT_MS = 20 * SECOND_MS;
const SHORTEST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2 * SECOND_MS;

/**
 * Sends a request until it has a definite answer, as merchants should: after connection errors, timeouts, 5xx,
 * 429 and `DUPLICATE_REQUEST` with `Retry-After` it is sent again with the same idempotency key.
 * @param onRetry receives the reason of each try without a definite answer
 */
export async function sendUntilAnswered(
  credentials: Credentials,
  { idempotencyKey, ...request }: RetriedRequest,
  onRetry: (problem: string) => void = () => undefined,
): Promise<ClientAnswer> {
  const headers = { ...request.headers, ...(idempotencyKey && { 'X-Idempotency-Key': idempotencyKey }) };
  const deadline = Date.now() + GIVE_UP_AFTER_MS;
  for (let tries = 1; ; tries += 1) {
    const answer = await sendOnce(credentials, { timeoutMs: REQUEST_TIMEOUT_MS, ...request, headers });
    if (typeof answer === 'object') return answer;
    onRetry(answer);
    if (Date.now() > deadline) throw new Error(`${request.method} ${request.path} was never answered: ${answer}`);
    await sleep(Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * tries));
  }
}

const refundSchema = z.object({ data: z.looseObject({ id: z.string(), status: z.string() }) });

/** Requests a refund until it exists, with one idempotency key for all tries. */
export async function refundUntilAnswered(
  credentials: Credentials,
  { body, idempotencyKey }: { readonly body: object; readonly idempotencyKey: string },
  onRetry: (problem: string) => void,
): Promise<z.output<typeof refundSchema>['data']> {
  const headers = { 'X-Idempotency-Key': idempotencyKey };
  const request = { method: 'POST', path: '/api/v1/refunds', body, headers, timeoutMs: REQUEST_TIMEOUT_MS } as const;
  const deadline = Date.now() + GIVE_UP_AFTER_MS;
  for (;;) {
    const answer = await readRefund(credentials, request);
    if (typeof answer === 'object') return answer;
    onRetry(answer);
    if (Date.now() > deadline) throw new Error(`the refund was never made: ${answer}`);
    await sleep(LONGEST_PAUSE_MS);
  }
}

async function readRefund(
  credentials: Credentials,
  request: SignedRequest,
): Promise<z.output<typeof refundSchema>['data'] | string> {
  try {
    const response = await sendSigned(credentials, request);
    const body: unknown = await response.json();
    return response.status === 201 ? refundSchema.parse(body).data : `${response.status} ${JSON.stringify(body)}`;
  } catch (error) {
    return describeError(error);
  }
}

/** One try: a definite answer, or the reason why there was none. */
async function sendOnce(credentials: Credentials, request: SignedRequest): Promise<ClientAnswer | string> {
  let status: number;
  let retryAfter: string | null;
  let body: unknown;
  try {
    const response = await sendSigned(credentials, request);
    status = response.status;
    retryAfter = response.headers.get('retry-after');
    body = await response.json();
  } catch (error) {
    return describeError(error);
  }
  const answer = readAnswer(status, body);
  const isIndefinite = status >= 500 || status === 429 || (answer.code === 'DUPLICATE_REQUEST' && retryAfter !== null);
  return isIndefinite ? `${status} ${answer.code ?? ''}` : answer;
}

function readAnswer(status: number, body: unknown): ClientAnswer {
  const success = successSchema.safeParse(body);
  if (success.success) return { status, code: null, intent: success.data.data };
  const { error } = failureSchema.parse(body);
  return { status, code: error.code, intent: error.details?.paymentIntent ?? null };
}

function describeError(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause ? String(cause.code) : cause.message;
}
