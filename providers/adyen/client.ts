import type { PaymentMethodsRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentMethodsRequest.js';
import type { z } from 'zod';
import { parseJson } from '../../domain/json.ts';
import type { OutageCode, Unrecognised } from '../../domain/provider-outcome.ts';
import { redactProviderResponse } from '../../domain/redaction.ts';
import { CredentialsRefusedError, ProviderOutageError } from '../provider-errors.ts';
import { createProviderHttp, type ProviderAnswer } from '../provider-http.ts';
import type { ProviderAccountSettings } from '../provider-kind.ts';
import type { AdyenCredentials } from './credentials.ts';
import { serviceErrorSchema } from './messages.ts';

type Settings = ProviderAccountSettings<AdyenCredentials>;

const VERSION = 'v72';
const TEST_URL = 'https://checkout-test.adyen.com';

const DISPUTE_VERSION = 'v30';
const DISPUTE_URLS = { sandbox: 'https://ca-test.adyen.com', production: 'https://ca-live.adyen.com' } as const;

/** HTTP statuses after which the outcome is unknown. */
const OUTAGE_BY_STATUS: Readonly<Record<number, OutageCode>> = {
  408: 'TSP_TIMEOUT',
  409: 'TSP_UNAVAILABLE',
  425: 'TSP_UNAVAILABLE',
  429: 'TSP_UNAVAILABLE',
  503: 'TSP_UNAVAILABLE',
};

/** The API key may not do this, or not for this merchant account. */
const CREDENTIAL_ERRORS: ReadonlySet<string> = new Set(['010', '901']);
/** The key is in use by another request that has not ended. */
const IN_PROGRESS = '704';
/** The account is not set up for this kind of card or currency: the only error with status 500 after which nothing was done. */
const NOT_SET_UP = /^905(?:_|$)/;

/**
 * Sends a request under an idempotency key of at most 64 characters. Returns only answers that tell what became of it.
 * @throws CredentialsRefusedError where Adyen refuses the API key or the merchant account, so that it did nothing
 * @throws ProviderOutageError for every other answer
 */
export type Call = (path: string, body: object, key: string, signal: AbortSignal) => Promise<ProviderAnswer>;

/** Sends a request without a body, which needs no key because a repeat does no harm. Returns and throws as `Call`. */
export type Ask = (method: 'GET' | 'DELETE', path: string, signal: AbortSignal) => Promise<ProviderAnswer>;

/** @throws RangeError where a production account has no prefix of the live addresses */
export function createCaller(settings: Settings): { readonly call: Call; readonly ask: Ask } {
  const { url, basePath } = addressOf(settings);
  const { requestsPerSecond = null } = settings;
  const http = createProviderHttp(url, settings.timeoutMs, { requestsPerSecond });
  const apiKey = { 'x-api-key': settings.credentials.apiKey };
  return {
    call: async (path, body, key, signal) => {
      const headers = { ...apiKey, 'content-type': 'application/json', 'idempotency-key': key };
      const request = { method: 'POST', path: `${basePath}${path}`, headers, body: JSON.stringify(body) } as const;
      return understood(await http.send(request, signal));
    },
    ask: async (method, path, signal) =>
      understood(await http.send({ method, path: `${basePath}${path}`, headers: apiKey }, signal)),
  };
}

/** Sends a request to Adyen's service for disputes, which has no idempotency keys. Returns and throws as `Call`. */
export type CallDisputes = (operation: string, body: object, signal: AbortSignal) => Promise<ProviderAnswer>;

/** The service for disputes is at another host than payments, the same for every company; its key needs a role of its own. */
export function createDisputeCaller({ environment, credentials, apiUrl, timeoutMs }: Settings): CallDisputes {
  const http = createProviderHttp(apiUrl ?? DISPUTE_URLS[environment], timeoutMs);
  const headers = { 'x-api-key': credentials.apiKey, 'content-type': 'application/json' };
  return async (operation, body, signal) => {
    const path = `/ca/services/DisputeService/${DISPUTE_VERSION}/${operation}`;
    return understood(await http.send({ method: 'POST', path, headers, body: JSON.stringify(body) }, signal));
  };
}

/** @throws CredentialsRefusedError, or ProviderOutageError, for an answer that does not tell what became of the request */
function understood(answer: ProviderAnswer): ProviderAnswer {
  if (isAboutCredentials(answer)) throw credentialsRefused(answer);
  if (isSuccess(answer) || isRefusal(answer)) return answer;
  throw outageOf(answer);
}

function addressOf({ environment, credentials: { liveUrlPrefix }, apiUrl }: Settings): {
  url: string;
  basePath: string;
} {
  if (apiUrl !== null) return { url: apiUrl, basePath: `/${VERSION}` };
  if (environment === 'sandbox') return { url: TEST_URL, basePath: `/${VERSION}` };
  if (liveUrlPrefix === undefined) throw new RangeError('a production account at Adyen needs liveUrlPrefix');
  return { url: `https://${liveUrlPrefix}-checkout-live.adyenpayments.com`, basePath: `/checkout/${VERSION}` };
}

/**
 * Asks for the merchant account's payment methods.
 * @returns null where the credentials work, else what is wrong with them
 * @throws ProviderOutageError where Adyen gave no usable answer
 */
export async function checkCredentials(settings: Settings, signal: AbortSignal): Promise<string | null> {
  const { environment, apiUrl, credentials } = settings;
  if (environment === 'production' && apiUrl === null && credentials.liveUrlPrefix === undefined) {
    return "liveUrlPrefix is missing: Adyen's Customer Area shows it under Developers, API URLs.";
  }
  const { url, basePath } = addressOf(settings);
  const body = { merchantAccount: credentials.merchantAccount } satisfies PaymentMethodsRequest;
  const headers = { 'x-api-key': credentials.apiKey, 'content-type': 'application/json' };
  const http = createProviderHttp(url, settings.timeoutMs);
  const request = { method: 'POST', path: `${basePath}/paymentMethods`, headers, body: JSON.stringify(body) } as const;
  const answer = await http.send(request, signal);
  if (isSuccess(answer)) return null;
  if (answer.status === 401) return 'Adyen refuses the API key.';
  if (answer.status === 403) return 'Adyen does not let this API key use this merchant account.';
  if (!isRefusal(answer)) throw outageOf(answer);
  return `Adyen refuses the merchant account (error ${errorCodeOf(answer)}).`;
}

export function isSuccess({ status }: ProviderAnswer): boolean {
  return status === 200 || status === 201 || status === 204;
}

/** Whether Adyen refused the request itself, so that this and every repeat of it does nothing. */
function isRefusal(answer: ProviderAnswer): boolean {
  const { status, headers } = answer;
  if (headers?.['transient-error'] === 'true' || OUTAGE_BY_STATUS[status] !== undefined) return false;
  const errorCode = errorCodeOf(answer);
  if (status === 500) return NOT_SET_UP.test(errorCode);
  return status >= 400 && status < 500 && errorCode !== IN_PROGRESS;
}

function isAboutCredentials(answer: ProviderAnswer): boolean {
  const { status } = answer;
  if (status === 401 || status === 403) return true;
  return status >= 400 && status < 500 && CREDENTIAL_ERRORS.has(errorCodeOf(answer));
}

function credentialsRefused(answer: ProviderAnswer): CredentialsRefusedError {
  const code = errorCodeOf(answer);
  return new CredentialsRefusedError(
    `Adyen refuses the API key or the merchant account (status ${answer.status}${code === '' ? '' : `, error ${code}`})`,
  );
}

/** Adyen's code of an error; empty where the answer has none. */
export function errorCodeOf({ text }: ProviderAnswer): string {
  return serviceErrorSchema.safeParse(parseJson(text)).data?.errorCode ?? '';
}

function outageOf({ status }: ProviderAnswer): ProviderOutageError {
  const code = OUTAGE_BY_STATUS[status] ?? 'TSP_ERROR';
  return new ProviderOutageError(code, `the provider answered with status ${status}`);
}

/** @throws ProviderOutageError for an answer that refuses the request */
export function requireSuccess(answer: ProviderAnswer): ProviderAnswer {
  if (isSuccess(answer)) return answer;
  throw outageOf(answer);
}

/** @throws ProviderOutageError where the answer has another form */
export function readAnswer<Schema extends z.ZodType>(answer: ProviderAnswer, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(parseJson(answer.text));
  if (parsed.success) return parsed.data;
  throw new ProviderOutageError('TSP_ERROR', `the provider's answer with status ${answer.status} cannot be read`);
}

/**
 * The answer, if it succeeds or has the form of Adyen's errors.
 * @throws ProviderOutageError for any other refusal: not Adyen may have given it, and an earlier request may have been carried out
 */
export function requireAnswerOfAdyen(answer: ProviderAnswer): ProviderAnswer {
  if (isSuccess(answer) || errorCodeOf(answer) !== '') return answer;
  throw outageOf(answer);
}

/** A refusal, redacted. */
export function unrecognised({ status, text }: ProviderAnswer): Unrecognised {
  return { kind: 'unrecognised', providerResponse: redactProviderResponse({ status, body: parseJson(text) ?? text }) };
}
