import type { WorkflowRun } from '../snapshot/snapshot.ts';
import type { Check, Problem } from './check.ts';
import { hasEnded } from './statuses.ts';

/** Each intent and each refund has a workflow whose status and search attributes match its row. */
export const workflowsMatch: Check = {
  name: 'workflows and search attributes agree with the rows',
  find: ({ intents, refunds, workflows }) => [
    ...intents.flatMap(({ id, status, provider }) =>
      problemsOf(
        { intentId: id, of: 'its workflow', status, provider, expectedRun: runOf(hasEnded(status)) },
        workflows.get(id),
      ),
    ),
    ...refunds.flatMap(({ id, paymentIntentId, status, provider }) =>
      problemsOf(
        {
          intentId: paymentIntentId,
          of: `the workflow of ${id}`,
          status,
          provider,
          expectedRun: runOf(status !== 'pending'),
        },
        workflows.get(id),
      ),
    ),
  ],
};

interface Row {
  readonly intentId: string;
  /** What the workflow is called in the problem. */
  readonly of: string;
  readonly status: string;
  readonly provider: string | null;
  /** The status that the latest run must have. */
  readonly expectedRun: string;
}

function runOf(isRowTerminal: boolean): string {
  return isRowTerminal ? 'COMPLETED' : 'RUNNING';
}

function problemsOf({ intentId, of, status, provider, expectedRun }: Row, run: WorkflowRun | undefined): Problem[] {
  if (run === undefined) return [{ intentId, what: `${of} does not exist; the row is ${status}` }];
  const differences = [
    { what: 'is', has: run.status, row: expectedRun },
    { what: 'has PaymentStatus', has: run.paymentStatus, row: status },
    { what: 'has PaymentProvider', has: run.paymentProvider, row: provider },
  ];
  return differences
    .filter(({ has, row }) => has !== row)
    .map(({ what, has, row }) => ({
      intentId,
      what: `${of} ${what} ${has ?? 'nothing'}, should be ${row ?? 'nothing'} (row: ${status})`,
    }));
}
