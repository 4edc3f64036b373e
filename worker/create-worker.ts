import type { DataConverter } from '@temporalio/common';
import type { NativeConnection, Worker, WorkerOptions } from '@temporalio/worker';
import type { WorkerActivities } from '../activities/create-activities.ts';
import type { WebhookActivities } from '../protocol/webhook-activities.ts';
import { SECOND_MS } from '../domain/time.ts';
import { PAYMENTS_TASK_QUEUE, WEBHOOKS_TASK_QUEUE } from '../protocol/messages.ts';
import { deploymentOptions } from './deployment.ts';
import { EngineWorker } from './engine-worker.ts';
import { workflowSource } from './workflow-source.ts';
import { nameInLogs } from './name-in-logs.ts';
import { redactErrors } from './redact-errors.ts';
import { traceActivities, traceSinks } from './trace-activities.ts';

export interface PaymentWorkerOptions extends WorkerSettings {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly activities: WorkerActivities;
  readonly dataConverter: DataConverter;
  /** The version of the workflow code. */
  readonly buildId: string;
}

/** The settings of a worker that an operator may change. */
export interface WorkerSettings {
  readonly maxCachedWorkflows: number;
  /** How long running activities may continue after the worker was asked to stop. */
  readonly shutdownGraceMs: number;
}

/** Workflow tasks, and local activities, that a worker executes at the same time. */
const MAXIMUM_WORKFLOW_TASKS = 100;
/** Activities that a worker executes at the same time; most of them only wait for a provider. */
const MAXIMUM_ACTIVITIES = 500;
/** The shortest time between two heartbeats. An activity learns of its cancellation from the answer to a heartbeat. */
const HEARTBEAT_THROTTLE_MS = SECOND_MS;

/** The interceptor of traces is the outer one, so that it sees errors only after they were redacted. */
const INTERCEPTION = {
  interceptors: { activity: [traceActivities, nameInLogs, redactErrors] },
  sinks: traceSinks,
} satisfies Partial<WorkerOptions>;

/** The concurrency of a payments worker, which the benchmark's baseline uses too. */
export function paymentWorkerTuning({ maxCachedWorkflows, shutdownGraceMs }: WorkerSettings): Partial<WorkerOptions> {
  return {
    maxCachedWorkflows,
    maxConcurrentWorkflowTaskExecutions: Math.min(MAXIMUM_WORKFLOW_TASKS, maxCachedWorkflows),
    maxConcurrentLocalActivityExecutions: MAXIMUM_WORKFLOW_TASKS,
    maxConcurrentActivityTaskExecutions: MAXIMUM_ACTIVITIES,
    maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE_MS,
    shutdownGraceTime: shutdownGraceMs,
  };
}

/** A worker of the payments task queue. */
export function createPaymentWorker(options: PaymentWorkerOptions): Promise<Worker> {
  const { connection, namespace, activities, dataConverter, buildId } = options;
  return EngineWorker.create({
    ...paymentWorkerTuning(options),
    connection,
    namespace,
    dataConverter,
    taskQueue: PAYMENTS_TASK_QUEUE,
    ...workflowSource(),
    workerDeploymentOptions: deploymentOptions(buildId),
    activities: { ...activities },
    ...INTERCEPTION,
  });
}

export type WebhookWorkerOptions = Omit<PaymentWorkerOptions, 'activities' | 'maxCachedWorkflows'> & {
  readonly activities: WebhookActivities;
};

/** Webhook attempts that a worker makes at the same time; most of them only wait. */
const MAXIMUM_WEBHOOK_ACTIVITIES = 500;
/** Deliveries sleep most of the time and are replayed when they wake, so a small cache is enough. */
const MAXIMUM_CACHED_DELIVERIES = 100;
/** A small number, so that payments get the processor. */
const MAXIMUM_WEBHOOK_WORKFLOW_TASKS = 10;

/** A worker of the webhooks task queue. */
export function createWebhookWorker(options: WebhookWorkerOptions): Promise<Worker> {
  const { connection, namespace, activities, dataConverter, buildId, shutdownGraceMs } = options;
  return EngineWorker.create({
    connection,
    namespace,
    dataConverter,
    taskQueue: WEBHOOKS_TASK_QUEUE,
    ...workflowSource(),
    workerDeploymentOptions: deploymentOptions(buildId),
    activities: { ...activities },
    ...INTERCEPTION,
    maxConcurrentActivityTaskExecutions: MAXIMUM_WEBHOOK_ACTIVITIES,
    maxConcurrentWorkflowTaskExecutions: MAXIMUM_WEBHOOK_WORKFLOW_TASKS,
    maxCachedWorkflows: MAXIMUM_CACHED_DELIVERIES,
    shutdownGraceTime: shutdownGraceMs,
  });
}
