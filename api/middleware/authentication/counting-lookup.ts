import pg from 'pg';
import type { Environment } from '../../../domain/payment.ts';
import { MINUTE_MS, SECOND_MS } from '../../../domain/time.ts';
import type { Database } from '../../../prisma/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import type { RateLimitStatus } from '../rate-limits/rate-limit.ts';
import { countAtPlace } from '../rate-limits/counters.ts';
import { createSingleFlight } from './single-flight.ts';
import { type Credentials, hasPrefixOf, selectCredentials } from './credentials.ts';

/** Who comes with a request that is in time and rightly signed. */
export interface Signer {
  readonly apiKey: string;
  /** The X-Merchant-ID header. */
  readonly account: string | undefined;
  /** SHA-256, hex, of the salt that it is signed with, which may be another than the key's. */
  readonly saltHash: string;
}

export interface CountedCaller {
  /** Undefined when there is no such key. */
  readonly credentials: Credentials | undefined;
  /** Null where the request was not counted. */
  readonly rateLimit: RateLimitStatus | null;
}

/**
 * Reads a key and counts the request in one statement. It counts what can be refused for the limit or the merchant only:
 * a key that is revoked, expired or bound to addresses, or has another salt, is read and nothing else.
 * @returns null where it is to be done in two steps: the database has refused the statement, or the key's limit is used up,
 * or somebody has just come with the key and a wrong salt; a flood of those is answered from memory, or by one look for all
 */
export type CountingLookup = (signer: Signer, nowMs: number) => Promise<CountedCaller | null>;

interface Row {
  readonly credentials: Credentials;
  readonly points: number | null;
  readonly expire: bigint | null;
}

const MAXIMUM_LEFT = 10_000;
const LEFT_AFTER_WRONG_SALT_MS = SECOND_MS;

/**
 * @param limits requests per minute, kept where `RateLimiterPostgres` keeps them, in the same rows
 */
export function createCountingLookup(
  database: Database,
  limits: Readonly<Record<Environment, number>>,
): CountingLookup {
  const rounds = createSingleFlight<Row | undefined>();
  /** By API key, until when it is left to others, in ms since the epoch. */
  const left = new Map<string, number>();

  const leave = (apiKey: string, untilMs: number): void => {
    if (left.size >= MAXIMUM_LEFT) left.clear();
    left.set(apiKey, untilMs);
  };

  return async (signer, nowMs) => {
    const { apiKey, account, saltHash } = signer;
    if ((left.get(apiKey) ?? 0) > nowMs) return null;
    left.delete(apiKey);
    const read = (requests: number) => readAndCount(database, signer, { requests, nowMs });
    const round = await rounds(JSON.stringify([apiKey, account, saltHash]), read).catch(nullWhereRefused);
    if (round === null) return null;
    const row = round.result;
    if (row?.credentials.saltHash !== saltHash) leave(apiKey, nowMs + LEFT_AFTER_WRONG_SALT_MS);
    if (row === undefined || !hasPrefixOf(apiKey, row.credentials.environment)) {
      return { credentials: undefined, rateLimit: null };
    }
    const { credentials, points, expire } = row;
    if (points === null || expire === null) return { credentials, rateLimit: null };
    const limit = limits[credentials.environment];
    const rateLimit = countAtPlace(round, points, limit);
    const resetAtMs = Number(expire);
    if (rateLimit.exceeded) leave(apiKey, resetAtMs);
    return { credentials, rateLimit: { ...rateLimit, limit, resetAtMs } };
  };
}

/** A statement that the server has refused has counted nothing. */
function nullWhereRefused(error: unknown): null {
  if (error instanceof pg.DatabaseError) return null;
  throw error;
}

async function readAndCount(
  database: Database,
  { apiKey, account, saltHash }: Signer,
  { requests, nowMs }: { readonly requests: number; readonly nowMs: number },
): Promise<Row | undefined> {
  const now = Prisma.sql`${nowMs}::bigint`;
  const [row] = await database.direct.query<Row[]>`
    WITH caller AS MATERIALIZED (${selectCredentials(apiKey, account)}), counted AS (
      INSERT INTO rate_limit AS r (key, points, expire)
      SELECT environment || ':' || "apiKeyId", ${requests}::int, ${now} + ${MINUTE_MS}::bigint FROM caller
      WHERE "saltHash" = ${saltHash} AND NOT "isRevoked" AND NOT "ipRestricted"
        AND ("expiresAtMs" IS NULL OR "expiresAtMs" > ${now})
      ON CONFLICT (key) DO UPDATE SET
        points = CASE WHEN r.expire <= ${now} THEN excluded.points ELSE r.points + excluded.points END,
        expire = CASE WHEN r.expire <= ${now} THEN excluded.expire ELSE r.expire END
      RETURNING points, expire
    )
    SELECT to_json(caller) AS credentials, counted.points, counted.expire FROM caller LEFT JOIN counted ON true`;
  return row;
}
