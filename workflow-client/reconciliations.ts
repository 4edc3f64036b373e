import { createHash } from 'node:crypto';
import {
  type Client,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
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
import { callTemporal } from './temporal-errors.ts';

/** A reconciliation that was started now. */
interface StartedReconciliation {
  /** How far it is; null before its row is written. @throws where no worker answers */
  progress(): Promise<ReconciliationProgress | null>;
  /** Waits for its end. @throws WorkflowFailedError where it could not begin */
  result(): Promise<ReconciliationProgress>;
}

/** Schedules reconciliations, and starts them. */
export interface Reconciliations {
  /**
   * Schedules the comparison of a provider's payments at each interval, and replaces the interval of an earlier schedule.
   * @throws TemporalUnavailableError
   */
  schedule(provider: string, everyMs: number): Promise<void>;
  /** Ends the schedule of a provider, if there is one. @throws TemporalUnavailableError */
  unschedule(provider: string): Promise<void>;
  /** The providers with a schedule; a schedule that was made some seconds ago may be missing. @throws TemporalUnavailableError */
  scheduled(): Promise<readonly string[]>;
  /** Starts a reconciliation now, or finds one that was started in this way and still runs. @throws TemporalUnavailableError */
  start(input: ReconciliationInput): Promise<StartedReconciliation>;
  /**
   * Starts the comparison of one attempt with its provider; a repeat changes nothing.
   * @param question the id of what leads to it
   * @throws TemporalUnavailableError
   */
  compareOne(attempt: { readonly provider: string; readonly attemptId: string }, question: string): Promise<void>;
}

/** The share of an interval by which a start is delayed at random, so that providers are not all asked at once. */
const JITTER_PART = 0.05;

/** Nobody waits for a reconciliation: while tasks wait for workers, payments come first, and then the providers in turn. */
const LAST = 5;
const priorityOf = (provider: string) => ({ priority: { priorityKey: LAST, fairnessKey: provider } });

const SCHEDULE_PREFIX = 'reconciliation-';
const LIST_PAGE_SIZE = 1_000;
const DIGEST_LENGTH = 16;

export function createReconciliations(client: Client): Reconciliations {
  return {
    async schedule(provider, everyMs) {
      const scheduleId = `${SCHEDULE_PREFIX}${provider}`;
      const spec = { intervals: [{ every: everyMs }], jitter: Math.round(everyMs * JITTER_PART) };
      const policies = { overlap: ScheduleOverlapPolicy.SKIP };
      const action = {
        type: 'startWorkflow' as const,
        workflowType: RECONCILIATION_WORKFLOW,
        workflowId: scheduleId,
        taskQueue: PAYMENTS_TASK_QUEUE,
        args: [{ provider } satisfies ReconciliationInput],
        ...priorityOf(provider),
        typedSearchAttributes: reconciliationSearchAttributes({ provider }),
        staticSummary: `Reconciliation of ${provider}`,
      };
      await callTemporal(client, async () => {
        try {
          await client.schedule.create({ scheduleId, spec, policies, action });
        } catch (error) {
          if (!(error instanceof ScheduleAlreadyRunning)) throw error;
          // Keeps the pause that an operator has set.
          await client.schedule.getHandle(scheduleId).update(({ state }) => ({ spec, policies, action, state }));
        }
      });
    },

    unschedule: (provider) => callTemporal(client, () => removeSchedule(client, `${SCHEDULE_PREFIX}${provider}`)),

    scheduled: () =>
      callTemporal(client, async () => {
        const names: string[] = [];
        for await (const { scheduleId } of client.schedule.list({ pageSize: LIST_PAGE_SIZE })) {
          if (scheduleId.startsWith(SCHEDULE_PREFIX)) names.push(scheduleId.slice(SCHEDULE_PREFIX.length));
        }
        return names;
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

async function removeSchedule(client: Client, scheduleId: string): Promise<void> {
  try {
    await client.schedule.getHandle(scheduleId).delete();
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}
