import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { createTemporalClient } from '../../workflow-client/connection.ts';
import { BASELINE_TASK_QUEUE, BASELINE_WORKFLOW, baselineUpdate } from '../baseline/messages.ts';
import type { Work } from './run-turn.ts';
import { serveTurns } from './serve-turns.ts';

const settingsSchema = z.object({ address: z.string(), namespace: z.string() });

/** The client of the baseline: Temporal's own, without an API in between. */
function createBaselinePayments(settings: z.infer<typeof settingsSchema>): Work {
  const client = createTemporalClient(settings);
  return async (timer) => {
    const workflowId = `baseline_${randomUUID()}`;
    const handle = await client.workflow.start(BASELINE_WORKFLOW, {
      workflowId,
      taskQueue: BASELINE_TASK_QUEUE,
      // As the engine starts a payment: the update begins the first task, so that there are always two.
      startDelay: '1 hour',
      args: [],
    });
    timer.endStep('start');
    const status = await handle.executeUpdate(baselineUpdate);
    if (status !== 'captured') throw new Error(`the simulator answered with ${status}`);
    timer.endStep('update');
    return workflowId;
  };
}

serveTurns(settingsSchema, createBaselinePayments);
