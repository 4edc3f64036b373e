import type { Outcome, SuccessEnvelope } from './transport.ts';

/** Waits so many milliseconds; rejects when the signal aborts. */
export type Pause = (ms: number, signal: AbortSignal | undefined) => Promise<unknown>;

/** Pauses before the second, third and fourth try. */
const RETRY_PAUSES_MS = [1_000, 2_000, 4_000] as const;
/** The window of the engine's rate limit: it never asks for more. */
const LONGEST_PAUSE_MS = 60_000;

/**
 * Tries until something succeeds or fails for good, or the tries are used up.
 * @throws PaymentEngineError, PaymentEngineConnectionError: the last failure
 */
export async function withRetries(
  trySend: () => Promise<Outcome>,
  pause: Pause,
  signal: AbortSignal | undefined,
): Promise<SuccessEnvelope> {
  for (const pauseMs of RETRY_PAUSES_MS) {
    const outcome = await trySend();
    if (outcome.kind === 'success') return outcome.envelope;
    if (!outcome.transient) throw outcome.error;
    await pause(Math.min(Math.max(pauseMs, outcome.retryAfterMs), LONGEST_PAUSE_MS), signal);
  }
  const last = await trySend();
  if (last.kind === 'success') return last.envelope;
  throw last.error;
}
