import { condition, defineSignal, defineUpdate, setHandler } from '@temporalio/workflow';

/** Answers, so that a sender knows that a worker took it. */
export const greetUpdate = defineUpdate<string>('greet');
export const leaveSignal = defineSignal('leave');

/** Waits for `leaveSignal`. */
export async function waitingWorkflow(): Promise<void> {
  let isDone = false;
  setHandler(greetUpdate, () => 'hello');
  setHandler(leaveSignal, () => {
    isDone = true;
  });
  await condition(() => isDone);
}
