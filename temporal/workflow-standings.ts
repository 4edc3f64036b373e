import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { paymentStateQuery } from '../workflows/messages.ts';
import { CALL_TIMEOUT_MS, TemporalUnavailableError } from './calls.ts';

/** Whether a workflow runs, and in which run; or as what it has ended. */
export type WorkflowStanding =
  { readonly kind: 'running'; readonly runId: string } | { readonly kind: 'ended'; readonly as: string };

/** What Temporal knows of workflows. Every call has a deadline. */
export interface WorkflowStandings {
  /** @throws TemporalUnavailableError */
  standingOf(workflowId: string): Promise<WorkflowStanding>;
  /** The version of the intent's row that its workflow knows. Fails where no worker can tell. */
  versionKnown(paymentIntentId: string): Promise<number>;
  /** Ends one run of a workflow, with a reason for people. @throws TemporalUnavailableError */
  end(workflowId: string, runId: string, reason: string): Promise<void>;
}

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
        const { status, runId } = await ask(() => client.workflow.getHandle(workflowId).describe());
        if (RUNNING.includes(status.name)) return { kind: 'running', runId };
        return { kind: 'ended', as: status.name.toLowerCase().replaceAll('_', ' ') };
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return { kind: 'ended', as: 'forgotten' };
        throw error;
      }
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
