import { CancellationScope, setHandler } from '@temporalio/workflow';
import { followTestClockUpdate } from '../../protocol/messages.ts';
import { isStepFailure } from '../shared/activity-failure.ts';
import { now } from '../shared/clock.ts';
import { records } from './activity-proxies.ts';
import type { PaymentContext } from './context.ts';
import { refuseWhenTooMany } from './refusals.ts';

/** Sets the handler of the update by which the payment learns that its account's test clock was advanced. */
export function handleTestClock(context: PaymentContext): void {
  setHandler(followTestClockUpdate, () => CancellationScope.nonCancellable(() => follow(context)), {
    validator: () => refuseWhenTooMany(context.requests),
    description: "Applies what the sandbox account's test clock was advanced by. No input.",
  });
}

async function follow({ recorder, requests }: PaymentContext): Promise<void> {
  requests.accepted += 1;
  const summary = 'Follow the test clock of the account';
  try {
    recorder.adopt(await records.followTestClock.executeWithOptions({ summary }, [{ ...recorder.known, at: now() }]));
    recorder.restartStuckWatch();
  } catch (error) {
    // The run is stale: it reads the payment again, and the update is sent again.
    if (isStepFailure(error)) requests.mustReadAgain = true;
    throw error;
  }
}
