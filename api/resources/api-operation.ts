import { z } from 'zod';
import type { ErrorCode } from '../../domain/error-catalogue.ts';
import { SUPPORT_SCOPE } from '../../domain/scopes.ts';
import type { JsonResponse } from '../../http/response.ts';
import { clientSecretExpired, requireScope } from '../../http/authentication/authenticate.ts';
import { ApiError } from '../../domain/api-error.ts';
import { executeIdempotently, storedResponseOf, type Work } from '../idempotency/execute-idempotently.ts';
import {
  type Execution,
  executionWithoutKey,
  type IdempotencyDependencies,
  idempotencyKeyMisnamed,
  idempotencyKeyOf,
  idempotencyKeyRequired,
} from '../idempotency/idempotency.ts';
import { parseJsonBody } from '../../http/json-body.ts';
import { negotiate } from '../../http/negotiation.ts';
import {
  principalOf,
  type ApiHandler,
  type ApiRequest,
  type ApiResponse,
  rawBodyOf,
} from '../../http/request-context.ts';
import type { Principal } from '../../domain/principal.ts';
import { sendResponse } from '../../http/response.ts';
import { NO_FIELDS } from '../../contract/schemas/common.ts';
import { type FieldError, fieldErrorsIn, validate } from '../../contract/validation.ts';
import { CSV_TYPE, type CsvExport, cursorProblems, pageProblems } from './csv-export.ts';
import { requireRecentAuthentication } from '../../http/authentication/step-up.ts';

const JSON_TYPE = 'application/json';

/** A request after every check that needs nothing but the request itself. */
export interface Call<Body, Query> {
  readonly principal: Principal;
  /** The part of the path that names the resource; empty on collections. */
  readonly id: string;
  /** Every variable part of the path by its name. */
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly body: Body;
  readonly query: Query;
  /** Whether the client wants a response at once rather than the outcome (`Prefer: respond-async`). */
  readonly respondAsync: boolean;
}

/** The description of an operation, from which the router, the authorisation checks and the OpenAPI document are made. */
interface OperationDescription {
  /** Below /api/v1, variable parts in braces: `/payment-intents/{id}/confirm`. */
  readonly path: string;
  /** The name of the operation in generated clients. */
  readonly operationId: string;
  /** One line. */
  readonly summary: string;
  /** What one line does not say, in markdown. */
  readonly description?: string;
  /** The API resource, as scopes name it: `payment-intents`. */
  readonly resource: string;
  /** What the variable parts of the path may be, where they are not ids. */
  readonly pathSchema?: z.ZodType;
  /** Whether a checkout page may do this too, to the payment intent that the path names, with its client secret. */
  readonly forCheckout?: boolean;
  /** Whether it is for support staff: it needs the scope `support:read` besides that of the resource. */
  readonly needsSupport?: boolean;
  /** Whether it moves money in a way that accounts may demand an idempotency key for. */
  readonly mayRequireKey?: boolean;
  /** The schema of `data` in a success response; for a list, of each item. */
  readonly responseData: z.ZodType;
  /** Error codes besides those that every operation may respond with. */
  readonly errors: readonly ErrorCode[];
}

/** One operation of the API. */
export interface ApiOperation extends OperationDescription {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly scope: string;
  readonly status: 200 | 201;
  readonly isList: boolean;
  /** Whether it waits for an outcome, and takes `Prefer: respond-async`. */
  readonly waits: boolean;
  readonly query: z.ZodType | null;
  readonly body: z.ZodType | null;
  /** The columns of the CSV file that a list may be had as; null where there is none. */
  readonly csvColumns: readonly string[] | null;
  readonly handler: ApiHandler;
}

interface ReadOptions<Query extends z.ZodType> extends OperationDescription {
  readonly query?: Query;
  /** For lists. */
  readonly csv?: CsvExport<z.output<Query>>;
  readonly handle: (call: Call<undefined, z.output<Query>>) => Promise<JsonResponse>;
}

interface WriteOptions<Body extends z.ZodType> extends OperationDescription {
  readonly body: Body;
  /** The body's schema where it depends on the principal; `body` is what holds for all. */
  readonly bodyFor?: (principal: Principal) => Promise<z.ZodType<z.output<Body>>>;
  /** `read` for an operation that changes nothing, though it takes a body; a name of its own for one that has a scope of its own. */
  readonly scopeAction?: 'read' | 'write' | 'redeliver';
  /** Whether it waits for an outcome, and takes `Prefer: respond-async`. */
  readonly waits?: boolean;
  /** A new id for the resource that one execution creates. */
  readonly newResourceId: () => string;
  /**
   * Admits an operation that starts work in workflows, and returns the function to call at its end; null for any other operation.
   */
  readonly admit?: (call: Call<z.output<Body>, undefined>) => (() => void) | null;
  /** Throws if the principal may not have the response, whether new or stored. */
  readonly authorize?: (call: Call<z.output<Body>, undefined>) => Promise<void> | void;
  readonly handle: (call: Call<z.output<Body>, undefined>, execution: Execution) => Promise<JsonResponse>;
}

