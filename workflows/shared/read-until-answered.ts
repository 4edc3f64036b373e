import { isCancellation, sleep } from '@temporalio/workflow';
import { MINUTE_MS } from '../../domain/time.ts';
import { isFinalFailure } from './activity-failure.ts';

/** Repeats a read that has failed, after a timer, during which other work goes on. */
export async function readUntilAnswered<Result>(read: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (isCancellation(error) || isFinalFailure(error)) throw error;
      await sleep(MINUTE_MS, { summary: 'Read again after a failure' });
    }
  }
}
