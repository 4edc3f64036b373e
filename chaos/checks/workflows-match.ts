import type { WorkflowRun } from '../snapshot/snapshot.ts';
import type { Check, Problem } from './check.ts';
import { isTerminalState } from '../../domain/payment-state.ts';

/** Each intent and each refund has a workflow whose status and search attributes match its row. */
export const workflowsMatch: Check = {
  name: 'workflows and search attributes agree with the rows',
  find: ({ intents, refunds, workflows }) => [
    ...intents.flatMap(({ id, status, provider }) =>
      problemsOf(
        { intentId: id, of: 'its workflow', status, provider, expectedRuns: runsOf(status) },
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
          expectedRuns: [status === 'pending' ? 'RUNNING' : 'COMPLETED'],
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
  /** One of them must be the status of the latest run. */
  readonly expectedRuns: readonly string[];
}

/** The workflow of a failed payment fails; so does that of an expired or canceled one whose attempts have failed. */
function runsOf(status: string): readonly string[] {
  if (!isTerminalState(status)) return ['RUNNING'];
  if (status === 'succeeded') return ['COMPLETED'];
  return status === 'failed' ? ['FAILED'] : ['COMPLETED', 'FAILED'];
}

function problemsOf({ intentId, of, status, provider, expectedRuns }: Row, run: WorkflowRun | undefined): Problem[] {
  if (run === undefined) return [{ intentId, what: `${of} does not exist; the row is ${status}` }];
  const differences = [
    { what: 'is', has: run.status, row: expectedRuns.find((each) => each === run.status) ?? expectedRuns.join(' or ') },
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
