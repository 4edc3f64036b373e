import type { Client } from '@temporalio/client';
import { DISPUTE_WORKFLOW, type DisputeInput, PAYMENTS_TASK_QUEUE, readAgainSignal } from '../protocol/messages.ts';
import { disputeSearchAttributes } from '../protocol/search-attributes.ts';
import { startAgain, type WorkflowStart } from './start-once.ts';
import { callTemporal } from './temporal-errors.ts';

/** Starts the workflows of disputes and has them read their rows. Every call has a deadline. */
export interface DisputeWorkflows {
  /** Has the workflow of a dispute read its row, and starts a run where none runs. @throws TemporalUnavailableError */
  wake(input: DisputeInput): Promise<void>;
  /** Starts another run; false where one runs already. @throws TemporalUnavailableError */
  start(input: DisputeInput): Promise<boolean>;
}

export function createDisputeWorkflows(client: Client): DisputeWorkflows {
  return {
    wake: async (input) => {
      const { workflowId, searchAttributes, summary, merchantAccountId } = startOf(input);
      await callTemporal(client, () =>
        client.workflow.signalWithStart(DISPUTE_WORKFLOW, {
          workflowId,
          taskQueue: PAYMENTS_TASK_QUEUE,
          args: [input],
          signal: readAgainSignal,
          priority: { fairnessKey: merchantAccountId },
          typedSearchAttributes: searchAttributes,
          staticSummary: summary,
        }),
      );
    },
    start: (input) => startAgain(client, DISPUTE_WORKFLOW, startOf(input)),
  };
}

function startOf(input: DisputeInput): WorkflowStart {
  const { disputeId, merchantAccountId, provider, providerReference, paymentIntentId } = input;
  return {
    workflowId: disputeId,
    input,
    merchantAccountId,
    searchAttributes: disputeSearchAttributes(input),
    summary: `Dispute ${providerReference} of ${paymentIntentId} at ${provider}`,
  };
}
