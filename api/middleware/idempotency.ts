import { createHash } from 'node:crypto';
import { ERROR_CATALOGUE, type ErrorCode } from '../../domain/error-catalogue.ts';
import { newId } from '../../domain/new-id.ts';
import type { Environment } from '../../domain/payment.ts';
import type { Database } from '../../prisma/client.ts';
import type { Keyring, Sealed } from '../../vault/keyring.ts';
import type { JsonResponse } from '../response.ts';
import { ApiError } from './errors.ts';
import { invalidField } from './validation.ts';

const HEADER = 'X-Idempotency-Key';
const MAXIMUM_KEY_LENGTH = 255;
const PRINTABLE = /^[\x20-\x7e]+$/;

/** The parts of a request that identify it to a repeat. */
export interface IdempotentRequest {
  readonly merchantAccountId: string;
  readonly environment: Environment;
  readonly key: string;
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  readonly rawBody: Buffer;
}

/** One execution of an API operation. A request that is repeated with its idempotency key continues the same execution. */
export interface Execution {
  /** The id of the resource that the operation creates; the same where an earlier execution with the key was interrupted. */
  readonly resourceId: string;
  /** Identifies the operation to the workflow; a new one after an earlier execution had a known outcome. */
  readonly operationId: string;
  /** How many known outcomes under this key were not stored. */
  readonly generation: number;
  /** Whether an earlier execution may have done part of the work, or all of it. */
  readonly resumed: boolean;
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
}

/**
 * The idempotency key of a request, or undefined without one.
 * @throws ApiError `VALIDATION_ERROR` when it is empty, too long or not printable
 */
export function idempotencyKeyOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (header === '') throw invalidField(HEADER, 'too_short');
  if (header.length > MAXIMUM_KEY_LENGTH) throw invalidField(HEADER, 'too_long');
  if (!PRINTABLE.test(header)) throw invalidField(HEADER, 'invalid');
  return header;
}

/** The execution of a request without an idempotency key. */
export function executionWithoutKey(resourceId: string): Execution {
  return { resourceId, operationId: newId('request'), generation: 0, resumed: false };
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
  const refusedInput = status === 400 && type === 'validation_error';
  return status >= 500 || refusedInput || NEVER_STORED_STATUSES.includes(status) ? 'end_execution' : 'store_response';
}

/** The state of a key that could not be claimed. */
export type KeyState =
  | { readonly kind: 'replay'; readonly status: number; readonly keyId: string; readonly body: Uint8Array }
  | { readonly kind: 'in_flight' }
  | { readonly kind: 'other_request' };

/** Reads a record that could not be claimed; no record means that another request claimed or deleted it in between. */
export function keyStateOf(record: StoredRecord | undefined, fingerprints: readonly string[]): KeyState {
  if (record === undefined) return { kind: 'in_flight' };
  if (!fingerprints.includes(record.fingerprint)) return { kind: 'other_request' };
  const { responseStatus: status, responseKeyId: keyId, responseBody: body } = record;
  return status === null || keyId === null || body === null
    ? { kind: 'in_flight' }
    : { kind: 'replay', status, keyId, body };
}

/** Either a stored response to replay, or an execution that may begin. */
export type Claim =
  | { readonly kind: 'replay'; readonly response: JsonResponse }
  | { readonly kind: 'claimed'; readonly claimed: ClaimedExecution };

/** An execution that holds the lock of its key until one of the three functions is called. */
export interface ClaimedExecution {
  readonly execution: Execution;
  storeResponse(response: JsonResponse): Promise<void>;
  endExecution(status: number): Promise<void>;
  releaseLock(): Promise<void>;
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
  const row = await insertOrTakeOver(dependencies, request, { resourceId, fingerprints });
  if (row !== undefined) {
    return { kind: 'claimed', claimed: claimedExecution(dependencies, request, row, row.resourceId !== resourceId) };
  }
  const keyState = keyStateOf(await findRecord(dependencies.database, request), fingerprints);
  switch (keyState.kind) {
    case 'replay':
      return { kind: 'replay', response: replayOf(dependencies.keyring, request, keyState) };
    case 'in_flight':
      throw new ApiError('DUPLICATE_REQUEST', {
        message: 'A request with the same idempotency key is still running.',
        retryAfterSeconds: 1,
      });
    case 'other_request':
      throw new ApiError('DUPLICATE_REQUEST', { message: 'The idempotency key belongs to another request.' });
  }
}

/** Keyed, because a body may hold a card number that a plain hash would not hide. */
function fingerprintsOf(keyring: Keyring, { method, target, rawBody }: IdempotentRequest): readonly string[] {
  return keyring.fingerprints(Buffer.concat([Buffer.from(`${method} ${target}\n`), rawBody]));
}

