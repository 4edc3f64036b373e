import { type NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import type { WorkerActivities } from '../activities/create-activities.ts';
import type { WebhookActivities } from '../activities/webhook-activities.ts';
import { SECOND_MS } from '../domain/time.ts';
import { PAYMENTS_TASK_QUEUE, WEBHOOKS_TASK_QUEUE } from '../workflows/messages.ts';
import { deploymentOptions } from './deployment.ts';
import { workflowSource } from './workflow-source.ts';

export interface PaymentWorkerOptions extends WorkerSettings {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly activities: WorkerActivities;
  /** The version of the workflow code. */
  readonly buildId: string;
}

/** What an operator may change about a worker. */
export interface WorkerSettings {
  readonly maxCachedWorkflows: number;
  /** How long running activities may go on once the worker is told to stop. */
  readonly shutdownGraceMs: number;
}

/** Workflow tasks that a worker has under way; each reads its routes at most. */
const DECISIONS_AT_ONCE = 100;
/** Calls that a worker has open: most of them wait for a provider, and none may keep the others waiting. */
const CALLS_AT_ONCE = 500;
/** A call that is canceled learns of it from the answer to its next heartbeat, of which no more are sent than this. */
const HEARTBEATS_AT_MOST_EVERY_MS = SECOND_MS;

/** How a worker of payments is tuned; what payments are measured against runs with the same. */
export function paymentWorkerTuning({ maxCachedWorkflows, shutdownGraceMs }: WorkerSettings): Partial<WorkerOptions> {
  return {
    maxCachedWorkflows,
    maxConcurrentWorkflowTaskExecutions: Math.min(DECISIONS_AT_ONCE, maxCachedWorkflows),
    maxConcurrentLocalActivityExecutions: DECISIONS_AT_ONCE,
    maxConcurrentActivityTaskExecutions: CALLS_AT_ONCE,
    maxHeartbeatThrottleInterval: HEARTBEATS_AT_MOST_EVERY_MS,
    shutdownGraceTime: shutdownGraceMs,
  };
}

/** A worker of the payments task queue. */
export function createPaymentWorker(options: PaymentWorkerOptions): Promise<Worker> {
  const { connection, namespace, activities, buildId } = options;
  return Worker.create({
    ...paymentWorkerTuning(options),
    connection,
    namespace,
    taskQueue: PAYMENTS_TASK_QUEUE,
    ...workflowSource(),
    workerDeploymentOptions: deploymentOptions(buildId),
    activities: { ...activities },
  });
}

export type WebhookWorkerOptions = Omit<PaymentWorkerOptions, 'activities' | 'maxCachedWorkflows'> & {
  readonly activities: WebhookActivities;
};

/** Requests that a worker has open at the same time; most of them only wait. */
const WEBHOOK_SLOTS = 500;
/** Deliveries sleep most of their lives and are read again when they wake, so that few are worth keeping. */
const CACHED_DELIVERIES = 100;
/** Leaves the processor to payments. */
const WEBHOOK_DECISIONS_AT_ONCE = 10;

/** A worker of the webhooks task queue. */
export function createWebhookWorker(options: WebhookWorkerOptions): Promise<Worker> {
  const { connection, namespace, activities, buildId, shutdownGraceMs } = options;
  return Worker.create({
    connection,
    namespace,
    taskQueue: WEBHOOKS_TASK_QUEUE,
    ...workflowSource(),
    workerDeploymentOptions: deploymentOptions(buildId),
    activities: { ...activities },
    maxConcurrentActivityTaskExecutions: WEBHOOK_SLOTS,
    maxConcurrentWorkflowTaskExecutions: WEBHOOK_DECISIONS_AT_ONCE,
    maxCachedWorkflows: CACHED_DELIVERIES,
    shutdownGraceTime: shutdownGraceMs,
  });
}
