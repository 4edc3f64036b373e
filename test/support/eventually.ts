import { setTimeout as wait } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';

/** Each check costs the engine processor time: what takes long is asked for less and less often. */
const PAUSE = { share: 0.1, fromMs: 50, toMs: 500 };
const DEFAULT_WITHIN_MS = 2 * MINUTE_MS;

/** Repeats a check until it no longer throws, and returns what it found; fails with its last error at the deadline. */
export async function eventually<Found>(check: () => Promise<Found>, withinMs = DEFAULT_WITHIN_MS): Promise<Found> {
  const startedAt = Date.now();
  const deadline = startedAt + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() >= deadline) throw error;
      const waitedMs = Date.now() - startedAt;
      await wait(Math.min(Math.max(waitedMs * PAUSE.share, PAUSE.fromMs), PAUSE.toMs));
    }
  }
}

/** The promise's own outcome, or a failure that names what did not come in time. */
export async function inTime<Value>(
  promise: Promise<Value>,
  what: string,
  withinMs = DEFAULT_WITHIN_MS,
): Promise<Value> {
  const giveUp = new AbortController();
  const late = wait(withinMs, undefined, { signal: giveUp.signal }).then(
    () => {
      throw new Error(`${what} did not come within ${withinMs / SECOND_MS} s`);
    },
    () => promise,
  );
  try {
    return await Promise.race([promise, late]);
  } finally {
    giveUp.abort();
  }
}
