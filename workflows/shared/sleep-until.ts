import { condition, sleep } from '@temporalio/workflow';

/**
 * Sleeps until a deadline. If the deadline moves meanwhile, it starts another timer, and ignores the first one.
 * @param deadlineMs returns the present deadline, in ms since the epoch
 * @param summaryOf what the timer is for, for the history
 */
export async function sleepUntil(deadlineMs: () => number, summaryOf: () => string): Promise<void> {
  for (let knownMs = NaN; deadlineMs() !== knownMs;) {
    knownMs = deadlineMs();
    const timer = sleep(Math.max(1, knownMs - Date.now()), { summary: summaryOf() });
    await Promise.race([timer, condition(() => deadlineMs() !== knownMs)]);
  }
}
