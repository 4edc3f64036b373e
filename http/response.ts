import { ERROR_CATALOGUE, withHelp } from '../domain/error-catalogue.ts';
import type { ApiError } from '../domain/api-error.ts';
import type { ApiResponse } from './request-context.ts';
import type { Principal } from '../domain/principal.ts';

/** A response before it is sent: the body is its exact text, so that it can be stored and replayed. */
export interface JsonResponse {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body for those who may not have the secrets in `body`; undefined where it holds none. */
  readonly bodyWithoutSecrets?: string;
}

/** One page of a list, and how many rows the list has. */
interface FoundPage<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly totalIsEstimate?: boolean;
}

/** The success envelope. */
export function jsonResponse(status: 200 | 201, data: unknown): JsonResponse {
  return { status, body: JSON.stringify({ success: true, data }) };
}

const SHOWN_ONCE = 'The secrets were shown once, to the API key of the first request. No other key gets them.';

/** The success envelope of a resource with secrets, which only the API key of this request gets, in a repeat too. */
export function responseWithSecrets(
  status: 200 | 201,
  resource: object,
  secrets: Readonly<Record<string, string>>,
): JsonResponse {
  const hidden = Object.fromEntries(Object.keys(secrets).map((name) => [name, null]));
  const { body: bodyWithoutSecrets } = jsonResponse(status, { ...resource, ...hidden, notice: SHOWN_ONCE });
  return { ...jsonResponse(status, { ...resource, ...secrets }), bodyWithoutSecrets };
}

/** The success envelope of a list. @param present turns a row into a resource */
export function pageResponse<Row>(
  { page, limit }: { readonly page: number; readonly limit: number },
  { rows, total, totalIsEstimate }: FoundPage<Row>,
  present: (row: Row) => unknown,
): JsonResponse {
  const data = rows.map((row) => present(row));
  const estimated = totalIsEstimate === true ? { totalIsEstimate } : {};
  const pagination = { page, limit, total, totalPages: Math.ceil(total / limit), ...estimated };
  return { status: 200, body: JSON.stringify({ success: true, data, pagination }) };
}

/** What an error says of its request. */
interface RespondedRequest {
  readonly requestId: string;
  readonly principal?: Pick<Principal, 'onlyPaymentIntentId'> | undefined;
}

/** The error envelope. Pages get no addresses for developers, because they show messages to customers. */
export function errorResponse(error: ApiError, { requestId, principal }: RespondedRequest): JsonResponse {
  const { code, message, details, retryAfterSeconds } = error;
  const { type } = ERROR_CATALOGUE[code];
  const isForPage = principal?.onlyPaymentIntentId !== undefined;
  return {
    status: error.status,
    body: JSON.stringify({
      success: false,
      error: {
        code,
        message: isForPage ? message : withHelp(code, message),
        type,
        ...(details === undefined ? {} : { details }),
        requestId,
      },
    }),
    ...(retryAfterSeconds === undefined ? {} : { headers: { 'Retry-After': String(retryAfterSeconds) } }),
  };
}

/** Sends a response as it is, byte for byte. */
export function sendResponse(response: ApiResponse, { status, body, headers = {} }: JsonResponse): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(body));
  // As text, so that Node sends it in one piece with the headers.
  response.end(body);
  response.locals.onSent?.(status, body);
}
