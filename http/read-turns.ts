import { SECOND_MS } from '../domain/time.ts';
import { createTurns, type Turns, TurnsBusyError } from './turns.ts';
import { ApiError } from '../domain/api-error.ts';
import { type ApiHandler, principalOf } from './request-context.ts';

/** As long as a statement waits for a connection of the pool. */
const WAIT_MS = 5 * SECOND_MS;
const RETRY_AFTER_SECONDS = 1;

/** Of the connections to the database that a process may open, the parts that reads take at once. */
const PART_OF_READS = 0.8;
const PART_OF_ONE = 0.5;

/**
 * Reads take most of the connections at once, and those of one merchant half of them, so that slow lists of one merchant keep neither
 * the reads of others nor payments from the database.
 */
export function createReadTurns(connections: number): Turns {
  const part = (share: number): number => Math.max(1, Math.floor(connections * share));
  return createTurns({ atOnce: part(PART_OF_READS), ofOne: part(PART_OF_ONE), waitMs: WAIT_MS });
}

/** Lets a read begin when it is its merchant's turn. @throws ApiError `SERVICE_UNAVAILABLE` where that takes too long */
export function inTurn(turns: Turns, handler: ApiHandler): ApiHandler {
  return async (request, response, next) => {
    const end = await turns.begin(principalOf(response).merchantId).catch((error: unknown) => {
      throw error instanceof TurnsBusyError ? tooManyReads() : error;
    });
    response.locals.endReadTurn = end;
    try {
      await handler(request, response, next);
    } finally {
      end();
    }
  };
}

function tooManyReads(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', {
    message: 'Too many reads are under way, so this one did not begin. Repeat the request, with fewer at a time.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