/** A GET of one resource. */
export function readOperation<Query extends z.ZodType = typeof NO_FIELDS>(options: ReadOptions<Query>): ApiOperation {
  const { query, csv, handle, ...description } = options;
  const scope = `${options.resource}:read`;
  return {
    ...description,
    method: 'get',
    scope,
    status: 200,
    isList: false,
    waits: false,
    query: query ?? null,
    body: null,
    csvColumns: csv?.columnNames ?? null,
    handler: async (request, response) => {
      const principal = principalOf(response);
      requirePermission(principal, options, scope, request);
      const input = queryOf(request, query ?? NO_FIELDS);
      const type = negotiate(request, csv === undefined ? [JSON_TYPE] : [JSON_TYPE, CSV_TYPE]);
      const exported = type === CSV_TYPE ? (csv ?? null) : null;
      const problems = exported === null ? cursorProblems(input) : pageProblems(input);
      const validQuery = validate(query ?? NO_FIELDS, input, problems) as z.output<Query>;
      if (exported !== null) return exported.send({ principal, query: validQuery }, request, response);
      sendResponse(response, await handle({ ...callOf(request, principal), body: undefined, query: validQuery }));
    },
  };
}

/** A GET of a page; its query has `page`, `limit` and `startingAfter`, which may name what does not exist. */
export function listOperation<Query extends z.ZodType>(
  options: ReadOptions<Query> & { readonly query: Query },
): ApiOperation {
  const errors = new Set<ErrorCode>([...options.errors, 'RESOURCE_NOT_FOUND']);
  return { ...readOperation({ ...options, errors: [...errors] }), isList: true };
}

/** A POST that creates a resource; responds with 201. */
export function createOperation<Body extends z.ZodType>(
  options: WriteOptions<Body>,
  dependencies: IdempotencyDependencies,
): ApiOperation {
  return { ...postOperation(options, dependencies), status: 201 };
}

/** A POST that acts on an existing resource; responds with 200. */
export function actionOperation<Body extends z.ZodType>(
  options: WriteOptions<Body>,
  dependencies: IdempotencyDependencies,
): ApiOperation {
  return postOperation(options, dependencies);
}

/** A PUT, PATCH or DELETE: safe to repeat by itself, so without an idempotency key. */
export function updateOperation<Body extends z.ZodType>(
  method: 'put' | 'patch' | 'delete',
  options: WriteOptions<Body>,
): ApiOperation {
  return describeWrite(method, options, {
    executeOnce: (_request, _response, _principal, work) => work(executionWithoutKey(options.newResourceId())),
    findStoredResponse: () => Promise.resolve(undefined),
  });
}

function postOperation<Body extends z.ZodType>(
  options: WriteOptions<Body>,
  dependencies: IdempotencyDependencies,
): ApiOperation {
  const { newResourceId } = options;
  return describeWrite('post', options, {
    executeOnce: (request, response, principal, work) =>
      executeIdempotently(dependencies, { request, response, principal, newResourceId }, work),
    findStoredResponse: (request, response, principal) =>
      storedResponseOf(dependencies, { request, response, principal }),
  });
}

/**
 * A merchant's key needs the scope, and for what is for support staff theirs; a client secret needs the path of its own intent, and gets 404 for others.
 * @throws ApiError `INSUFFICIENT_PERMISSIONS`, `PAYMENT_INTENT_NOT_FOUND`
 */
function requirePermission(
  principal: Principal,
  { forCheckout = false, needsSupport = false }: OperationDescription,
  scope: string,
  request: ApiRequest,
): void {
  if (principal.onlyPaymentIntentId === undefined || !forCheckout) {
    requireScope(principal, scope);
    if (needsSupport) requireScope(principal, SUPPORT_SCOPE);
    return;
  }
  if (pathParametersOf(request).id !== principal.onlyPaymentIntentId) throw new ApiError('PAYMENT_INTENT_NOT_FOUND');
}

/** @throws ApiError `VALIDATION_ERROR` for a malformed or misnamed key, `MISSING_REQUIRED_FIELD` where the account demands one */
function requireIdempotencyKey(
  { requiresIdempotencyKeys }: Principal,
  { mayRequireKey = false }: OperationDescription,
  request: ApiRequest,
): void {
  const key = idempotencyKeyOf(request);
  if (key === undefined && request.get('idempotency-key') !== undefined) throw idempotencyKeyMisnamed();
  if (key === undefined && mayRequireKey && requiresIdempotencyKeys) throw idempotencyKeyRequired();
}

