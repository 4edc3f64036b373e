import type { ApiError } from '../../../sdk/server/generated/schemas.ts';

/** Which account and environment a request acts for. */
export interface Scope {
  readonly merchantId: string;
  readonly environment: Environment;
}

export type Environment = 'sandbox' | 'production';

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Members that are undefined, null or empty are left out; an object becomes `name[key]=value`. */
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** The same for every try of one confirmed action. */
  readonly idempotencyKey?: string;
  readonly scope?: Scope;
  readonly signal?: AbortSignal | undefined;
}

/** One call of the REST API for the account and environment of the page. */
export type Call = (path: string, options?: Omit<RequestOptions, 'scope'>) => Promise<unknown>;

/** A resource as the API sends it. */
export type Row = { readonly id: string } & Record<string, unknown>;

/** A page of a list. */
export interface Listed {
  readonly data: Row[];
  readonly pagination: { readonly total: number; readonly totalIsEstimate?: boolean };
}

/** The API's largest page. */
export const LARGEST_PAGE = 100;

const TIMEOUT_MS = 60_000;
/** A minute's limit is free again by then; longer ones are told to the person. */
const LONGEST_WAIT_SECONDS = 60;
const LONGEST_WAITS = 3;
/** As long as the API lets an export take. */
const DOWNLOAD_TIMEOUT_MS = 600_000;

/** What react-admin shows at the fields of a form, by their paths. */
type FieldErrors = Record<string, string>;

interface RequestFailure {
  readonly status: number;
  readonly code: string;
  /** The exact cause in one word, if the API names it. */
  readonly reason?: string | null;
  readonly errors?: FieldErrors;
}

/** A request that did not succeed, as people can be told of it. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  /** React-admin reads the errors of fields here. */
  readonly body: { readonly errors: FieldErrors };

  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  readonly code: string;
  readonly reason: string | null;

  constructor(message: string, { status, code, reason = null, errors = {} }: RequestFailure) {
    super(message);
    this.status = status;
    this.code = code;
    this.reason = reason;
    this.body = { errors };
  }
}

/** The error of a request without a response. */
export function noResponse(message: string): RequestError {
  return new RequestError(message, { status: 0, code: 'NO_RESPONSE' });
}

/** Whether a read is tried again: once, and not where the answer would be the same. */
export function isWorthRepeating(failures: number, error: unknown): boolean {
  const isRefused = error instanceof RequestError && error.status >= 400 && error.status < 500;
  return failures < 1 && !isRefused;
}

/**
 * Sends a request to the dashboard's own server, again after the person has confirmed it where the API asks for that, or has signed in
 * again where the session has ended. A page that reads too much waits as long as it is told to, and then goes on.
 * @throws RequestError
 */
export async function send(path: string, options: RequestOptions = {}): Promise<unknown> {
  try {
    return await sendUnconfirmed(path, options);
  } catch (error) {
    if (!isConfirmationNeeded(error) || !(await confirmPerson())) throw error;
    return await sendUnconfirmed(path, options);
  }
}

/** Asks the person something over the page. @returns whether it was given */
export type AskPerson = () => Promise<boolean>;

export const askNobody: AskPerson = () => Promise.resolve(false);
let confirmPerson = askNobody;
let signInAgain = askNobody;

/** Says how the page asks the person to confirm a request that the API takes only from who has proved lately who it is. */
export function confirmPersonBy(confirm: AskPerson): void {
  confirmPerson = confirm;
}

/** Says how the page asks the person whose session has ended to sign in again. */
export function signInAgainBy(ask: AskPerson): void {
  signInAgain = ask;
}

function isConfirmationNeeded(error: unknown): boolean {
  return error instanceof RequestError && error.reason === 'reauthentication_required';
}

async function sendUnconfirmed(path: string, options: RequestOptions): Promise<unknown> {
  const isRead = (options.method ?? 'GET') === 'GET';
  for (let waits = 0; ; waits += 1) {
    const response = await fetchInSession(path, options);
    const seconds = retryAfterSeconds(response);
    if (response.status !== 429 || !isRead || waits === LONGEST_WAITS || seconds > LONGEST_WAIT_SECONDS)
      return readResponse(response);
    await delay(seconds * 1_000, options.signal);
  }
}

/** A file that the API made. */
export interface DownloadedFile {
  readonly content: Blob;
  readonly name: string;
  /** How many rows it has at most, if the list has more. */
  readonly truncatedTo: number | null;
}

