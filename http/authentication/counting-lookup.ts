import pg from 'pg';
import type { Environment } from '../../domain/payment.ts';
import { SECOND_MS } from '../../domain/time.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { type CountedKey, countRequests } from '../../prisma/queries/credentials.ts';
import { countAtPlace, type RateLimitStatus } from '../rate-limits/rate-limit.ts';
import { type Credentials, hasPrefixOf, keyReference } from './credentials.ts';
import { createSingleFlight } from './single-flight.ts';

/** The sender of a request whose timestamp and signature are valid. */
export interface Signer {
  readonly apiKey: string;
  /** The X-Merchant-ID header. */
  readonly account: string | undefined;
  /** SHA-256, hex, of the salt that the request is signed with; it may differ from the key's salt. */
  readonly saltHash: string;
}

export interface CountedCaller {
  /** Undefined when there is no such key. */
  readonly credentials: Credentials | undefined;
  /** Null where the request was not counted. */
  readonly rateLimit: RateLimitStatus | null;
}

/**
 * Reads a key and counts the request in one statement. It counts only requests that nothing but the limit or the merchant's
 * status can still reject: a key that is revoked, expired, bound to addresses or has another salt is read, not counted.
 * @returns null where the caller must read and count in two steps: the database rejected the statement, the key's limit is used
 * up, or a request has just used the key with a wrong salt, of which many more may follow
 */
export type CountingLookup = (signer: Signer, nowMs: number) => Promise<CountedCaller | null>;

const MAXIMUM_BYPASSED = 10_000;
const BYPASS_AFTER_WRONG_SALT_MS = SECOND_MS;

/**
 * @param limits requests per minute, counted in the rows that `RateLimiterPostgres` uses
 */
export function createCountingLookup(
  database: Pick<Database, 'direct'>,
  limits: Readonly<Record<Environment, number>>,
): CountingLookup {
  const flights = createSingleFlight<CountedKey | undefined>();
  /** By API key: the time until which its requests take the two steps, in ms since the epoch. */
  const bypassed = new Map<string, number>();

  const bypass = (apiKey: string, untilMs: number): void => {
    if (bypassed.size >= MAXIMUM_BYPASSED) bypassed.clear();
    bypassed.set(apiKey, untilMs);
  };

  return async (signer, nowMs) => {
    const { apiKey, account, saltHash } = signer;
    if ((bypassed.get(apiKey) ?? 0) > nowMs) return null;
    bypassed.delete(apiKey);
    const read = (requests: number) =>
      database.direct.row(countRequests({ ...keyReference(apiKey, account), saltHash }, { requests, nowMs }));
    const flight = await flights(JSON.stringify([apiKey, account, saltHash]), read).catch(nullWhereRejected);
    if (flight === null) return null;
    const row = flight.result;
    if (row?.credentials.saltHash !== saltHash) bypass(apiKey, nowMs + BYPASS_AFTER_WRONG_SALT_MS);
    if (row === undefined || !hasPrefixOf(apiKey, row.credentials.environment)) {
      return { credentials: undefined, rateLimit: null };
    }
    const { credentials, points, expire } = row;
    if (points === null || expire === null) return { credentials, rateLimit: null };
    const limit = limits[credentials.environment];
    const rateLimit = countAtPlace(flight, points, limit);
    const resetAtMs = Number(expire);
    if (rateLimit.exceeded) bypass(apiKey, resetAtMs);
    return { credentials, rateLimit: { ...rateLimit, limit, resetAtMs } };
  };
}

/** A statement that the server rejected has counted nothing. */
function nullWhereRejected(error: unknown): null {
  if (error instanceof pg.DatabaseError) return null;
  throw error;
}
