import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { createTemporalClient } from '../../workflows/client/connection.ts';
import { FLOOR_TASK_QUEUE, FLOOR_WORKFLOW, floorUpdate } from '../floor/messages.ts';
import type { Work } from './run-turn.ts';
import { serveTurns } from './serve-turns.ts';

const settingsSchema = z.object({ address: z.string(), namespace: z.string() });

/** The floor's own client: Temporal's, without a server in between. */
function createFloorPayments(settings: z.infer<typeof settingsSchema>): Work {
  const client = createTemporalClient(settings);
  return async (stopwatch) => {
    const workflowId = `floor_${randomUUID()}`;
    const handle = await client.workflow.start(FLOOR_WORKFLOW, { workflowId, taskQueue: FLOOR_TASK_QUEUE, args: [] });
    stopwatch.lap('start');
    const status = await handle.executeUpdate(floorUpdate);
    if (status !== 'captured') throw new Error(`the simulator answered with ${status}`);
    stopwatch.lap('update');
    return workflowId;
  };
}

serveTurns(settingsSchema, createFloorPayments);
