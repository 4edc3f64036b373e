import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { readAgainSignal, showAdvisorySignal } from '../protocol/messages.ts';
import { callTemporal } from './temporal-errors.ts';
import { deliverSignal } from './deliver-signal.ts';

/** The latest run of a workflow: under way, or how it ended. */
export type WorkflowState =
  | { readonly kind: 'running'; readonly runId: string }
  /** It returned. */
  | { readonly kind: 'completed' }
  /** Terminated, failed, canceled, timed out, or forgotten by Temporal. */
  | { readonly kind: 'ended'; readonly as: string };

/** What a running workflow has under way. */
export interface RunDetails {
  readonly runId: string;
  /** Tries of its present workflow task; 0 where there is none. Each try after the first follows a failure or a timeout. */
  readonly taskTries: number;
}

/** Reads the state of workflows in Temporal. Every call has a deadline. */
export interface WorkflowStates {
  /** @throws TemporalUnavailableError */
  stateOf(workflowId: string): Promise<WorkflowState>;
  /**
   * The states of many workflows, as Temporal's list knows them: one call for all. The list may be some moments
   * old, so callers ask for a missing workflow with `stateOf`.
   * @throws TemporalUnavailableError
   */
  statesOf(workflowIds: readonly string[]): Promise<ReadonlyMap<string, WorkflowState>>;
  /**
   * The ids of workflows of which a run was terminated since then, as far as Temporal's list knows.
   * @throws TemporalUnavailableError
   */
  endedByHand(since: Date, limit: number): Promise<readonly string[]>;
  /** Null where the workflow does not run. @throws TemporalUnavailableError */
  detailsOf(workflowId: string): Promise<RunDetails | null>;
  /** Makes a run read its rows again. @throws TemporalUnavailableError */
  readAgain(workflowId: string): Promise<void>;
  /** Makes a run show an advisory that was recorded. @throws TemporalUnavailableError */
  showAdvisory(workflowId: string): Promise<void>;
  /**
   * Ends one run of a workflow, with a reason for people.
   * @returns false where it has ended already
   * @throws TemporalUnavailableError
   */
  terminate(workflowId: string, runId: string, reason: string): Promise<boolean>;
}

const RUNNING = ['RUNNING', 'PAUSED'];

export function createWorkflowStates(client: Client): WorkflowStates {
  return {
    async stateOf(workflowId) {
      const description = await describe(client, workflowId);
      return description === null ? { kind: 'ended', as: 'forgotten' } : stateOf(description);
    },
    statesOf: (workflowIds) => listStates(client, workflowIds),
    endedByHand: (since, limit) => listTerminated(client, since, limit),
    async detailsOf(workflowId) {
      const description = await describe(client, workflowId);
      if (description === null || !RUNNING.includes(description.status.name)) return null;
      const { runId, raw } = description;
      return { runId, taskTries: raw.pendingWorkflowTask?.attempt ?? 0 };
    },
    readAgain: async (workflowId) => void (await deliverSignal(client, workflowId, readAgainSignal)),
    showAdvisory: async (workflowId) => void (await deliverSignal(client, workflowId, showAdvisorySignal)),
    async terminate(workflowId, runId, reason) {
      try {
        await callTemporal(client, () => client.workflow.getHandle(workflowId, runId).terminate(reason));
        return true;
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return false;
        throw error;
      }
    },
  };
}

async function describe(client: Client, workflowId: string) {
  try {
    return await callTemporal(client, () => client.workflow.getHandle(workflowId).describe());
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

interface Execution {
  readonly status: { readonly name: string };
  readonly runId: string;
  readonly startTime: Date;
}

function stateOf({ status, runId }: Pick<Execution, 'status' | 'runId'>): WorkflowState {
  if (RUNNING.includes(status.name)) return { kind: 'running', runId };
  if (status.name === 'COMPLETED') return { kind: 'completed' };
  return { kind: 'ended', as: status.name.toLowerCase().replaceAll('_', ' ') };
}

/** A workflow that was started again is listed once for each of its runs: the latest counts. */
async function listStates(client: Client, ids: readonly string[]): Promise<ReadonlyMap<string, WorkflowState>> {
  const query = `WorkflowId IN (${ids.map((id) => `'${id}'`).join(', ')})`;
  const latest = new Map<string, Execution>();
  await callTemporal(client, async () => {
    for await (const execution of client.workflow.list({ query })) {
      const known = latest.get(execution.workflowId);
      if (known === undefined || isLater(execution, known)) latest.set(execution.workflowId, execution);
    }
  });
  return new Map([...latest].map(([id, execution]) => [id, stateOf(execution)]));
}

async function listTerminated(client: Client, since: Date, limit: number): Promise<readonly string[]> {
  const query = `ExecutionStatus = 'Terminated' AND CloseTime > '${since.toISOString()}'`;
  const ids = new Set<string>();
  await callTemporal(client, async () => {
    for await (const { workflowId } of client.workflow.list({ query, pageSize: limit })) {
      ids.add(workflowId);
      if (ids.size >= limit) return;
    }
  });
  return [...ids];
}

/** Of two runs that began at the same time, the one that is running is the later. */
function isLater(one: Execution, other: Execution): boolean {
  const differenceMs = one.startTime.getTime() - other.startTime.getTime();
  return differenceMs > 0 || (differenceMs === 0 && RUNNING.includes(one.status.name));
}
