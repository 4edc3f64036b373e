import { errorResponse, type JsonResponse } from '../../http/response.ts';
import { apiKeyOf } from '../../http/authentication/credentials.ts';
import { toApiError } from '../../http/errors.ts';
import type { ApiError } from '../../domain/api-error.ts';
import {
  claimKey,
  type ClaimedExecution,
  dispositionAfter,
  type Execution,
  executionWithoutKey,
  findStoredResponse,
  type IdempotencyDependencies,
  type IdempotentRequest,
  idempotencyKeyOf,
  type KeyDisposition,
  stillRunning,
} from './idempotency.ts';
import { type ApiRequest, type ApiResponse, rawBodyOf } from '../../http/request-context.ts';
import type { Principal } from '../../domain/principal.ts';

/** What an operation does in one execution. @throws what `toApiError` turns into a response */
export type Work = (execution: Execution) => Promise<JsonResponse>;

interface PostRequest {
  readonly request: ApiRequest;
  readonly response: ApiResponse;
  readonly principal: Principal;
}

/**
 * Executes a POST once for each idempotency key: a repeat gets the stored response, or continues an execution that was
 * interrupted. Without a key every request is executed.
 * @throws ApiError of the operation, or those of `claimKey`
 */
export async function executeIdempotently(
  dependencies: IdempotencyDependencies,
  { newResourceId, ...post }: PostRequest & { readonly newResourceId: () => string },
  execute: Work,
): Promise<JsonResponse> {
  const { response } = post;
  const work: Work = (execution) => {
    response.locals.resourceId = execution.resourceId;
    return execute(execution);
  };
  const withKey = idempotentRequestOf(post);
  if (withKey === undefined) return work(executionWithoutKey(newResourceId()));
  const claim = await claimKey(dependencies, withKey, newResourceId());
  return claim.kind === 'replay' ? claim.response : executeWithKey(claim.claimed, work, response);
}

/** The stored response to a POST that may be a repeat; undefined where there is none. */
export async function storedResponseOf(
  dependencies: IdempotencyDependencies,
  post: PostRequest,
): Promise<JsonResponse | undefined> {
  const withKey = idempotentRequestOf(post);
  return withKey === undefined ? undefined : await findStoredResponse(dependencies, withKey);
}

/** Undefined for a request without an idempotency key. */
function idempotentRequestOf({ request, response, principal }: PostRequest): IdempotentRequest | undefined {
  const key = idempotencyKeyOf(request);
  if (key === undefined) return undefined;
  const { merchantAccountId, environment } = principal;
  const { method, originalUrl: target } = request;
  return {
    merchantAccountId,
    environment,
    key: keyOfCaller(principal, key),
    method,
    target,
    rawBody: rawBodyOf(response),
    callerSecret: callerSecretOf(request, principal),
  };
}

/**
 * A secret of the caller that the engine does not store. It stores salts of version 2, but only hashes of API keys; and tokens of
 * sessions, but not their signatures.
 */
function callerSecretOf(request: ApiRequest, { keyLimits, personId }: Principal): Buffer {
  if (personId !== undefined) return Buffer.from(request.get('authorization') ?? '', 'latin1');
  const secret =
    keyLimits.signatureVersion === 2 ? apiKeyOf(request.get('authorization')) : request.get('x-secret-salt');
  return Buffer.from(secret ?? '', 'latin1');
}

/** A page's idempotency keys are separate from its merchant's: no header can contain the line break that this adds. */
function keyOfCaller({ onlyPaymentIntentId }: Principal, key: string): string {
  return onlyPaymentIntentId === undefined ? key : `${onlyPaymentIntentId}\n${key}`;
}

/**
 * Does the work, then stores the response or releases the key, depending on the outcome. A failure does not count if a repeat of
 * the request has claimed the key since the lock expired: it may only say what that repeat has done.
 */
async function executeWithKey(claimed: ClaimedExecution, work: Work, response: ApiResponse): Promise<JsonResponse> {
  try {
    const result = await work(claimed.execution);
    await claimed.storeResponse(result);
    return result;
  } catch (thrown) {
    return await endFailed(claimed, toApiError(thrown), response);
  }
}

/** A limit refuses the repeat only: the outcome of the earlier execution stays unknown. */
function dispositionOf(execution: Execution, { code, isUndecided }: ApiError): KeyDisposition {
  const isRefusedRepeat = execution.isUndecided && code === 'RATE_LIMIT_EXCEEDED';
  return isUndecided || isRefusedRepeat ? 'release_lock' : dispositionAfter(code);
}

async function endFailed(claimed: ClaimedExecution, error: ApiError, response: ApiResponse): Promise<JsonResponse> {
  switch (dispositionOf(claimed.execution, error)) {
    case 'store_response': {
      const result = errorResponse(error, response.locals);
      if (!(await claimed.storeResponse(result))) throw stillRunning();
      return result;
    }
    case 'end_execution':
      if (!(await claimed.endExecution(error.status))) throw stillRunning();
      throw error;
    case 'release_lock':
      // If even this fails, the lock expires by itself.
      await claimed.releaseLock().catch(() => undefined);
      throw error;
  }
}
