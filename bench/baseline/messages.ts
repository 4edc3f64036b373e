import { defineUpdate } from '@temporalio/workflow';

export const BASELINE_TASK_QUEUE = 'benchmark-baseline';
export const BASELINE_WORKFLOW = 'baselineWorkflow';

export interface BaselineActivities {
  /** Makes one call to the simulator. @returns the status of the payment at the simulator */
  callProvider(key: string): Promise<string>;
  /** Does nothing, so it measures the cost of a local activity. */
  note(status: string): Promise<void>;
}

/** Returns the status that the simulator gave. */
export const baselineUpdate = defineUpdate<string>('pay');
