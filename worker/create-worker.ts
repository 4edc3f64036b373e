import { type NativeConnection, Worker } from '@temporalio/worker';
import type { EngineActivities } from '../activities/create-activities.ts';
import { PAYMENTS_TASK_QUEUE } from '../workflows/messages.ts';
import { workflowSource } from './workflow-source.ts';

export interface PaymentWorkerOptions {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly activities: EngineActivities;
  readonly maxCachedWorkflows: number;
  /** How long running activities may go on once the worker is told to stop. */
  readonly shutdownGraceMs: number;
}

/** A worker of the payments task queue. */
export function createPaymentWorker(options: PaymentWorkerOptions): Promise<Worker> {
  const { connection, namespace, activities, maxCachedWorkflows, shutdownGraceMs } = options;
  return Worker.create({
    connection,
    namespace,
    taskQueue: PAYMENTS_TASK_QUEUE,
    ...workflowSource(),
    activities: { ...activities },
    maxCachedWorkflows,
    shutdownGraceTime: shutdownGraceMs,
  });
}
