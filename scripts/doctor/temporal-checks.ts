import { type Connection, isGrpcServiceError } from '@temporalio/client';
import { SECOND_MS } from '../../domain/time.ts';
import { missingSearchAttributes } from '../../workflow-client/register-search-attributes.ts';
import { TASK_QUEUES, type WorkerVersions } from '../../workflow-client/worker-versions.ts';
import { type Check, failed, type Finding, warning } from './check.ts';

export interface TemporalPlace {
  readonly connection: Connection;
  readonly namespace: string;
  readonly versions: WorkerVersions;
  /** How long the activities of the latest payments waited between being scheduled and started. */
  readonly activityWaits: () => Promise<readonly number[]>;
}

const NOT_FOUND = 5;
const CALL_TIMEOUT_MS = 10 * SECOND_MS;
/** An eager activity starts in the transaction that schedules it; one that a poll fetches starts after a trip to the worker. */
const EAGER_WITHIN_MS = 1;

export const TEMPORAL_CHECKS: readonly Check<TemporalPlace>[] = [
  { title: 'The namespace exists', look: lookAtNamespace },
  { title: 'The namespace has the search attributes of payments', look: lookAtSearchAttributes },
  { title: 'Workers poll for payments and webhooks', look: lookAtWorkers },
  { title: 'Activities start eagerly', look: lookAtEagerActivities },
];

async function lookAtNamespace({ connection, namespace }: TemporalPlace): Promise<Finding | null> {
  try {
    await withDeadline(connection, () => connection.workflowService.describeNamespace({ namespace }));
    return null;
  } catch (error) {
    if (!isGrpcServiceError(error) || Number(error.code) !== NOT_FOUND) throw error;
    return failed(
      `The Temporal server has no namespace ${namespace}.`,
      `Correct TEMPORAL_NAMESPACE, or make it: temporal operator namespace create --namespace ${namespace}.`,
    );
  }
}

async function lookAtSearchAttributes({ connection, namespace }: TemporalPlace): Promise<Finding | null> {
  const missing = await withDeadline(connection, () => missingSearchAttributes(connection, namespace));
  if (missing.length === 0) return null;
  const names = missing.map(({ name }) => name);
  return failed(
    `The namespace lacks the search attributes ${names.join(', ')}.`,
    'Restart a worker, which registers them where it may; in Temporal Cloud an administrator adds them (docs/operations/temporal.md).',
  );
}

async function lookAtWorkers({ versions }: TemporalPlace): Promise<Finding | null> {
  for (const queue of TASK_QUEUES) {
    if ((await versions.polled(queue)).size === 0) {
      return failed(
        `No worker polls the task queue ${queue}.`,
        'Start one with npm run worker, with the same TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE.',
      );
    }
  }
  const [{ current }, polled] = [await versions.deployment(), await versions.polled(TASK_QUEUES[0])];
  if (current !== null && polled.has(current)) return null;
  return failed(
    `No worker of the current version ${current ?? '(none)'} polls, so new payments wait.`,
    'Start a worker of that version, or one with WORKER_MAKE_CURRENT=true, which makes its own version the current one.',
  );
}

async function lookAtEagerActivities({ activityWaits }: TemporalPlace): Promise<Finding | null> {
  const waitsMs = await activityWaits();
  if (waitsMs.length === 0 || waitsMs.some((waitMs) => waitMs <= EAGER_WITHIN_MS)) return null;
  return warning(
    'No activity of the latest payments started eagerly, which makes each payment slower.',
    "Set system.enableActivityEagerExecution to true in the Temporal server's dynamic configuration.",
  );
}

function withDeadline<Result>(connection: Connection, call: () => Promise<Result>): Promise<Result> {
  return connection.withDeadline(Date.now() + CALL_TIMEOUT_MS, call);
}
