import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { containsCardNumber } from '../../domain/card-number.ts';
import { ERROR_CATALOGUE, type ErrorCode } from '../../domain/error-catalogue.ts';
import { parseJson } from '../../domain/json.ts';
import { newId } from '../../domain/new-id.ts';
import type { Database } from '../../prisma/connection/client.ts';
import {
  claimIdempotencyKey,
  type ClaimedKey,
  type IdempotencyKey,
  releaseIdempotencyKey,
} from '../../prisma/queries/idempotency.ts';
import { openWithSecret, SealBrokenError, type Sealed, sealWithSecret } from '../../vault/envelope.ts';
import { DAY_MS } from '../../domain/time.ts';
import type { Keyring } from '../../vault/keyring.ts';
import { storedResponseContext } from '../../vault/stored-response.ts';
import type { JsonResponse } from '../../http/response.ts';
import { ApiError } from '../../domain/api-error.ts';
import { mismatchMessage, NO_CARD_NUMBER } from '../../contract/field-messages.ts';
import { invalidField } from '../../contract/validation.ts';

const HEADER = 'X-Idempotency-Key';
const MAXIMUM_KEY_LENGTH = 255;
const EXPECTED_KEY = `1 to ${MAXIMUM_KEY_LENGTH} printable ASCII characters`;
const PRINTABLE = /^[\x20-\x7e]+$/;

/** A request as idempotency sees it. */
export interface IdempotentRequest extends IdempotencyKey {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  readonly rawBody: Buffer;
  /** A secret of the caller that is not stored, with which responses that hold secrets are encrypted. */
  readonly callerSecret: Buffer;
}

/** One execution of an API operation. A request that is repeated with its idempotency key continues the same execution. */
export interface Execution {
  /** The id of the resource that the operation creates; the same where an earlier execution with the key was interrupted. */
  readonly resourceId: string;
  /** Identifies the operation to the workflow; a new one after an earlier execution had a known outcome. */
  readonly operationId: string;
  /** How many outcomes under this key were known but not stored. */
  readonly generation: number;
  /** Whether an earlier execution may have done part of the work, or all of it. */
  readonly resumed: boolean;
  /** Whether the outcome of an earlier execution is unknown, and this one may find it out. */
  readonly isUndecided: boolean;
}

export interface IdempotencyDependencies {
  readonly database: Database;
  readonly keyring: Keyring;
  /** How long an execution may lock its key before another request may claim the key. */
  readonly lockMs: number;
}

interface StoredRecord {
  readonly fingerprint: string;
  readonly responseStatus: number | null;
  readonly responseKeyId: string | null;
  readonly responseBody: Uint8Array | null;
  readonly responseSecretBody: Uint8Array | null;
}

/**
 * The idempotency key of a request, or undefined without one.
 * @throws ApiError `VALIDATION_ERROR` when there are several, or it is empty, too long, not printable or a card number
 */
export function idempotencyKeyOf({ headersDistinct }: Pick<IncomingMessage, 'headersDistinct'>): string | undefined {
  const [header, ...further] = headersDistinct[HEADER.toLowerCase()] ?? [];
  if (header === undefined) return undefined;
  // Joined, they would be another key than one of them alone.
  if (further.length > 0)
    throw invalidField(HEADER, 'invalid', mismatchMessage(EXPECTED_KEY, `${1 + further.length} of them`));
  if (header === '') throw invalidField(HEADER, 'too_short', mismatchMessage(EXPECTED_KEY, 'an empty one'));
  if (header.length > MAXIMUM_KEY_LENGTH)
    throw invalidField(HEADER, 'too_long', mismatchMessage(EXPECTED_KEY, String(header.length)));
  if (!PRINTABLE.test(header)) throw invalidField(HEADER, 'invalid', mismatchMessage(EXPECTED_KEY, 'others'));
  if (containsCardNumber(header)) throw invalidField(HEADER, 'invalid', NO_CARD_NUMBER);
  return header;
}

/** The error of a request whose key is in a header of another name: no repeat of it would be recognised. */
export function idempotencyKeyMisnamed(): ApiError {
  return invalidField(
    'Idempotency-Key',
    'unknown',
    mismatchMessage(
      `the key in the header ${HEADER}`,
      'it in Idempotency-Key, which is not read',
      'Rename the header.',
    ),
  );
}

/** The error of a request that needs an idempotency key because its account demands one. */
export function idempotencyKeyRequired(): ApiError {
  return new ApiError('MISSING_REQUIRED_FIELD', {
    message:
      `The merchant account demands an idempotency key of refunds, captures and payments without the customer (requireIdempotencyKeys). Send ${HEADER} ` +
      'with a value of your own for this operation, and the same value in every retry.',
    details: { field: HEADER, reason: 'required' },
  });
}

/** The execution of a request without an idempotency key. */
export function executionWithoutKey(resourceId: string): Execution {
  return { resourceId, operationId: newId('request'), generation: 0, resumed: false, isUndecided: false };
}

