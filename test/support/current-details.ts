import type { WorkflowHandle } from '@temporalio/client';
import { z } from 'zod';

const metadataSchema = z.object({ currentDetails: z.string() });

/** What support staff read of a workflow in the Temporal UI, in markdown. */
export async function readCurrentDetails(handle: Pick<WorkflowHandle, 'query'>): Promise<string> {
  return metadataSchema.parse(await handle.query('__temporal_workflow_metadata')).currentDetails;
}
