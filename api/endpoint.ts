import type { z } from 'zod';
import { type Answer, answerWithError } from './answer.ts';
import { requireScope } from './authentication/authenticate.ts';
import { type ApiError, toApiError } from './errors.ts';
import {
  claimKey,
  type ClaimedRun,
  fateAfter,
  idempotencyKeyOf,
  type IdempotencyDependencies,
  type Run,
  singleRun,
} from './idempotency.ts';
import { parseJsonBody } from './json-body.ts';
import {
  type Access,
  accessOf,
  type ApiHandler,
  type ApiRequest,
  type ApiResponse,
  rawBodyOf,
} from './request-context.ts';
import { send } from './send.ts';
import { validate } from './validation.ts';

/** A request after every check that needs nothing but the request itself. */
export interface Call<Body, Query> {
  readonly access: Access;
  /** The part of the path that names the resource; empty on collections. */
  readonly id: string;
  readonly body: Body;
  readonly query: Query;
  /** Whether the client wants the answer at once rather than the outcome (`Prefer: respond-async`). */
  readonly respondAsync: boolean;
}

interface ReadOptions<Query extends z.ZodType> {
  readonly scope: string;
  readonly query: Query;
  readonly handle: (call: Call<undefined, z.output<Query>>) => Promise<Answer>;
}

interface WriteOptions<Body extends z.ZodType> {
  readonly scope: string;
  readonly body: Body;
  /** A new id for what one run makes. */
  readonly newResourceId: () => string;
  readonly handle: (call: Call<z.output<Body>, undefined>, run: Run) => Promise<Answer>;
}

/** A GET: scope, query string, answer. */
export function readEndpoint<Query extends z.ZodType>({ scope, query, handle }: ReadOptions<Query>): ApiHandler {
  return async (request, response) => {
    const access = accessOf(response);
    requireScope(access, scope);
    const validQuery = validate(query, { ...asObject(request.query) });
    send(response, await handle({ ...callOf(request, access), body: undefined, query: validQuery }));
  };
}

/** A POST or PATCH: scope, body, idempotency (POST only), answer. */
export function writeEndpoint<Body extends z.ZodType>(
  { scope, body, newResourceId, handle }: WriteOptions<Body>,
  dependencies: IdempotencyDependencies,
): ApiHandler {
  return async (request, response) => {
    const access = accessOf(response);
    requireScope(access, scope);
    const rawBody = rawBodyOf(response);
    const key = request.method === 'POST' ? idempotencyKeyOf(request.get('x-idempotency-key')) : undefined;
    const validBody = validate(body, parseJsonBody(rawBody, request.get('content-type')));
    const work = (run: Run) => handle({ ...callOf(request, access), body: validBody, query: undefined }, run);

    if (key === undefined) return send(response, await work(singleRun(newResourceId())));

    const { merchantAccountId, environment } = access;
    const { method, originalUrl: target } = request;
    const identity = { merchantAccountId, environment, key, method, target, rawBody };
    const claim = await claimKey(dependencies, identity, newResourceId());
    if (claim.kind === 'replay') return send(response, claim.answer);
    send(response, await settle(claim.claimed, work, response));
  };
}

/** Does the work and leaves the key as its outcome demands. */
async function settle(
  claimed: ClaimedRun,
  work: (run: Run) => Promise<Answer>,
  response: ApiResponse,
): Promise<Answer> {
  try {
    const answer = await work(claimed.run);
    await claimed.remember(answer);
    return answer;
  } catch (thrown) {
    return await settleFailure(claimed, toApiError(thrown), response);
  }
}

async function settleFailure(claimed: ClaimedRun, error: ApiError, response: ApiResponse): Promise<Answer> {
  switch (fateAfter(error.code)) {
    case 'remember': {
      const answer = answerWithError(error, response.locals.requestId);
      await claimed.remember(answer);
      return answer;
    }
    case 'free':
      await claimed.free(error.status);
      throw error;
    case 'unknown':
      // The lock runs out by itself should even this fail.
      await claimed.release().catch(() => undefined);
      throw error;
  }
}

function callOf(request: ApiRequest, access: Access): Omit<Call<undefined, undefined>, 'body' | 'query'> {
  return { access, id: idOf(request), respondAsync: prefersAsync(request.get('prefer')) };
}

function idOf({ params }: ApiRequest): string {
  const { id } = params;
  return typeof id === 'string' ? id : '';
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

/** RFC 7240: preferences are separated by commas, parameters of one by semicolons. */
function prefersAsync(header: string | undefined): boolean {
  return (header ?? '').split(',').some((preference) => /^\s*respond-async\s*(?:;|$)/i.test(preference));
}
