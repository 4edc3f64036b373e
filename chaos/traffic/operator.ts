import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { newId } from '../../domain/new-id.ts';
import { SECOND_MS } from '../../domain/time.ts';
import type { FaultKind } from '../faults/fault-kinds.ts';
import type { OperatorRecord } from '../snapshot/snapshot.ts';
import type { OperatorAction } from './payment-plan.ts';

/** Somebody with the Temporal UI who ends and resets workflows by hand. */
export interface Operator {
  /** Acts on the latest run after a delay; does nothing if the workflow has ended by then. */
  act(action: OperatorAction, workflowId: string): Promise<void>;
  /** The actions that Temporal has accepted. */
  readonly records: readonly OperatorRecord[];
}

export interface OperatorOptions {
  readonly temporal: Client;
  readonly namespace: string;
  /** Called with a description of each action that Temporal has accepted. */
  readonly record: (kind: FaultKind, what: string) => void;
}

const REASON = 'chaos run';
const DEADLINE_MS = 5 * SECOND_MS;

export function createOperator({ temporal, namespace, record }: OperatorOptions): Operator {
  const records: OperatorRecord[] = [];
  const carryOut = async ({ kind, resetTo }: OperatorAction, workflowId: string): Promise<void> => {
    const handle = temporal.workflow.getHandle(workflowId);
    switch (kind) {
      case 'operator_cancel':
        await handle.cancel();
        return;
      case 'operator_terminate':
        await handle.terminate(REASON);
        return;
      case 'operator_reset':
        await reset(workflowId, resetTo);
    }
  };

  const reset = async (workflowId: string, resetTo: 'first' | 'last'): Promise<void> => {
    const { runId } = await temporal.workflow.getHandle(workflowId).describe();
    const { events } = await temporal.workflow.getHandle(workflowId, runId).fetchHistory();
    const completed = (events ?? []).filter((event) => event.workflowTaskCompletedEventAttributes != null);
    const event = resetTo === 'first' ? completed[0] : completed.at(-1);
    if (event?.eventId == null) throw new Error('no workflow task was completed yet');
    await temporal.workflowService.resetWorkflowExecution({
      namespace,
      workflowExecution: { workflowId, runId },
      reason: REASON,
      workflowTaskFinishEventId: event.eventId,
      requestId: newId('request'),
    });
  };

  return {
    records,
    async act(action, workflowId) {
      await sleep(action.afterMs);
      try {
        await temporal.withDeadline(Date.now() + DEADLINE_MS, () => carryOut(action, workflowId));
        const what = action.kind === 'operator_reset' ? `${action.kind} to the ${action.resetTo} task` : action.kind;
        records.push({ at: new Date().toISOString(), workflowId, what });
        record(action.kind, `${what}: ${workflowId}`);
      } catch {
        // The workflow has ended, or Temporal is unavailable, so the operator can do nothing.
      }
    },
  };
}
