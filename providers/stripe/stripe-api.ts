import type { z } from 'zod';
import { type JsonObject, parseJson } from '../../domain/json.ts';
import type { OutageCode } from '../../domain/provider-outcome.ts';
import { redactProviderResponse } from '../../domain/redaction.ts';
import { CredentialsRefusedError, ProviderOutageError } from '../provider-errors.ts';
import { encodeMultipart, type FormFile } from '../multipart.ts';
import { createProviderHttp, type ProviderAnswer } from '../provider-http.ts';
import { refusalSchema, type StripeRefusal } from './messages.ts';

/** Stripe's answers have the shape of this version, whatever the account's own default is. */
const API_VERSION = '2026-08-26.dahlia';

/** A hundred payments with their charges and refunds, a page of a list, take 1 MiB and more. */
const MAXIMUM_READ_BYTES = 8 * 1024 * 1024;

/** Statuses after which the outcome is unknown. A 409 means that a request with the same key is still running. */
const OUTAGE_BY_STATUS: Readonly<Record<number, OutageCode>> = {
  408: 'TSP_TIMEOUT',
  409: 'TSP_ERROR',
  424: 'TSP_ERROR',
  425: 'TSP_UNAVAILABLE',
  429: 'TSP_UNAVAILABLE',
  503: 'TSP_UNAVAILABLE',
};

/** A value of a form, as Stripe nests them: `card[number]`, `expand[0]`. */
type FormValue = string | number | boolean | null | undefined | object;

/** Stripe refused the request: it did nothing. */
export interface Refused {
  readonly isRefused: true;
  readonly status: number;
  /** Null where the answer has not the shape of Stripe's errors. */
  readonly error: StripeRefusal | null;
  /** Redacted. */
  readonly providerResponse: JsonObject;
}

interface StripeRequest {
  readonly method: 'GET' | 'POST';
  /** Without the query. */
  readonly path: string;
  /** The query of a GET, the form of a POST. */
  readonly params?: object;
  /** Under which Stripe carries the request out once, for at least 24 hours. */
  readonly idempotencyKey?: string;
}

/** An upload. Its parameters are texts. */
interface StripeUpload {
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly file: FormFile;
  readonly idempotencyKey: string;
}

export interface StripeApi {
  /**
   * Sends a request when the limit of its endpoint allows.
   * @returns the object in the answer, or why Stripe refused the request
   * @throws CredentialsRefusedError where Stripe refuses the key, so that it did nothing
   * @throws ProviderOutageError where the outcome is unknown
   */
  send<Schema extends z.ZodType>(
    request: StripeRequest,
    schema: Schema,
    signal: AbortSignal,
  ): Promise<z.output<Schema> | Refused>;

  /** Uploads a file; returns and throws as `send`. */
  upload<Schema extends z.ZodType>(
    upload: StripeUpload,
    schema: Schema,
    signal: AbortSignal,
  ): Promise<z.output<Schema> | Refused>;
}

export interface StripeApiSettings {
  readonly apiUrl: string;
  /** Where files are uploaded. */
  readonly filesUrl: string;
  readonly secretKey: string;
  readonly timeoutMs: number;
  /** To each endpoint. */
  readonly requestsPerSecond: number | null;
}

export function createStripeApi(settings: StripeApiSettings): StripeApi {
  const { apiUrl, filesUrl, secretKey, timeoutMs, requestsPerSecond } = settings;
  const http = createProviderHttp(apiUrl, timeoutMs, { requestsPerSecond, endpointOf });
  const filesHttp = createProviderHttp(filesUrl, timeoutMs, { requestsPerSecond });
  const commonHeaders = {
    authorization: `Bearer ${secretKey}`,
    'content-type': 'application/x-www-form-urlencoded',
    'stripe-version': API_VERSION,
  };

  return {
    async send({ method, path, params = {}, idempotencyKey }, schema, signal) {
      const key = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
      const headers = { ...commonHeaders, ...key };
      const form = encodeForm(params);
      const request =
        method === 'GET'
          ? { method, path: form === '' ? path : `${path}?${form}`, headers, maximumAnswerBytes: MAXIMUM_READ_BYTES }
          : { method, path, headers, body: form };
      return readAnswer(await http.send(request, signal), schema);
    },
    async upload({ path, params, file, idempotencyKey }, schema, signal) {
      const { contentType, body } = await encodeMultipart(params, file);
      const headers = { ...commonHeaders, 'content-type': contentType, 'idempotency-key': idempotencyKey };
      return readAnswer(await filesHttp.send({ method: 'POST', path, headers, body }, signal), schema);
    },
  };
}

