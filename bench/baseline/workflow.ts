import {
  ActivityCancellationType,
  allHandlersFinished,
  condition,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { type BaselineActivities, baselineUpdate } from './messages.ts';

const { callProvider } = proxyActivities<Pick<BaselineActivities, 'callProvider'>>({
  startToCloseTimeout: '60 seconds',
  heartbeatTimeout: '10 seconds',
  cancellationType: ActivityCancellationType.TRY_CANCEL,
});
const { note } = proxyLocalActivities<Pick<BaselineActivities, 'note'>>({ startToCloseTimeout: '10 seconds' });

/** The smallest possible payment: one update, one activity that calls a provider, one local activity. */
export async function baselineWorkflow(): Promise<void> {
  let isPaid = false;
  setHandler(baselineUpdate, async () => {
    const status = await callProvider(workflowInfo().workflowId);
    await note(status);
    isPaid = true;
    return status;
  });
  await condition(() => isPaid);
  await condition(allHandlersFinished);
}
