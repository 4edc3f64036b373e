import { isCancellation, sleep } from '@temporalio/workflow';
import { INQUIRY_BACKOFF } from '../../domain/retry-plan.ts';
import { isStepFailure } from './activity-failure.ts';

/**
 * Repeats a question to a provider until it is answered. Outages are retried by the activity itself; a question that was
 * failed for good, by a bug or by hand, must not end the payment either.
 */
export async function persistently<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (isCancellation(error) || isStepFailure(error)) throw error;
      await sleep(INQUIRY_BACKOFF.maximumIntervalMs, { summary: 'Ask again after a question that failed' });
    }
  }
}
