import { backoffMs } from './backoff.ts';
import type { ClientCredentials } from './client-secret.ts';
import type { Platform } from './platform.ts';
import { asPaymentMethodId } from './frame-messages.ts';
import { asError, asObject, asPayment, asSavedCards, parseObject } from './parse.ts';
import { sign } from './sign.ts';
import type { CheckoutError, ConfirmOptions, Payment, PaymentMethod, SavedCards, StoredCard } from './types.ts';

/** A response of the API: a payment, an error, or both where a provider declined the payment. */
export interface ApiResult {
  /** 0 when there was no response. */
  readonly httpStatus: number;
  readonly payment: Payment | null;
  readonly error: CheckoutError | null;
}

export interface ApiClient {
  read(): Promise<ApiResult>;
  confirm(body: Omit<ConfirmOptions, 'redirect'>): Promise<ApiResult>;
  savedCards(): Promise<SavedCards>;
  /** Stores a payment method for the payment, or the security code of a saved one. */
  store(method: MethodToStore): Promise<StoredCard>;
}

/** A payment method, or a saved one with its security code. */
export type MethodToStore =
  | { readonly paymentMethod: PaymentMethod }
  | { readonly paymentMethodId: string; readonly cvc: string };

interface PageRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly body: string | null;
  readonly idempotencyKey: string | null;
}

/** A response with all of its data. */
interface Received extends ApiResult {
  readonly data: unknown;
}

interface TryResult extends Received {
  /** Null where the same request need not be repeated. */
  readonly retryAfterMs: number | null;
}

/** Longer than the API waits for the outcome of a confirm. */
const TIMEOUT_MS = 30_000;
const TRIES = 4;
const LONGEST_RETRY_AFTER_MS = 10_000;
/** The API refuses only this try with them: an earlier try whose response was lost may have succeeded. */
const STATUSES_OF_REFUSED_TRY: readonly number[] = [403, 429];
export const NETWORK_ERROR: CheckoutError = {
  code: 'NETWORK_ERROR',
  message: 'The payment service could not be reached.',
  details: null,
};

const INSECURE_PAGE: CheckoutError = {
  code: 'INSECURE_PAGE',
  message: 'This page has to be loaded over HTTPS before anything can be paid on it.',
  details: null,
};

/** The requests that a client secret allows, signed, and retried where that is safe and helps. */
export function createApiClient(platform: Platform, credentials: ClientCredentials, baseUrl: string): ApiClient {
  const intentUrl = `${baseUrl}/api/v1/payment-intents/${credentials.paymentIntentId}`;

  let clockOffsetMs = 0;

  const sendOnce = async (request: PageRequest): Promise<TryResult> => {
    try {
      const timestamp = new Date(platform.nowMs() + clockOffsetMs).toISOString();
      const response = await platform.fetch(request.url, {
        method: request.method,
        headers: await signedHeaders(credentials, timestamp, request),
        body: request.body,
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const result = received(response.status, await response.text(), response.headers.get('Retry-After'));
      if (result.error?.code !== 'TIMESTAMP_EXPIRED') return result;
      // The customer's clock is wrong; the server's is what counts.
      const serverMs = Date.parse(response.headers.get('Date') ?? '');
      if (Number.isFinite(serverMs)) clockOffsetMs = serverMs - platform.nowMs();
      return { ...result, retryAfterMs: Number.isFinite(serverMs) ? 0 : null };
    } catch {
      return unsigned(platform) ?? { httpStatus: 0, data: null, payment: null, error: NETWORK_ERROR, retryAfterMs: 0 };
    }
  };

  const send = async (request: PageRequest): Promise<Received> => {
    let unanswered: Received | null = null;
    for (let failures = 1; ; failures += 1) {
      const { retryAfterMs, ...result } = await sendOnce(request);
      if (retryAfterMs === null || failures === TRIES) {
        return unanswered !== null && STATUSES_OF_REFUSED_TRY.includes(result.httpStatus) ? unanswered : result;
      }
      if (result.httpStatus === 0 || result.httpStatus >= 500) unanswered = result;
      const pauseMs = Math.max(retryAfterMs, backoffMs(failures, platform.random));
      await new Promise<void>((resolve) => platform.schedule(pauseMs, resolve));
    }
  };

  return {
    read: () => send({ method: 'GET', url: intentUrl, body: null, idempotencyKey: null }),
    // One key for all tries: a repeat finds the first one's outcome and never pays twice.
    confirm: (body) =>
      send({
        method: 'POST',
        url: `${intentUrl}/confirm`,
        body: JSON.stringify(body),
        idempotencyKey: platform.newId(),
      }),
    async savedCards() {
      const url = `${intentUrl}/saved-payment-methods`;
      const { data, error } = await send({ method: 'GET', url, body: null, idempotencyKey: null });
      return { cards: asSavedCards(data), error };
    },
    async store(method) {
      const { data, error } = await send({
        method: 'POST',
        url: `${intentUrl}/payment-methods`,
        body: JSON.stringify(method),
        idempotencyKey: platform.newId(),
      });
      const paymentMethodId = asPaymentMethodId(asObject(data)?.id);
      return paymentMethodId === null
        ? { paymentMethodId, error: error ?? NETWORK_ERROR }
        : { paymentMethodId, error: null };
    },
  };
}

async function signedHeaders(
  { key, salt }: ClientCredentials,
  timestamp: string,
  { body, idempotencyKey }: PageRequest,
): Promise<Record<string, string>> {
  return {
    Authorization: `Bearer ${key}`,
    'X-Secret-Salt': salt,
    'X-Timestamp': timestamp,
    'X-Signature': await sign(salt, timestamp, body),
    ...(body === null ? {} : { 'Content-Type': 'application/json' }),
    ...(idempotencyKey === null ? {} : { 'X-Idempotency-Key': idempotencyKey }),
  };
}

/** Browsers sign on pages from HTTPS and from this machine only. */
function unsigned({ canSign }: Platform): TryResult | null {
  return canSign ? null : { httpStatus: 0, data: null, payment: null, error: INSECURE_PAGE, retryAfterMs: null };
}

function received(httpStatus: number, text: string, retryAfter: string | null): TryResult {
  const envelope = parseObject(text);
  if (envelope?.success === true) {
    return { httpStatus, data: envelope.data, payment: asPayment(envelope.data), error: null, retryAfterMs: null };
  }
  const error = asError(envelope?.error) ?? NETWORK_ERROR;
  const payment = asPayment(asObject(asObject(envelope?.error)?.details)?.paymentIntent);
  return {
    httpStatus,
    data: null,
    payment,
    error,
    retryAfterMs: payment === null ? retryPauseMs(httpStatus, retryAfter) : null,
  };
}

/** The API says with `Retry-After` that a repeat may help; an internal error, or a proxy in between, cannot say so. */
function retryPauseMs(httpStatus: number, retryAfter: string | null): number | null {
  const seconds = Number(retryAfter ?? Number.NaN);
  if (Number.isFinite(seconds)) return seconds * 1_000 > LONGEST_RETRY_AFTER_MS ? null : seconds * 1_000;
  return [500, 502, 503, 504].includes(httpStatus) ? 0 : null;
}
