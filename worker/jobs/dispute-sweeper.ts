import { hasEnded } from '../../domain/dispute.ts';
import { claimDueDisputes, type DueDispute } from '../../prisma/queries/due.ts';
import type { DisputeWorkflows } from '../../workflow-client/dispute-workflows.ts';
import { disputeInputOf } from '../../workflow-client/workflow-inputs.ts';
import { type DueRows, sweepDue, type SweepDueDependencies } from './sweep-due.ts';

export interface DisputeSweeperDependencies extends SweepDueDependencies {
  readonly disputeWorkflows: DisputeWorkflows;
}

export const DISPUTE_SWEEP_SIZE = 100;

/**
 * Checks the disputes that are due, and starts or replaces workflows as needed. A workflow that has not heard of a requested
 * operation, or of the end of its dispute, is told to read again.
 * @returns how many disputes were checked
 * @throws TemporalUnavailableError at the first row for which Temporal does not answer
 */
export function sweepDisputes(dependencies: DisputeSweeperDependencies, signal: AbortSignal): Promise<number> {
  const { disputeWorkflows } = dependencies;
  const disputes: DueRows<DueDispute> = {
    name: 'dispute',
    table: 'dispute',
    claim: (order) => claimDueDisputes(DISPUTE_SWEEP_SIZE, order),
    limit: DISPUTE_SWEEP_SIZE,
    workflowIdOf: ({ dispute }) => dispute.id,
    describe: ({ dispute: { status, operation } }) => ({
      hasEnded: hasEnded(status) && operation === null,
      mayEndAsFailed: false,
      isStarted: false,
      runId: null,
      isOverdue: operation !== null,
    }),
    // Its merchant is reminded by events, and its workflow shows what it waits for.
    advise: () => Promise.resolve(false),
    idsOf: ({ dispute }) => ({ disputeId: dispute.id, paymentIntentId: dispute.payment_intent_id }),
    start: async ({ dispute }) => void (await disputeWorkflows.start(disputeInputOf(dispute))),
    takeOver: ({ dispute }) => disputeWorkflows.start(disputeInputOf(dispute)),
    repair: ({ dispute }) => disputeWorkflows.wake(disputeInputOf(dispute)),
  };
  return sweepDue(dependencies, disputes, signal);
}
