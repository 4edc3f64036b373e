import { condition, sleep } from '@temporalio/workflow';

/**
 * Sleeps until a deadline. While it sleeps the deadline may move: then it makes another timer, and the first one means nothing.
 * @param deadlineMs the deadline as it is now, in ms since the epoch
 * @param summaryOf what the timer is for, for the history
 */
export async function sleepUntil(deadlineMs: () => number, summaryOf: () => string): Promise<void> {
  for (let knownMs = NaN; deadlineMs() !== knownMs;) {
    knownMs = deadlineMs();
    const timer = sleep(Math.max(1, knownMs - Date.now()), { summary: summaryOf() });
    await Promise.race([timer, condition(() => deadlineMs() !== knownMs)]);
  }
}
