import { type Client, ScheduleAlreadyRunning, ScheduleNotFoundError, ScheduleOverlapPolicy } from '@temporalio/client';
import { PAYMENTS_TASK_QUEUE } from '../protocol/messages.ts';
import { reconciliationSearchAttributes } from '../protocol/search-attributes.ts';
import { callTemporal } from './temporal-errors.ts';

/** Schedules of one workflow type, one for each provider. */
export interface ProviderSchedules {
  /**
   * Schedules the workflow of a provider at each interval, and replaces the interval of an earlier schedule.
   * @throws TemporalUnavailableError
   */
  schedule(provider: string, everyMs: number): Promise<void>;
  /** Ends the schedule of a provider, if there is one. @throws TemporalUnavailableError */
  unschedule(provider: string): Promise<void>;
  /** The providers with a schedule; a schedule that was made some seconds ago may be missing. @throws TemporalUnavailableError */
  scheduled(): Promise<readonly string[]>;
}

/** A workflow that runs for each provider; its input has the provider. */
export interface ProviderWorkflow {
  /** Before the provider, in the ids of schedules and workflows. */
  readonly prefix: string;
  readonly workflowType: string;
  readonly summaryOf: (provider: string) => string;
}

/** The share of an interval by which a start is delayed at random, so that providers are not all asked at once. */
const JITTER_PART = 0.05;

/** Nobody waits for these workflows: while tasks wait for workers, payments come first, and then the providers in turn. */
const LAST = 5;

export function priorityOf(provider: string) {
  return { priority: { priorityKey: LAST, fairnessKey: provider } };
}

const LIST_PAGE_SIZE = 1_000;

export function createProviderSchedules(
  client: Client,
  { prefix, workflowType, summaryOf }: ProviderWorkflow,
): ProviderSchedules {
  return {
    async schedule(provider, everyMs) {
      const scheduleId = `${prefix}${provider}`;
      const spec = { intervals: [{ every: everyMs }], jitter: Math.round(everyMs * JITTER_PART) };
      const policies = { overlap: ScheduleOverlapPolicy.SKIP };
      const action = {
        type: 'startWorkflow' as const,
        workflowType,
        workflowId: scheduleId,
        taskQueue: PAYMENTS_TASK_QUEUE,
        args: [{ provider }],
        ...priorityOf(provider),
        typedSearchAttributes: reconciliationSearchAttributes({ provider }),
        staticSummary: summaryOf(provider),
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

    unschedule: (provider) => callTemporal(client, () => removeSchedule(client, `${prefix}${provider}`)),

    scheduled: () =>
      callTemporal(client, async () => {
        const names: string[] = [];
        for await (const { scheduleId } of client.schedule.list({ pageSize: LIST_PAGE_SIZE })) {
          if (scheduleId.startsWith(prefix)) names.push(scheduleId.slice(prefix.length));
        }
        return names;
      }),
  };
}

async function removeSchedule(client: Client, scheduleId: string): Promise<void> {
  try {
    await client.schedule.getHandle(scheduleId).delete();
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}