/** A list as a CSV file. @throws RequestError */
export async function download(path: string, options: RequestOptions): Promise<DownloadedFile> {
  const response = await fetchInSession(path, { ...options, accept: 'text/csv', timeoutMs: DOWNLOAD_TIMEOUT_MS });
  if (!response.ok) await readResponse(response);
  const [, name = 'export.csv'] = /filename="([\w.-]+)"/.exec(response.headers.get('Content-Disposition') ?? '') ?? [];
  const isTruncated = response.headers.get('X-Rows-Truncated') === 'true';
  const content = await response.blob().catch((error: unknown) => {
    if (options.signal?.aborted === true) throw error;
    throw noResponse('The file did not arrive in full. Try again.');
  });
  return { content, name, truncatedTo: isTruncated ? Number(response.headers.get('X-Row-Limit')) : null };
}

interface FetchOptions extends RequestOptions {
  readonly accept?: string;
  readonly timeoutMs?: number;
}

/** The sign-in itself, and what says who is signed in, are not sent again after a sign-in. */
const OF_SIGN_IN = /^\/(?:auth\/|api\/v1\/(?:platform\/)?me$)/;

/** The response in a session. What is sent again after a sign-in has the same idempotency key. */
async function fetchInSession(path: string, options: FetchOptions): Promise<Response> {
  const response = await fetchOnce(path, options);
  const isSignedOut = response.status === 401 && !OF_SIGN_IN.test(path);
  return isSignedOut && (await signInAgain()) ? fetchOnce(path, options) : response;
}

function fetchOnce(path: string, options: FetchOptions) {
  const { method = 'GET', query, body, idempotencyKey, scope, signal, accept = 'application/json' } = options;
  const headers: Record<string, string> = { Accept: accept };
  if (method !== 'GET') headers['Content-Type'] = 'application/json';
  if (idempotencyKey !== undefined) headers['X-Idempotency-Key'] = idempotencyKey;
  if (scope !== undefined) {
    headers['X-Merchant-ID'] = scope.merchantId;
    headers['X-Environment'] = scope.environment;
  }
  const timeout = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  return fetch(path + queryText(query), {
    method,
    headers,
    credentials: 'same-origin',
    ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw noResponse('The server did not answer. Check your connection, then try again: a repeat does nothing twice.');
  });
}

function queryText(query: RequestOptions['query'] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) parameters.append(`${name}[${key}]`, String(inner));
    } else if (typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value !== '')) {
      parameters.append(name, String(value));
    }
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

function retryAfterSeconds(response: Response): number {
  const seconds = Number(response.headers.get('Retry-After') ?? 1);
  return Number.isFinite(seconds) ? seconds : 1;
}

/** A page that is left stops waiting. */
function delay(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason instanceof Error ? signal.reason : new Error('the page was left'));
    });
  });
}

async function readResponse(response: Response): Promise<unknown> {
  const text = await response.text();
  const json = parseJson(text);
  if (response.ok) return json;
  throw errorFrom(response.status, json);
}

function parseJson(text: string): unknown {
  try {
    return text === '' ? null : (JSON.parse(text) as unknown);
  } catch {
    return null;
  }
}

/** The end of the API's messages, which leads to a page for developers. */
const FOR_DEVELOPERS = / See \S*\/docs\/errors#\w+\.?$/;

/** The API's own messages tell the owner of an API key what to check. */
const NOT_FOUND = 'Nothing here has this ID. It may belong to another account or environment, or have been deleted.';

/** The API has an envelope with `error`; the sign-in service has `message` and `code` at the top. */
function errorFrom(status: number, json: unknown): RequestError {
  if (isObject(json) && isObject(json.error)) {
    const { code, message, requestId, details } = json.error as Partial<ApiError>;
    const problems = details?.fields ?? [];
    const errors = Object.fromEntries(problems.map(({ field, message: text }) => [field, text]));
    const shown = status === 404 ? NOT_FOUND : (message?.replace(FOR_DEVELOPERS, '') ?? `Status ${status}.`);
    return new RequestError(requestId === undefined ? shown : `${shown} (Request ID: ${requestId})`, {
      status,
      code: code ?? '',
      reason: details?.reason ?? null,
      errors,
    });
  }
  const { message, code } = isObject(json) ? json : {};
  return new RequestError(
    typeof message === 'string' && message !== '' ? message : (STATUS_MESSAGES[status] ?? `Status ${status}.`),
    { status, code: typeof code === 'string' ? code : '' },
  );
}

const STATUS_MESSAGES: Readonly<Record<number, string>> = {
  401: 'You are signed out. Sign in again.',
  403: 'You may not do this.',
  404: 'This does not exist.',
  429: 'Too many requests. Wait a minute, then try again.',
  502: 'The API cannot be reached. Try again in a moment.',
  503: 'The API cannot answer now. Try again in a moment.',
};

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Every row of a list that stays short, such as the members of a team, page after page. */
export async function readAll(path: string, call: Call): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const place = rows.length === 0 ? {} : { startingAfter: rows.at(-1)?.id };
    const { data } = (await call(path, { query: { ...place, limit: LARGEST_PAGE } })) as Listed;
    rows.push(...data);
    if (data.length < LARGEST_PAGE) return rows;
  }
}
