import { setTimeout as after } from 'node:timers/promises';
import { SECOND_MS } from '../../domain/time.ts';
import type { Prisma } from '../generated/client.ts';

/** How long work waits for the earlier work. */
const ACQUIRED_WITHIN_MS = 5 * SECOND_MS;

/** Runs work that takes a lock of the database, after all earlier work with the same lock has ended. @throws MutexTimeoutError */
export type RunExclusive = <Result>(lock: Prisma.Sql, work: () => Promise<Result>) => Promise<Result>;

/** Earlier work with the same lock takes too long. */
export class MutexTimeoutError extends Error {
  override readonly name = 'MutexTimeoutError';
  /** The same code as that of a pool without a free connection. */
  readonly code = 'ETIMEDOUT';
}

/**
 * Runs work of this process that takes the same lock one after the other, so that waiting work occupies no connection: otherwise
 * a merchant who sends many changes at once would keep all others from the database.
 */
export function createKeyedMutex(withinMs = ACQUIRED_WITHIN_MS): RunExclusive {
  const ends = new Map<string, Promise<void>>();
  return (lock, work) => {
    const key = JSON.stringify([lock.text, lock.values]);
    const earlier = ends.get(key);
    const result = earlier === undefined ? work() : endWithin(earlier, withinMs).then(work);
    const end = Promise.allSettled([earlier, result]).then(() => {
      if (ends.get(key) === end) ends.delete(key);
    });
    ends.set(key, end);
    return result;
  };
}

async function endWithin(earlier: Promise<void>, withinMs: number): Promise<void> {
  const isOver = new AbortController();
  const timeout = after(withinMs, undefined, { signal: isOver.signal }).then(() => {
    throw new MutexTimeoutError('others with the same lock take too long');
  });
  try {
    await Promise.race([earlier, timeout]);
  } finally {
    isOver.abort();
  }
}
