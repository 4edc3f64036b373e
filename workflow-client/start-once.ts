import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
  type WorkflowOptions,
} from '@temporalio/client';
import type { SearchAttributePair } from '@temporalio/common';
import { PAYMENTS_TASK_QUEUE } from '../protocol/messages.ts';
import { callTemporal } from './temporal-errors.ts';

export interface WorkflowStart {
  readonly workflowId: string;
  readonly input: object;
  /** The account, of which the task queue serves one after the other while tasks wait for workers. */
  readonly merchantAccountId: string;
  readonly searchAttributes: SearchAttributePair[];
  /** Default: the task queue of payments. */
  readonly taskQueue?: string;
  /** Delay of the first workflow task; an update or a cancellation ends it, a signal does not. */
  readonly decideAfterMs?: number;
  /** One line for support staff. */
  readonly summary: string;
  /** Shown to support staff until the workflow sets its own details, in markdown. */
  readonly details?: string;
}

/** Starts a workflow unless one with that id runs or has ever run. @throws TemporalUnavailableError */
export async function startOnce(client: Client, workflowType: string, start: WorkflowStart): Promise<void> {
  await startWorkflow(client, workflowType, start, {
    workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
  });
}

/**
 * Starts another run of a workflow that has ended, or the first one.
 * @returns false where one runs already
 * @throws TemporalUnavailableError
 */
export function startAgain(client: Client, workflowType: string, start: WorkflowStart): Promise<boolean> {
  return startWorkflow(client, workflowType, start, {
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.FAIL,
  });
}

async function startWorkflow(
  client: Client,
  workflowType: string,
  start: WorkflowStart,
  policies: Pick<WorkflowOptions, 'workflowIdReusePolicy' | 'workflowIdConflictPolicy'>,
): Promise<boolean> {
  try {
    await callTemporal(client, () =>
      client.workflow.start(workflowType, {
        ...policies,
        workflowId: start.workflowId,
        taskQueue: start.taskQueue ?? PAYMENTS_TASK_QUEUE,
        args: [start.input],
        priority: { fairnessKey: start.merchantAccountId },
        typedSearchAttributes: start.searchAttributes,
        staticSummary: start.summary,
        ...(start.details === undefined ? {} : { staticDetails: start.details }),
        ...(start.decideAfterMs === undefined ? {} : { startDelay: start.decideAfterMs }),
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}
