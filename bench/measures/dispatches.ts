import type { Client } from '@temporalio/client';

/** The tasks, activities and events that Temporal handled for one workflow. */
export interface Dispatches {
  readonly events: number;
  readonly workflowTasks: number;
  readonly remoteActivities: number;
  readonly localActivities: number;
  readonly timers: number;
}

type History = Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['fetchHistory']>>;

/** The name that the Temporal SDK gives to the marker of a local activity. */
const LOCAL_ACTIVITY_MARKER = 'core_local_activity';

/** Counts the dispatches in a workflow history. */
export function countDispatches({ events }: History): Dispatches {
  const all = events ?? [];
  return {
    events: all.length,
    workflowTasks: all.filter((event) => event.workflowTaskCompletedEventAttributes).length,
    remoteActivities: all.filter((event) => event.activityTaskScheduledEventAttributes).length,
    localActivities: all.filter((event) => event.markerRecordedEventAttributes?.markerName === LOCAL_ACTIVITY_MARKER)
      .length,
    timers: all.filter((event) => event.timerStartedEventAttributes).length,
  };
}