/** How a write handles a repeated request. */
interface RepeatHandling {
  executeOnce(request: ApiRequest, response: ApiResponse, principal: Principal, work: Work): Promise<JsonResponse>;
  /** The stored response, if the request is a repeat that has one. */
  findStoredResponse(
    request: ApiRequest,
    response: ApiResponse,
    principal: Principal,
  ): Promise<JsonResponse | undefined>;
}

/** Checks the scope, then the idempotency key, then the body, and only then executes the operation. */
function describeWrite<Body extends z.ZodType>(
  method: Exclude<ApiOperation['method'], 'get'>,
  options: WriteOptions<Body>,
  { executeOnce, findStoredResponse }: RepeatHandling,
): ApiOperation {
  const {
    body,
    bodyFor,
    scopeAction = 'write',
    admit,
    authorize,
    handle,
    newResourceId: _newResourceId,
    waits = false,
    ...description
  } = options;
  const scope = `${options.resource}:${scopeAction}`;
  return {
    ...description,
    method,
    scope,
    status: 200,
    isList: false,
    waits,
    query: null,
    body,
    csvColumns: null,
    handler: async (request, response) => {
      const principal = principalOf(response);
      if (principal.isReadOnly === true) throw clientSecretExpired();
      requirePermission(principal, options, scope, request);
      negotiate(request, [JSON_TYPE]);
      if (method === 'post') requireIdempotencyKey(principal, options, request);
      const bodyInput = parseJsonBody(rawBodyOf(response), request.get('content-type'));
      const pathProblems = fieldErrorsIn(options.pathSchema ?? z.unknown(), pathParametersOf(request));
      const problems = [...pathProblems, ...queryProblems(request)];
      const schema = bodyFor === undefined ? body : await bodyFor(principal);
      let validBody: z.output<Body>;
      try {
        validBody = validate(schema, bodyInput, problems);
      } catch (validationError) {
        // A repeat may be invalid by now, for example because its card has expired. `authorize` needs a valid body.
        const stored = authorize === undefined ? await findStoredResponse(request, response, principal) : undefined;
        if (stored === undefined) throw validationError;
        return sendResponse(response, stored);
      }
      const call = { ...callOf(request, principal), body: validBody, query: undefined };
      requireRecentAuthentication(options.operationId, call);
      await authorize?.(call);
      const release = admit?.(call);
      try {
        sendResponse(response, await executeOnce(request, response, principal, (execution) => handle(call, execution)));
      } finally {
        release?.();
      }
    },
  };
}

function callOf(request: ApiRequest, principal: Principal): Omit<Call<undefined, undefined>, 'body' | 'query'> {
  const pathParameters = pathParametersOf(request);
  return {
    principal,
    id: pathParameters.id ?? '',
    pathParameters,
    respondAsync: prefersAsync(request.get('prefer')),
  };
}

function pathParametersOf({ params }: ApiRequest): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const name in params) {
    const value = params[name];
    if (typeof value === 'string') parameters[name] = value;
  }
  return parameters;
}

function queryOf(request: ApiRequest, schema: z.ZodType): object {
  if (!request.originalUrl.includes('?')) return {};
  const query = { ...(request.query as Record<string, unknown>) };
  return schema instanceof z.ZodObject && 'metadata' in schema.shape ? withMetadata(query) : query;
}

const NOT_IN_QUERY =
  'Expected no query parameters, because this operation takes its fields from the body; got this one. Send it in the body, or leave it out.';

/** Fields in the query string of a write: ignoring the amount of a capture, for example, would capture everything. */
function queryProblems(request: ApiRequest): readonly FieldError[] {
  return fieldErrorsIn(NO_FIELDS, queryOf(request, NO_FIELDS)).map((error) => ({ ...error, message: NOT_IN_QUERY }));
}

const METADATA_PAIR = /^metadata\[(.*)\]$/s;

/** The query with its parameters `metadata[key]=value` in one object. */
function withMetadata(query: Readonly<Record<string, unknown>>): object {
  const pairs: [string, unknown][] = [];
  const others: [string, unknown][] = [];
  for (const [name, value] of Object.entries(query)) {
    const [, key] = METADATA_PAIR.exec(name) ?? [];
    if (key === undefined) others.push([name, value]);
    else pairs.push([key, value]);
  }
  // A bare `metadata` goes last, so that it is refused and not replaced.
  return Object.fromEntries(pairs.length === 0 ? others : [['metadata', Object.fromEntries(pairs)], ...others]);
}

/** RFC 7240: preferences are separated by commas, parameters of one by semicolons. */
function prefersAsync(header: string | undefined): boolean {
  return (header ?? '').split(',').some((preference) => /^\s*respond-async\s*(?:;|$)/i.test(preference));
}
