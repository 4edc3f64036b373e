import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
} from '@temporalio/client';
import type { SearchAttributePair } from '@temporalio/common';
import { PAYMENTS_TASK_QUEUE } from '../workflows/messages.ts';
import { CALL_TIMEOUT_MS, TemporalUnavailableError } from './calls.ts';

export interface WorkflowStart {
  readonly workflowId: string;
  readonly input: object;
  readonly searchAttributes: SearchAttributePair[];
  /** One line for support staff. */
  readonly summary: string;
}

/** Starts a workflow, once for all time; a repeat changes nothing. @throws TemporalUnavailableError */
export async function startOnce(client: Client, workflowType: string, start: WorkflowStart): Promise<void> {
  try {
    await client.withDeadline(Date.now() + CALL_TIMEOUT_MS, () =>
      client.workflow.start(workflowType, {
        workflowId: start.workflowId,
        taskQueue: PAYMENTS_TASK_QUEUE,
        args: [start.input],
        workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
        workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
        typedSearchAttributes: start.searchAttributes,
        staticSummary: start.summary,
      }),
    );
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return;
    throw new TemporalUnavailableError(error);
  }
}
