import { Prisma } from '../generated/client.ts';
import { integer, returning, text, timestamp } from '../connection/statement.ts';

/** Requests that were signed with one key, of one operation from one address. */
export interface KeyUse {
  readonly address: string;
  /** Such as `GET /payment-intents/{id}`. */
  readonly operation: string;
  readonly requests: number;
  /** Those of them that got an error. */
  readonly refused: number;
  /** ISO 8601. */
  readonly firstAt: string;
  readonly lastAt: string;
}

/**
 * Adds uses of a key to those of their day, and notes the last one with the key. One key at a time, so that two processes wait for each
 * other and never for a circle. Does nothing where the key is gone.
 */
export function addKeyUses(apiKeyId: string, uses: readonly KeyUse[]): Prisma.Sql {
  return Prisma.sql`
    WITH used AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(uses)}::json) AS r(address text, operation text, requests int, refused int,
        "firstAt" timestamptz, "lastAt" timestamptz)
    ), noted AS (
      UPDATE api_key SET last_used_at = latest."lastAt", last_used_from = latest.address
      FROM (SELECT "lastAt", address FROM used ORDER BY "lastAt" DESC LIMIT 1) latest
      WHERE api_key.id = ${apiKeyId} AND (api_key.last_used_at IS NULL OR api_key.last_used_at <= latest."lastAt")
    )
    INSERT INTO api_key_use AS u (api_key_id, day, address, operation, requests, refused, first_at, last_at)
    SELECT k.id, ("lastAt" AT TIME ZONE 'UTC')::date, address, operation, requests, refused, "firstAt", "lastAt"
    FROM used JOIN api_key k ON k.id = ${apiKeyId}
    ORDER BY address, operation
    ON CONFLICT (api_key_id, day, address, operation) DO UPDATE SET
      requests = u.requests + excluded.requests, refused = u.refused + excluded.refused,
      first_at = LEAST(u.first_at, excluded.first_at), last_at = GREATEST(u.last_at, excluded.last_at)`;
}

const COUNTS = { requests: integer, refused: integer, firstAt: timestamp, lastAt: timestamp };
const COUNTED = Prisma.sql`
  LEAST(sum(requests), 2147483647)::int AS requests, LEAST(sum(refused), 2147483647)::int AS refused,
  min(first_at) AS "firstAt", max(last_at) AS "lastAt"`;

/** From where a key was used, the latest address first. */
export function keyUsesByAddress(apiKeyId: string, limit: number) {
  return returning({ address: text, ...COUNTS })`
    SELECT address, ${COUNTED} FROM api_key_use WHERE api_key_id = ${apiKeyId}
    GROUP BY address ORDER BY "lastAt" DESC, address LIMIT ${limit}`;
}

/** What a key was used for, the most frequent operation first. */
export function keyUsesByOperation(apiKeyId: string, limit: number) {
  return returning({ operation: text, ...COUNTS })`
    SELECT operation, ${COUNTED} FROM api_key_use WHERE api_key_id = ${apiKeyId}
    GROUP BY operation ORDER BY requests DESC, operation LIMIT ${limit}`;
}
