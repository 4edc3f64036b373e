import { isCancellation, sleep } from '@temporalio/workflow';
import { INQUIRY_BACKOFF } from '../../domain/time-limits.ts';
import { isStepFailure } from './activity-failure.ts';

/**
 * Repeats a call to a provider until it is answered. Temporal retries the activity after outages; this also repeats it after a
 * failure without retry, caused by a bug or by an operator, which must not end the payment either.
 * @param call receives whether it was called before
 */
export async function repeatUntilAnswered<T>(call: (isCalledAgain: boolean) => Promise<T>): Promise<T> {
  for (let isCalledAgain = false; ; isCalledAgain = true) {
    try {
      return await call(isCalledAgain);
    } catch (error) {
      if (isCancellation(error) || isStepFailure(error)) throw error;
      await sleep(INQUIRY_BACKOFF.maximumIntervalMs, { summary: 'Repeat the call after a failure' });
    }
  }
}
