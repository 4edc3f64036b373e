import { isCancellation, sleep } from '@temporalio/workflow';
import { FIRST_INQUIRY_AFTER_MS, INQUIRY_BACKOFF } from '../../domain/time-limits.ts';
import { isStepFailure } from './activity-failure.ts';
import { interruptible, type WorkResult } from './interruptible.ts';

/** A call to a provider; it receives whether it was made before. */
type Call<Answer> = (isCalledAgain: boolean) => Promise<Answer>;

/** Repeats a call to a provider until it is answered, or until `isOver()` becomes true, which interrupts it. */
export function askUntil<Answer>(call: Call<Answer>, isOver: () => boolean): Promise<WorkResult<Answer>> {
  return interruptible(() => repeatUntilAnswered(call), isOver);
}

/** Gives the provider some time to report by itself before it is asked; otherwise like `askUntil`. */
export function waitThenAskUntil<Answer>(
  provider: string,
  call: Call<Answer>,
  isOver: () => boolean,
): Promise<WorkResult<Answer>> {
  return interruptible(async () => {
    await sleep(FIRST_INQUIRY_AFTER_MS, { summary: `Ask ${provider} if it has reported nothing by then` });
    return repeatUntilAnswered(call);
  }, isOver);
}

/**
 * Repeats a call to a provider until it is answered. Temporal retries the activity after outages; this also repeats it after a
 * failure without retry, caused by a bug or by an operator, which must not end the payment either.
 */
export async function repeatUntilAnswered<Answer>(call: Call<Answer>): Promise<Answer> {
  for (let isCalledAgain = false; ; isCalledAgain = true) {
    try {
      return await call(isCalledAgain);
    } catch (error) {
      if (isCancellation(error) || isStepFailure(error)) throw error;
      await sleep(INQUIRY_BACKOFF.maximumIntervalMs, { summary: 'Repeat the call after a failure' });
    }
  }
}
