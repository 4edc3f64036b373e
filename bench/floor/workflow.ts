import {
  ActivityCancellationType,
  allHandlersFinished,
  condition,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { type FloorActivities, floorUpdate } from './messages.ts';

const { callProvider } = proxyActivities<Pick<FloorActivities, 'callProvider'>>({
  startToCloseTimeout: '60 seconds',
  heartbeatTimeout: '10 seconds',
  cancellationType: ActivityCancellationType.TRY_CANCEL,
});
const { note } = proxyLocalActivities<Pick<FloorActivities, 'note'>>({ startToCloseTimeout: '10 seconds' });

/** The least that a payment can be made of: one update, one call of a provider, one note of what it answered. */
export async function floorWorkflow(): Promise<void> {
  let isPaid = false;
  setHandler(floorUpdate, async () => {
    const status = await callProvider(workflowInfo().workflowId);
    await note(status);
    isPaid = true;
    return status;
  });
  await condition(() => isPaid);
  await condition(allHandlersFinished);
}