function readAnswer<Schema extends z.ZodType>(answer: ProviderAnswer, schema: Schema): z.output<Schema> | Refused {
  if (answer.status !== 200) return refusedOrThrow(answer);
  const parsed = schema.safeParse(parseJson(answer.text));
  if (parsed.success) return parsed.data;
  throw new ProviderOutageError('TSP_ERROR', "the provider's answer cannot be read");
}

/** Whether Stripe refused, rather than answered. */
export function isRefused(answer: unknown): answer is Refused {
  return typeof answer === 'object' && answer !== null && 'isRefused' in answer;
}

/** A refused read says nothing about the payment: the key may be of another account. */
export function refusedRead({ status }: Refused): ProviderOutageError {
  return new ProviderOutageError('TSP_ERROR', `the provider refused a read with status ${status}`);
}

function refusedOrThrow({ status, text }: ProviderAnswer): Refused {
  const known = OUTAGE_BY_STATUS[status];
  if (known !== undefined || status < 400 || status >= 500) {
    throw new ProviderOutageError(known ?? 'TSP_ERROR', `the provider answered with status ${status}`);
  }
  const body = parseJson(text);
  const error = refusalSchema.safeParse(body).data?.error ?? null;
  if (isAboutCredentials(status, error)) {
    throw new CredentialsRefusedError(`Stripe refuses the key (status ${status}, ${error?.code ?? 'no code'})`);
  }
  // The key was used with another request, so this answer says nothing about the outcome of that request.
  if (error?.type === 'idempotency_error') {
    throw new ProviderOutageError('TSP_ERROR', 'the idempotency key belongs to another request');
  }
  return { isRefused: true, status, error, providerResponse: redactAnswer(status, text) };
}

/** Errors that are about the key or the account, whatever their status. */
const CREDENTIAL_ERRORS: ReadonlySet<string> = new Set([
  'account_closed',
  'account_invalid',
  'api_key_expired',
  'livemode_mismatch',
  'platform_api_key_expired',
  'secret_key_required',
  'testmode_charges_only',
]);

function isAboutCredentials(status: number, error: StripeRefusal | null): boolean {
  return status === 401 || status === 403 || CREDENTIAL_ERRORS.has(error?.code ?? '');
}

/** Tokens that stand for cards; Stripe names them in its messages. */
const TOKENS = /\b(?:pm|ctoken|cvctok|cus)_\w+/g;

function redactAnswer(status: number, text: string): JsonObject {
  const withoutTokens = text.replaceAll(TOKENS, '[redacted]');
  return redactProviderResponse({ status, body: parseJson(withoutTokens) ?? withoutTokens });
}

/** The path with placeholders for ids, without the query. */
function endpointOf({ method, path }: { readonly method: string; readonly path: string }): string {
  const [endpoint = ''] = path.replace(/\/(?:pi|re|pm|cus|dp|du)_[^/?]+/, '/:id').split('?');
  return `${method} ${endpoint}`;
}

/** @param params nested objects and arrays; members that are undefined or null are left out */
function encodeForm(params: object): string {
  const form = new URLSearchParams();
  const append = (name: string, value: FormValue): void => {
    if (value === undefined || value === null) return;
    if (typeof value !== 'object') form.append(name, String(value));
    else for (const [key, member] of Object.entries(value)) append(`${name}[${key}]`, readFormValue(member));
  };
  for (const [name, value] of Object.entries(params)) append(name, readFormValue(value));
  return form.toString();
}

function readFormValue(value: unknown): FormValue {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'object':
      return value;
    default:
      return undefined;
  }
}