/** What happens to a key after an outcome. */
export type KeyDisposition =
  /** The response is stored and replayed. */
  | 'store_response'
  /** The outcome is known but not stored: the next use of the key is a new execution. */
  | 'end_execution'
  /** The outcome is unknown: the next use of the key continues the same execution. */
  | 'release_lock';

const NEVER_STORED_STATUSES = [401, 403, 422, 429];

/** What happens to a key whose execution failed with this code. */
export function dispositionAfter(code: ErrorCode): KeyDisposition {
  if (code === 'INTERNAL_ERROR' || code === 'SERVICE_UNAVAILABLE') return 'release_lock';
  const { status, type } = ERROR_CATALOGUE[code];
  // It says how an attempt at a provider ended. Another execution would be another attempt.
  if (type === 'payment_error') return 'store_response';
  const refusedInput = status === 400 && type === 'validation_error';
  return status >= 500 || refusedInput || NEVER_STORED_STATUSES.includes(status) ? 'end_execution' : 'store_response';
}

/** The state of a key that could not be claimed. */
export type KeyState =
  | {
      readonly kind: 'replay';
      readonly status: number;
      readonly keyId: string;
      readonly body: Uint8Array;
      readonly secretBody: Uint8Array | null;
    }
  | { readonly kind: 'in_flight' }
  | { readonly kind: 'other_request' };

/** Reads a record that could not be claimed; no record means that another request claimed or deleted it in between. */
export function keyStateOf(record: StoredRecord | undefined, fingerprints: readonly string[]): KeyState {
  if (record === undefined) return { kind: 'in_flight' };
  if (!fingerprints.includes(record.fingerprint)) return { kind: 'other_request' };
  const { responseStatus: status, responseKeyId: keyId, responseBody: body, responseSecretBody: secretBody } = record;
  return status === null || keyId === null || body === null
    ? { kind: 'in_flight' }
    : { kind: 'replay', status, keyId, body, secretBody };
}

/** Either a stored response to replay, or an execution that may begin. */
export type Claim =
  | { readonly kind: 'replay'; readonly response: JsonResponse }
  | { readonly kind: 'claimed'; readonly claimed: ClaimedExecution };

/**
 * An execution that holds the lock of its key until one of the three functions is called. Each is false, and changes nothing, if a
 * repeat of the request has claimed the key since the lock expired: then the outcome of that one counts.
 */
export interface ClaimedExecution {
  readonly execution: Execution;
  storeResponse(response: JsonResponse): Promise<boolean>;
  endExecution(status: number): Promise<boolean>;
  releaseLock(): Promise<boolean>;
}

/**
 * Claims the request's key, so that of several requests with one key only one works at a time.
 * @param resourceId the id of the resource to create, if this is the first execution
 * @throws ApiError `DUPLICATE_REQUEST` when the key belongs to another request or to one that is still running
 */
export async function claimKey(
  dependencies: IdempotencyDependencies,
  request: IdempotentRequest,
  resourceId: string,
): Promise<Claim> {
  const fingerprints = fingerprintsOf(dependencies.keyring, request);
  const { database, lockMs } = dependencies;
  const row = await database.direct.row(claimIdempotencyKey(request, { fingerprints, resourceId, lockMs }));
  if (row !== undefined) {
    return { kind: 'claimed', claimed: claimedExecution(dependencies, request, row, row.resourceId !== resourceId) };
  }
  const keyState = keyStateOf(await findRecord(database, request), fingerprints);
  switch (keyState.kind) {
    case 'replay':
      return { kind: 'replay', response: replayOf(dependencies.keyring, request, keyState) };
    case 'in_flight':
      throw stillRunning();
    case 'other_request':
      throw new ApiError('DUPLICATE_REQUEST', {
        message:
          'The idempotency key belongs to another request. Expected the same method, path and body as in the request that it belongs to; got others. ' +
          'Send a new key with a new request, and repeat a request byte for byte.',
      });
  }
}

/** The stored response to the same request; undefined where there is none, or its 24 hours are over. */
export async function findStoredResponse(
  { database, keyring }: IdempotencyDependencies,
  request: IdempotentRequest,
): Promise<JsonResponse | undefined> {
  const record = await findRecord(database, request);
  if (record === undefined || record.createdAt.getTime() < Date.now() - DAY_MS) return undefined;
  const keyState = keyStateOf(record, fingerprintsOf(keyring, request));
  return keyState.kind === 'replay' ? replayOf(keyring, request, keyState) : undefined;
}

/** The error of a request while another one with its key is being executed. */
export function stillRunning(): ApiError {
  return new ApiError('DUPLICATE_REQUEST', {
    message:
      'A request with the same idempotency key is still running. Repeat this one, with the same key, after the seconds in Retry-After.',
    retryAfterSeconds: 1,
  });
}

