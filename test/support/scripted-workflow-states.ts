import { TemporalUnavailableError } from '../../workflow-client/temporal-errors.ts';
import type { RunDetails, WorkflowState, WorkflowStates } from '../../workflow-client/workflow-states.ts';

export interface StatesScript {
  /** The state of each workflow for a single request; others are forgotten. */
  readonly states?: Readonly<Record<string, WorkflowState>>;
  /** The states in Temporal's list. */
  readonly listed?: Readonly<Record<string, WorkflowState>>;
  readonly details?: Readonly<Record<string, RunDetails>>;
  /** Whether Temporal is unavailable. */
  readonly isAway?: boolean;
}

/** A scripted Temporal, which records the commands that it gets. */
export function scriptedStates({ states = {}, listed = {}, details = {}, isAway = false }: StatesScript) {
  const asked: string[] = [];
  const orders: string[] = [];
  const answer = <Value>(value: Value): Promise<Value> =>
    isAway ? Promise.reject(new TemporalUnavailableError('away')) : Promise.resolve(value);
  const workflowStates: WorkflowStates = {
    stateOf(id) {
      asked.push(id);
      return answer(states[id] ?? { kind: 'ended', as: 'forgotten' });
    },
    statesOf: (ids) => answer(new Map(Object.entries(listed).filter(([id]) => ids.includes(id)))),
    endedByHand: () => answer([]),
    detailsOf: (id) => answer(details[id] ?? null),
    readAgain: (id) => answer(void orders.push(`read again ${id}`)),
    showAdvisory: (id) => answer(void orders.push(`show advisory ${id}`)),
    terminate: (id, runId) => answer(orders.push(`terminate ${runId} of ${id}`) > 0),
  };
  return { states: workflowStates, asked, orders };
}
