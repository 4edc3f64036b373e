import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { SignalDefinition } from '@temporalio/common';
import { callTemporal, hasEnded, type SignalResult } from './temporal-errors.ts';

/** Sends a signal to a workflow. @throws TemporalUnavailableError */
export async function deliverSignal<Parameters extends unknown[]>(
  client: Client,
  workflowId: string,
  definition: SignalDefinition<Parameters>,
  ...parameters: Parameters
): Promise<SignalResult> {
  try {
    await callTemporal(client, () => client.workflow.getHandle(workflowId).signal(definition, ...parameters));
    return 'delivered';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return hasEnded(error) ? 'finished' : 'not_started';
    throw error;
  }
}
