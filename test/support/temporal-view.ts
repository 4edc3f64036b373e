import type { Client } from '@temporalio/client';
import { createTemporalClient } from '../../workflow-client/connection.ts';
import { getStack } from './stack.ts';

/** Lets work be done with a client of the running engine's Temporal server, as support staff have it. */
export async function withTemporal<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = createTemporalClient({ address: getStack().sandbox.temporalAddress, namespace: 'default' });
  try {
    return await work(client);
  } finally {
    await client.connection.close();
  }
}

/** Ids of the workflows that a query of the Temporal UI finds, or of all. */
export async function findWorkflows(client: Client, query?: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { workflowId } of client.workflow.list(query === undefined ? {} : { query })) ids.push(workflowId);
  return ids;
}

/** The types of the activities that a workflow waits for, as the Temporal UI shows them. */
export function pendingActivitiesOf(workflowId: string): Promise<readonly string[]> {
  return withTemporal(async (client) => {
    const { raw } = await client.workflow.getHandle(workflowId).describe();
    return (raw.pendingActivities ?? []).map(({ activityType }) => activityType?.name ?? '');
  });
}
