import { createHash } from 'node:crypto';
import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
} from '@temporalio/client';
import type { ReconciliationProgress } from '../domain/reconciliation.ts';
import {
  PAYMENTS_TASK_QUEUE,
  RECONCILIATION_WORKFLOW,
  type ReconciliationInput,
  reconciliationProgressQuery,
} from '../protocol/messages.ts';
import { reconciliationSearchAttributes } from '../protocol/search-attributes.ts';
import { createProviderSchedules, priorityOf, type ProviderSchedules } from './provider-schedules.ts';
import { callTemporal } from './temporal-errors.ts';

/** A reconciliation that was started now. */
interface StartedReconciliation {
  /** How far it is; null before its row is written. @throws where no worker answers */
  progress(): Promise<ReconciliationProgress | null>;
  /** Waits for its end. @throws WorkflowFailedError where it could not begin */
  result(): Promise<ReconciliationProgress>;
}

/** Schedules reconciliations, and starts them. */
export interface Reconciliations extends ProviderSchedules {
  /** Starts a reconciliation now, or finds one that was started in this way and still runs. @throws TemporalUnavailableError */
  start(input: ReconciliationInput): Promise<StartedReconciliation>;
  /**
   * Starts the comparison of one attempt with its provider; a repeat changes nothing.
   * @param question the id of what leads to it
   * @throws TemporalUnavailableError
   */
  compareOne(attempt: { readonly provider: string; readonly attemptId: string }, question: string): Promise<void>;
}

const DIGEST_LENGTH = 16;

export function createReconciliations(client: Client): Reconciliations {
  return {
    ...createProviderSchedules(client, {
      prefix: 'reconciliation-',
      workflowType: RECONCILIATION_WORKFLOW,
      summaryOf: (provider) => `Reconciliation of ${provider}`,
    }),

    async start(input) {
      const handle = await callTemporal(client, () =>
        client.workflow.start(RECONCILIATION_WORKFLOW, {
          workflowId: `reconciliation-${input.provider}-by-hand`,
          workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
          taskQueue: PAYMENTS_TASK_QUEUE,
          args: [input],
          ...priorityOf(input.provider),
          typedSearchAttributes: reconciliationSearchAttributes(input),
          staticSummary: `Reconciliation of ${input.provider}, by hand`,
        }),
      );
      return {
        progress: () => handle.query(reconciliationProgressQuery),
        result: (): Promise<ReconciliationProgress> => handle.result(),
      };
    },

    async compareOne({ provider, attemptId }, question) {
      const digest = createHash('sha256').update(`${provider} ${question}`).digest('hex').slice(0, DIGEST_LENGTH);
      await callTemporal(client, async () => {
        try {
          await client.workflow.start(RECONCILIATION_WORKFLOW, {
            workflowId: `reconciliation-${attemptId}-${digest}`,
            workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
            taskQueue: PAYMENTS_TASK_QUEUE,
            args: [{ provider, attemptId } satisfies ReconciliationInput],
            ...priorityOf(provider),
            typedSearchAttributes: reconciliationSearchAttributes({ provider }),
            staticSummary: `Comparison of ${attemptId} with ${provider}`,
          });
        } catch (error) {
          if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
        }
      });
    },
  };
}
