import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../protocol/search-attributes.ts';
import type { WorkflowRun } from './snapshot.ts';

/** The latest run of every workflow, from Temporal's list. */
export async function readWorkflows(temporal: Client): Promise<ReadonlyMap<string, WorkflowRun>> {
  const latest = new Map<string, WorkflowExecutionInfo>();
  for await (const run of temporal.workflow.list()) {
    const known = latest.get(run.workflowId);
    if (known === undefined || isLater(run, known)) latest.set(run.workflowId, run);
  }
  return new Map([...latest].map(([id, run]) => [id, stateOf(run)]));
}

/** A run that was reset ends at the moment when the next one begins. */
function isLater(run: WorkflowExecutionInfo, known: WorkflowExecutionInfo): boolean {
  const laterByMs = run.startTime.getTime() - known.startTime.getTime();
  return laterByMs === 0 ? run.status.name === 'RUNNING' : laterByMs > 0;
}

function stateOf({ status, typedSearchAttributes }: WorkflowExecutionInfo): WorkflowRun {
  return {
    status: status.name,
    paymentStatus: typedSearchAttributes.get(SEARCH_ATTRIBUTES.status) ?? null,
    paymentProvider: typedSearchAttributes.get(SEARCH_ATTRIBUTES.provider) ?? null,
  };
}
