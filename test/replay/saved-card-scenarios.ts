import { ApplicationFailure } from '@temporalio/common';
import type { WorkflowHandle } from '@temporalio/client';
import { newId } from '../../domain/new-id.ts';
import { PAYMENTS_TASK_QUEUE, SAVED_METHOD_WORKFLOW, type SavedMethodInput } from '../../protocol/messages.ts';
import type { MaintainedCredentials, SavedMethodActivities } from '../../protocol/saved-method-activities.ts';
import { EXECUTION_TIMEOUT_MS, type TimeSkippingServer } from '../support/time-skipping-server.ts';

const NO_TOKEN = ApplicationFailure.retryable('alpha has issued no token yet', 'TOKEN_NOT_ISSUED');
const AWAY = ApplicationFailure.retryable('no answer', 'TSP_UNAVAILABLE');
const READ: MaintainedCredentials = { kind: 'completed', providers: ['alpha'] };
const REMOVED: MaintainedCredentials = { kind: 'removed', providers: ['alpha', 'beta'] };

/** The answers to a saved card's workflow whose history is recorded for replay, in order; the names are the files' names. */
export const SAVED_CARD_SCENARIOS: Readonly<Record<string, readonly (MaintainedCredentials | Error)[]>> = {
  'saved-card-token-read': [READ],
  'saved-card-token-issued-late': [NO_TOKEN, NO_TOKEN, READ],
  'saved-card-removed-after-a-day-of-outage': [...Array.from({ length: 30 }, () => AWAY), REMOVED],
};

/** Runs the workflow of a saved payment method whose activity gives these answers. @returns it, once it has ended */
export async function maintainSavedCard(
  { env: { client }, play }: TimeSkippingServer,
  answers: readonly (MaintainedCredentials | Error)[],
): Promise<WorkflowHandle> {
  let asked = 0;
  const activities: SavedMethodActivities = {
    maintainCredentials: () => {
      const answer = answers[asked] ?? REMOVED;
      asked += 1;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
  };
  play({ activities, clock: Date.now });
  const input: SavedMethodInput = {
    savedPaymentMethodId: newId('savedPaymentMethod'),
    merchantAccountId: newId('merchantAccount'),
    environment: 'sandbox',
  };
  const workflow = await client.workflow.start(SAVED_METHOD_WORKFLOW, {
    workflowId: input.savedPaymentMethodId,
    taskQueue: PAYMENTS_TASK_QUEUE,
    args: [input],
    workflowExecutionTimeout: EXECUTION_TIMEOUT_MS,
  });
  await workflow.result();
  return workflow;
}
