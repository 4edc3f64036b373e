import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { SECOND_MS } from '../../domain/time.ts';
import { type Credentials, sendSigned, type SignedRequest } from '../../sandbox/signed-request.ts';
import type { Random } from '../random.ts';
import { type ClientAnswer, type ClientTry, isDefinite, type Operation } from '../snapshot/client-try.ts';

/** A request of a merchant's server. */
interface ClientRequest {
  readonly operation: Operation;
  readonly intentId: string | null;
  readonly method: SignedRequest['method'];
  /** Below `/api/v1`. */
  readonly path: string;
  readonly body?: object;
  readonly confirms?: boolean;
  readonly respondAsync?: boolean;
  /** Repeats the request with the same key after it was answered. */
  readonly repeatsAnswered?: boolean;
}

/** A client of the API, whose requests are recorded. */
export interface ApiClient {
  readonly name: string;
  /** Sends a request. @returns the definite answer, or null if there was none */
  send(request: ClientRequest): Promise<ClientAnswer | null>;
}

export interface ApiClientOptions {
  readonly name: string;
  /** Whether the client repeats a request with the same key until it gets a definite answer, or never. */
  readonly isPersistent: boolean;
  readonly credentials: Omit<Credentials, 'baseUrl'>;
  /** The addresses of all API processes; a repeat goes to the next one. */
  readonly baseUrls: readonly string[];
  readonly random: Random;
  /** Called with each request when it ends. */
  readonly record: (clientTry: ClientTry) => void;
  /** Called with each client secret in a response. */
  readonly keepSecret: (clientSecret: string) => void;
  /** Makes persistent clients stop. */
  readonly giveUp: AbortSignal;
}

const TIMEOUT_MS = 25 * SECOND_MS;
const PAUSE_MS = { shortest: 300, longest: 2_000 };

export function createApiClient(options: ApiClientOptions): ApiClient {
  const { name, isPersistent, baseUrls, random, giveUp } = options;
  let turn = random.between(0, baseUrls.length - 1);

  const sendOnce = async (request: ClientRequest, idempotencyKey: string | null): Promise<ClientAnswer | null> => {
    turn += 1;
    const baseUrl = baseUrls[turn % baseUrls.length] ?? '';
    const sentAt = Date.now();
    const answer = await exchange(options, baseUrl, request, idempotencyKey);
    options.record({
      client: name,
      operation: request.operation,
      intentId: request.intentId ?? answer?.intentId ?? null,
      idempotencyKey,
      confirms: request.confirms ?? false,
      sentAt: new Date(sentAt).toISOString(),
      tookMs: Date.now() - sentAt,
      answer,
    });
    return answer;
  };

  return {
    name,
    async send(request) {
      const idempotencyKey = request.method === 'POST' ? randomUUID() : null;
      let answer = await sendOnce(request, idempotencyKey);
      while (isPersistent && !isDefinite(answer) && !giveUp.aborted) {
        await sleep(random.between(PAUSE_MS.shortest, PAUSE_MS.longest));
        answer = await sendOnce(request, idempotencyKey);
      }
      if (request.repeatsAnswered === true && isDefinite(answer)) await sendOnce(request, idempotencyKey);
      return isDefinite(answer) ? answer : null;
    },
  };
}

async function exchange(
  { credentials, keepSecret }: ApiClientOptions,
  baseUrl: string,
  { method, path, body, respondAsync }: ClientRequest,
  idempotencyKey: string | null,
): Promise<ClientAnswer | null> {
  try {
    const response = await sendSigned(
      { ...credentials, baseUrl },
      {
        method,
        path: `/api/v1${path}`,
        body,
        timeoutMs: TIMEOUT_MS,
        headers: {
          ...(idempotencyKey === null ? {} : { 'X-Idempotency-Key': idempotencyKey }),
          ...(respondAsync === true ? { Prefer: 'respond-async' } : {}),
        },
      },
    );
    const envelope = envelopeSchema.parse(await response.json());
    if (envelope.data?.clientSecret !== undefined) keepSecret(envelope.data.clientSecret);
    return answerOf(response, envelope);
  } catch {
    // No answer, or an incomplete one: the outcome of the request is unknown.
    return null;
  }
}

const intentSchema = z.object({ id: z.string(), status: z.string() });
const envelopeSchema = z.object({
  data: z
    .object({
      id: z.string().optional(),
      object: z.string().optional(),
      status: z.string().optional(),
      paymentIntentId: z.string().optional(),
      clientSecret: z.string().optional(),
    })
    .optional(),
  error: z
    .object({
      code: z.string(),
      details: z
        .object({ paymentIntent: intentSchema.optional(), refund: intentSchema.optional(), status: z.unknown() })
        .partial()
        .optional(),
    })
    .optional(),
});

function answerOf(response: Response, { data, error }: z.infer<typeof envelopeSchema>): ClientAnswer {
  const isRefund = data?.object === 'refund';
  const { paymentIntent, refund, status } = error?.details ?? {};
  const answeredIntent = isRefund || data === undefined ? paymentIntent : data;
  const answeredRefund = isRefund ? data : refund;
  return {
    status: response.status,
    code: error?.code ?? null,
    isInFlight: error?.code === 'DUPLICATE_REQUEST' && response.headers.has('retry-after'),
    intentId: answeredIntent?.id ?? null,
    intentStatus: answeredIntent?.status ?? (typeof status === 'string' ? status : null),
    refundId: answeredRefund?.id ?? null,
    refundStatus: answeredRefund?.status ?? null,
  };
}
