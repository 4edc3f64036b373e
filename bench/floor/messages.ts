import { defineUpdate } from '@temporalio/workflow';

export const FLOOR_TASK_QUEUE = 'benchmark-floor';
export const FLOOR_WORKFLOW = 'floorWorkflow';

export interface FloorActivities {
  /** One call of the simulator. @returns the status of the payment there */
  callProvider(key: string): Promise<string>;
  /** Nothing: what a local activity costs by itself. */
  note(status: string): Promise<void>;
}

/** Answers with the status that the simulator gave. */
export const floorUpdate = defineUpdate<string>('pay');
