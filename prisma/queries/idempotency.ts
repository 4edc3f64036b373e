import type { Environment } from '../../domain/payment.ts';
import { Prisma } from '../generated/client.ts';
import { boolean, integer, nullable, returning, type Statement, text, timestamp } from '../connection/statement.ts';

/** An idempotency key and its owner. */
export interface IdempotencyKey {
  readonly merchantAccountId: string;
  readonly environment: Environment;
  readonly key: string;
}

export interface KeyClaim {
  /** Fingerprints of the request, one for each root key that may have made the stored one; the first one is stored. */
  readonly fingerprints: readonly string[];
  /** The id of the resource that the operation creates, if this is its first run. */
  readonly resourceId: string;
  /** How long the run may hold the key. */
  readonly lockMs: number;
}

/** A key that a run holds. */
export interface ClaimedKey {
  /** The id with which the key was claimed, or that of an earlier run which was interrupted. */
  readonly resourceId: string;
  readonly generation: number;
  /** When its 24 hours began: with its first run, or the first one after a known outcome that was not stored. */
  readonly createdAt: Date;
  /** Whether the run before, with the same request, has left its outcome unknown. */
  readonly isUndecided: boolean;
  /** The end of this run's claim, by which the claim is recognised; never null in a claimed row. */
  readonly lockedUntil: Date | null;
}

/**
 * Claims a key: a new one, one older than 24 hours, one whose last outcome was known but not stored, or one whose run by the same
 * request was interrupted. A key with a stored response or a run in flight is left alone, and no row returned.
 */
export function claimIdempotencyKey(
  { merchantAccountId, environment, key }: IdempotencyKey,
  { fingerprints, resourceId, lockMs }: KeyClaim,
): Statement<ClaimedKey> {
  return returning({
    resourceId: text,
    generation: integer,
    createdAt: timestamp,
    isUndecided: boolean,
    lockedUntil: nullable(timestamp),
  })`
    INSERT INTO idempotency_record AS r
      (merchant_account_id, environment, key, fingerprint, resource_id, generation, locked_until, created_at)
    VALUES (${merchantAccountId}, ${environment}, ${key}, ${fingerprints[0]}, ${resourceId}, 0,
      now() + ${lockMs}::int * interval '1 millisecond', now())
    ON CONFLICT (merchant_account_id, environment, key) DO UPDATE SET
      fingerprint = excluded.fingerprint,
      resource_id = CASE WHEN r.created_at < now() - interval '24 hours' OR NOT r.fingerprint = ANY(${fingerprints}::text[])
        THEN excluded.resource_id ELSE r.resource_id END,
      generation = CASE WHEN r.created_at < now() - interval '24 hours' THEN 0 ELSE r.generation END,
      created_at = CASE WHEN r.created_at < now() - interval '24 hours' OR r.response_status IS NOT NULL
        THEN now() ELSE r.created_at END,
      locked_until = excluded.locked_until,
      response_status = NULL, response_key_id = NULL, response_body = NULL, response_secret_body = NULL
    WHERE (r.locked_until IS NULL OR r.locked_until <= now())
      AND (r.created_at < now() - interval '24 hours'
        OR (r.response_body IS NULL
          AND (r.response_status IS NOT NULL OR r.fingerprint = ANY(${fingerprints}::text[]))))
    RETURNING resource_id AS "resourceId", generation, created_at AS "createdAt",
      created_at <> now()::timestamptz(3) AS "isUndecided", locked_until AS "lockedUntil"`;
}

export interface RunEnd {
  /** The claim of the run that ends. */
  readonly lockedUntil: Date;
  readonly nextGeneration: number;
  /** Null where the outcome is unknown. */
  readonly status: number | null;
  /** Null where the response is not stored. */
  readonly sealed: { readonly keyId: string; readonly ciphertext: Uint8Array } | null;
  /** The response with its secrets; null where it has none. */
  readonly secretBody: Uint8Array | null;
}

/** Releases the key of a run, unless another run, perhaps of the same request, has claimed it since its lock expired. */
export function releaseIdempotencyKey(
  { merchantAccountId, environment, key }: IdempotencyKey,
  { lockedUntil, nextGeneration, status, sealed, secretBody }: RunEnd,
): Prisma.Sql {
  return Prisma.sql`
    UPDATE idempotency_record SET locked_until = NULL, generation = ${nextGeneration}::int,
      response_status = COALESCE(${status}::int, response_status), response_key_id = ${sealed?.keyId ?? null},
      response_body = ${sealed?.ciphertext ?? null}, response_secret_body = ${secretBody}
    WHERE merchant_account_id = ${merchantAccountId} AND environment = ${environment} AND key = ${key}
      AND locked_until = ${lockedUntil.toISOString()}::timestamptz`;
}
