import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { paymentStateQuery } from '../workflows/messages.ts';
import { CALL_TIMEOUT_MS, TemporalUnavailableError } from './calls.ts';

/** Whether a workflow runs, and in which run; or as what it has ended. */
export type WorkflowStanding =
  | {
      readonly kind: 'running';
      readonly runId: string;
      /** Whether its first task is done; until then it can be asked nothing. */
      readonly hasBegun: boolean;
      /** Whether a task or an activity of it is under way. */
      readonly isBusy: boolean;
    }
  | { readonly kind: 'ended'; readonly as: string };

/** What Temporal knows of workflows. Every call has a deadline. */
export interface WorkflowStandings {
  /** @throws TemporalUnavailableError */
  standingOf(workflowId: string): Promise<WorkflowStanding>;
  /**
   * Which of the workflows run, and in which run, as Temporal's list of workflows knows them: one call for all of them, but
   * the list may be some moments behind, so that what is missing is to be asked for by itself.
   * @throws TemporalUnavailableError
   */
  runningAmong(workflowIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The version of the intent's row that its workflow knows. Fails where no worker can tell. */
  versionKnown(paymentIntentId: string): Promise<number>;
  /** Ends one run of a workflow, with a reason for people. @throws TemporalUnavailableError */
  end(workflowId: string, runId: string, reason: string): Promise<void>;
}

/** Started; then the first task scheduled, started and completed. */
const EVENTS_OF_A_FIRST_TASK = 4;

const RUNNING = ['RUNNING', 'PAUSED', 'CONTINUED_AS_NEW'];

export function createWorkflowStandings(client: Client): WorkflowStandings {
  const ask = async <T>(call: () => Promise<T>): Promise<T> => {
    try {
      return await client.withDeadline(Date.now() + CALL_TIMEOUT_MS, call);
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) throw error;
      throw new TemporalUnavailableError(error);
    }
  };
  return {
    async standingOf(workflowId) {
      try {
        const { status, runId, historyLength, raw } = await ask(() => client.workflow.getHandle(workflowId).describe());
        if (RUNNING.includes(status.name)) {
          const isBusy = raw.pendingWorkflowTask != null || (raw.pendingActivities ?? []).length > 0;
          return { kind: 'running', runId, hasBegun: historyLength >= EVENTS_OF_A_FIRST_TASK, isBusy };
        }
        return { kind: 'ended', as: status.name.toLowerCase().replaceAll('_', ' ') };
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return { kind: 'ended', as: 'forgotten' };
        throw error;
      }
    },
    async runningAmong(workflowIds) {
      const query = `WorkflowId IN (${workflowIds.map((id) => `'${id}'`).join(', ')}) AND ExecutionStatus = 'Running'`;
      const { namespace } = client.options;
      const list = () =>
        client.workflowService.listWorkflowExecutions({ namespace, query, pageSize: workflowIds.length });
      const { executions } = await ask(list);
      return new Map(executions.map(({ execution }) => [execution?.workflowId ?? '', execution?.runId ?? '']));
    },
    versionKnown: async (id) => {
      const query = () => client.workflow.getHandle(id).query(paymentStateQuery);
      return (await client.withDeadline(Date.now() + CALL_TIMEOUT_MS, query)).version;
    },
    end: async (workflowId, runId, reason) => {
      await ask(() => client.workflow.getHandle(workflowId, runId).terminate(reason));
    },
  };
}
