import type { Client } from '@temporalio/client';
import { SECOND_MS } from '../domain/time.ts';
import { PAYMENT_INTENT_WORKFLOW } from '../protocol/messages.ts';
import { CALL_TIMEOUT_MS } from './temporal-errors.ts';

const PAYMENTS_READ = 5;
const EVENTS_READ = 50;

/** How long the activities of the latest ended payments waited between being scheduled and being started, in milliseconds. */
export async function latestActivityWaitsMs(client: Client): Promise<readonly number[]> {
  const { workflowService: service } = client;
  const { namespace } = client.options;
  const query = `WorkflowType = '${PAYMENT_INTENT_WORKFLOW}' AND ExecutionStatus = 'Completed'`;
  const ask = <Answer>(call: () => Promise<Answer>) => client.withDeadline(Date.now() + CALL_TIMEOUT_MS, call);
  const { executions } = await ask(() => service.listWorkflowExecutions({ namespace, query, pageSize: PAYMENTS_READ }));
  const waits: number[] = [];
  for (const { execution = null } of executions) {
    const request = { namespace, execution, maximumPageSize: EVENTS_READ };
    const { history } = await ask(() => service.getWorkflowExecutionHistory(request));
    waits.push(...activityWaitsMs(history?.events ?? []));
  }
  return waits;
}

/** Part of an event of a history, as the server sends it. */
interface HistoryEvent {
  readonly eventId?: unknown;
  readonly eventTime?: { readonly seconds?: unknown; readonly nanos?: number | null } | null;
  readonly activityTaskScheduledEventAttributes?: object | null;
  readonly activityTaskStartedEventAttributes?: { readonly scheduledEventId?: unknown } | null;
}

/** How long each activity of a history waited between being scheduled and started. */
export function activityWaitsMs(events: readonly HistoryEvent[]): number[] {
  const scheduledAtMs = new Map<string, number>();
  for (const event of events) {
    if (event.activityTaskScheduledEventAttributes != null) scheduledAtMs.set(String(event.eventId), timeMs(event));
  }
  return events.flatMap((event) => {
    const { scheduledEventId } = event.activityTaskStartedEventAttributes ?? {};
    const scheduledMs = scheduledAtMs.get(String(scheduledEventId));
    return scheduledMs === undefined ? [] : [timeMs(event) - scheduledMs];
  });
}

function timeMs({ eventTime }: HistoryEvent): number {
  return Number(eventTime?.seconds ?? 0) * SECOND_MS + (eventTime?.nanos ?? 0) / 1e6;
}