interface ClaimedRow {
  readonly resourceId: string;
  readonly generation: number;
  readonly createdAt: Date;
}

/**
 * One statement claims the key: a new one, one older than 24 hours, one whose last outcome was known but not stored,
 * or one whose execution of the same request was interrupted. A key with a stored response, or in flight, is not changed.
 */
async function insertOrTakeOver(
  { database, lockMs }: IdempotencyDependencies,
  { merchantAccountId, environment, key }: IdempotentRequest,
  { resourceId, fingerprints }: { readonly resourceId: string; readonly fingerprints: readonly string[] },
): Promise<ClaimedRow | undefined> {
  const [row] = await database.direct.query<ClaimedRow[]>`
    INSERT INTO idempotency_record AS r
      (merchant_account_id, environment, key, fingerprint, resource_id, generation, locked_until, created_at)
    VALUES (${merchantAccountId}, ${environment}, ${key}, ${fingerprints[0]}, ${resourceId}, 0,
      now() + ${lockMs}::int * interval '1 millisecond', now())
    ON CONFLICT (merchant_account_id, environment, key) DO UPDATE SET
      fingerprint = excluded.fingerprint,
      resource_id = CASE WHEN r.created_at < now() - interval '24 hours' OR NOT r.fingerprint = ANY(${fingerprints}::text[])
        THEN excluded.resource_id ELSE r.resource_id END,
      generation = CASE WHEN r.created_at < now() - interval '24 hours' THEN 0 ELSE r.generation END,
      created_at = CASE WHEN r.created_at < now() - interval '24 hours' THEN now() ELSE r.created_at END,
      locked_until = excluded.locked_until,
      response_status = NULL, response_key_id = NULL, response_body = NULL
    WHERE (r.locked_until IS NULL OR r.locked_until <= now())
      AND (r.created_at < now() - interval '24 hours'
        OR (r.response_body IS NULL
          AND (r.response_status IS NOT NULL OR r.fingerprint = ANY(${fingerprints}::text[]))))
    RETURNING resource_id AS "resourceId", generation, created_at AS "createdAt"`;
  return row;
}

async function findRecord(
  database: Database,
  { merchantAccountId, environment, key }: IdempotentRequest,
): Promise<StoredRecord | undefined> {
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
}

function claimedExecution(
  { database, keyring }: IdempotencyDependencies,
  request: IdempotentRequest,
  { resourceId, generation, createdAt }: ClaimedRow,
  resumed: boolean,
): ClaimedExecution {
  const { merchantAccountId, environment, key } = request;
  const finish = async (outcome: ExecutionOutcome) => {
    const { status = null, nextGeneration = generation, sealed = null } = outcome;
    await database.direct.execute`
      UPDATE idempotency_record SET locked_until = NULL, generation = ${nextGeneration}::int,
        response_status = COALESCE(${status}::int, response_status), response_key_id = ${sealed?.keyId ?? null},
        response_body = ${sealed?.ciphertext ?? null}
      WHERE merchant_account_id = ${merchantAccountId} AND environment = ${environment} AND key = ${key}
        AND resource_id = ${resourceId} AND generation = ${generation}::int AND response_body IS NULL`;
  };
  return {
    execution: { resourceId, operationId: operationIdOf(request, createdAt, generation), generation, resumed },
    storeResponse: ({ status, body }) => {
      return finish({ status, sealed: keyring.seal(Buffer.from(body), associatedDataOf(request)) });
    },
    endExecution: (status) => finish({ status, nextGeneration: generation + 1 }),
    releaseLock: () => finish({}),
  };
}

/** The time of the key's first use is part of it, so that a key used again after 24 hours is another operation. */
function operationIdOf({ merchantAccountId, environment, key }: IdempotentRequest, firstUse: Date, generation: number) {
  const parts = JSON.stringify([merchantAccountId, environment, key, firstUse.getTime(), generation]);
  return `key_${createHash('sha256').update(parts).digest('hex')}`;
}

function associatedDataOf({ merchantAccountId, environment, key }: IdempotentRequest): string {
  return JSON.stringify(['idempotency_record', merchantAccountId, environment, key]);
}

function replayOf(
  keyring: Keyring,
  request: IdempotentRequest,
  { status, keyId, body }: Extract<KeyState, { kind: 'replay' }>,
): JsonResponse {
  const opened = keyring.open({ keyId, ciphertext: body }, associatedDataOf(request));
  return { status, body: opened.toString('utf8'), headers: { 'Idempotent-Replayed': 'true' } };
}