/**
 * Keyed, because a body may hold a card number that a plain hash would not hide. No digest of a CVC is stored, not even a
 * keyed one.
 */
function fingerprintsOf(
  keyring: Keyring,
  { method, target, rawBody, environment }: IdempotentRequest,
): readonly string[] {
  const body = bodyWithoutCvc(rawBody) ?? rawBody;
  const request = Buffer.concat([Buffer.from(`${method} ${target}\n`), body]);
  return keyring.fingerprints(request, { purpose: 'requestFingerprint', environment });
}

const bodyWithCvc = z.looseObject({ paymentMethod: z.looseObject({ card: z.looseObject({ cvc: z.unknown() }) }) });
const bodyWithCvcOfSaved = z.looseObject({ cvc: z.unknown() });

/** Null where the body has no CVC. */
function bodyWithoutCvc(rawBody: Buffer): Buffer | null {
  // Decoded as the body itself is: without a byte order mark.
  const sent = parseJson(new TextDecoder().decode(rawBody));
  const { data: ofSaved } = bodyWithCvcOfSaved.safeParse(sent);
  const { data: body } = bodyWithCvc.safeParse(sent);
  if (ofSaved?.cvc !== undefined) {
    const { cvc: _cvcOfSaved, ...others } = ofSaved;
    const rest = Buffer.from(JSON.stringify(others));
    return bodyWithoutCvc(rest) ?? rest;
  }
  if (body?.paymentMethod.card.cvc === undefined) return null;
  const { cvc: _cvc, ...card } = body.paymentMethod.card;
  return Buffer.from(JSON.stringify({ ...body, paymentMethod: { ...body.paymentMethod, card } }));
}

async function findRecord(
  database: Database,
  { merchantAccountId, environment, key }: IdempotentRequest,
): Promise<(StoredRecord & { readonly createdAt: Date }) | undefined> {
  const record = await database.idempotencyRecord.findUnique({
    where: { merchantAccountId_environment_key: { merchantAccountId, environment, key } },
  });
  return record ?? undefined;
}

/** What is known when an execution ends; empty where its outcome is unknown. */
interface ExecutionOutcome {
  readonly status?: number;
  readonly nextGeneration?: number;
  readonly sealed?: Sealed;
  readonly secretBody?: Uint8Array;
}

function claimedExecution(
  { database, keyring }: IdempotencyDependencies,
  request: IdempotentRequest,
  { resourceId, generation, createdAt, isUndecided, lockedUntil }: ClaimedKey,
  resumed: boolean,
): ClaimedExecution {
  if (lockedUntil === null) throw new Error('a claimed key is locked');
  const operationId = operationIdOf(request, createdAt, generation);
  const finish = async (outcome: ExecutionOutcome): Promise<boolean> => {
    const { status = null, nextGeneration = generation, sealed = null, secretBody = null } = outcome;
    const end = { lockedUntil, nextGeneration, status, sealed, secretBody };
    return (await database.direct.execute(releaseIdempotencyKey(request, end))) > 0;
  };
  return {
    execution: { resourceId, operationId, generation, resumed, isUndecided },
    storeResponse: ({ status, body, bodyWithoutSecrets }) => {
      const context = storedResponseContext(request);
      const sealed = keyring.seal(Buffer.from(bodyWithoutSecrets ?? body), context);
      if (bodyWithoutSecrets === undefined) return finish({ status, sealed });
      const secretBody = sealWithSecret(request.callerSecret, Buffer.from(body), context.associatedData);
      return finish({ status, sealed, secretBody });
    },
    endExecution: (status) => finish({ status, nextGeneration: generation + 1 }),
    releaseLock: () => finish({}),
  };
}

/** The start of the key's 24 hours is part of it, so that a later use of the key is another operation. */
function operationIdOf(
  { merchantAccountId, environment, key }: IdempotentRequest,
  validFrom: Date,
  generation: number,
) {
  const parts = JSON.stringify([merchantAccountId, environment, key, validFrom.getTime(), generation]);
  return `key_${createHash('sha256').update(parts).digest('hex')}`;
}

function replayOf(
  keyring: Keyring,
  request: IdempotentRequest,
  { status, keyId, body, secretBody }: Extract<KeyState, { kind: 'replay' }>,
): JsonResponse {
  const opened =
    openSecretBody(request, secretBody) ?? keyring.open({ keyId, ciphertext: body }, storedResponseContext(request));
  return { status, body: opened.toString('utf8'), headers: { 'Idempotent-Replayed': 'true' } };
}

/** The response with its secrets; null where it has none, or another API key than this request's got them. */
function openSecretBody(request: IdempotentRequest, secretBody: Uint8Array | null): Buffer | null {
  if (secretBody === null) return null;
  try {
    return openWithSecret(request.callerSecret, secretBody, storedResponseContext(request).associatedData);
  } catch (error) {
    if (error instanceof SealBrokenError) return null;
    throw error;
  }
}
