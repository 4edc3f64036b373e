import { defineUpdate } from '@temporalio/workflow';

export const BASELINE_TASK_QUEUE = 'benchmark-baseline';
export const BASELINE_WORKFLOW = 'baselineWorkflow';

export interface BaselineActivities {
  /** One call of the simulator. @returns the status of the payment there */
  callProvider(key: string): Promise<string>;
  /** Nothing: what a local activity costs by itself. */
  note(status: string): Promise<void>;
}

/** Answers with the status that the simulator gave. */
export const baselineUpdate = defineUpdate<string>('pay');
