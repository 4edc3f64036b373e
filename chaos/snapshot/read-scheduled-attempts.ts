import type { Client } from '@temporalio/client';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { z } from 'zod';
import { PAYMENT_INTENT_WORKFLOW } from '../../protocol/messages.ts';

const AUTHORIZE_ACTIVITY = 'authorizePayment';
const RUNS_AT_ONCE = 8;

const authorizeInput = z.object({ attempt: z.object({ id: z.string() }) });

/** The ids of all attempts whose provider call was scheduled in the history of a run. */
export async function readScheduledAttempts(temporal: Client): Promise<ReadonlySet<string>> {
  const runs: { workflowId: string; runId: string }[] = [];
  for await (const run of temporal.workflow.list({ query: `WorkflowType = '${PAYMENT_INTENT_WORKFLOW}'` })) {
    runs.push(run);
  }
  const attempts = new Set<string>();
  const work = async (): Promise<void> => {
    for (let run = runs.pop(); run !== undefined; run = runs.pop()) {
      const { events } = await temporal.workflow.getHandle(run.workflowId, run.runId).fetchHistory();
      for (const { activityTaskScheduledEventAttributes: scheduled } of events ?? []) {
        if (scheduled?.activityType?.name === AUTHORIZE_ACTIVITY) attempts.add(attemptIn(scheduled.input?.payloads));
      }
    }
  };
  await Promise.all(Array.from({ length: RUNS_AT_ONCE }, work));
  return attempts;
}

function attemptIn(payloads: Payload[] | null | undefined): string {
  const [input] = (payloads ?? []).map((payload) => defaultPayloadConverter.fromPayload<unknown>(payload));
  return authorizeInput.parse(input).attempt.id;
}
