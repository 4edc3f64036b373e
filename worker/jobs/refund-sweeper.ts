import { type Wait, waitingAdvisory, waitingEntry } from '../../domain/payment-resolution.ts';
import type { PaymentStep } from '../../domain/payment-step.ts';
import { ACCEPTED_REFUND_WAITING_AFTER_MS, WAITING_AFTER_MS } from '../../domain/time-limits.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { claimDueRefunds, type DueRefund } from '../../prisma/queries/due.ts';
import { createPaymentStore, recordOutsideWorkflow } from '../../prisma/stores/payment-store.ts';
import { raiseRefundAdvisory, type RefundRow } from '../../prisma/queries/refund.ts';
import type { RefundWorkflows } from '../../workflow-client/refund-workflows.ts';
import { refundInputOf } from '../../workflow-client/workflow-inputs.ts';
import { describePending, type DueRows, sweepDue, type SweepDueDependencies } from './sweep-due.ts';

export interface RefundSweeperDependencies extends SweepDueDependencies {
  readonly refundWorkflows: Pick<RefundWorkflows, 'start' | 'takeOver'>;
}

export const REFUND_SWEEP_SIZE = 100;

/**
 * Checks the refunds that are due, and starts, takes over or replaces workflows as needed. A start is idempotent.
 * @returns how many refunds were checked
 * @throws TemporalUnavailableError at the first row for which Temporal does not answer
 */
export function sweepRefunds(dependencies: RefundSweeperDependencies, signal: AbortSignal): Promise<number> {
  const { database, refundWorkflows } = dependencies;
  const refunds: DueRows<DueRefund> = {
    name: 'refund',
    table: 'refund',
    claim: (order) => claimDueRefunds(REFUND_SWEEP_SIZE, order),
    limit: REFUND_SWEEP_SIZE,
    workflowIdOf: ({ refund }) => refund.id,
    describe: ({ refund }) => describePending(refund),
    advise: ({ refund }) => adviseOfWait(database, refund),
    idsOf: ({ refund }) => ({ refundId: refund.id }),
    start: ({ refund }) => refundWorkflows.start(refundInputOf(refund)),
    takeOver: async ({ refund }, endedAs) => {
      const isTakenOver = await refundWorkflows.takeOver(refundInputOf(refund), endedAs);
      if (isTakenOver) await noteTakeOver(database, refund, endedAs);
      return isTakenOver;
    },
  };
  return sweepDue(dependencies, refunds, signal);
}

/** Records that the refund has waited for its provider for long, once: first in the payment's timeline, then in its own row. */
async function adviseOfWait(database: Database, refund: RefundRow): Promise<boolean> {
  const { id: refundId, payment_intent_id: paymentIntentId, provider, status, advisory } = refund;
  const [acceptedAt, afterMs] =
    refund.accepted_at === null
      ? [refund.created_at, WAITING_AFTER_MS]
      : [refund.accepted_at, ACCEPTED_REFUND_WAITING_AFTER_MS];
  const since = new Date(acceptedAt);
  if (status !== 'pending' || advisory !== null || Date.now() - since.getTime() < afterMs) return false;
  const wait: Wait = { operation: 'refund', provider, since: since.toISOString() };
  const step: PaymentStep = { timeline: [{ ...waitingEntry(wait), details: { refundId } }] };
  const at = new Date().toISOString();
  await recordOutsideWorkflow(createPaymentStore(database), {
    paymentIntentId,
    step,
    stepId: `${refundId}:waiting`,
    at,
  });
  await database.direct.execute(raiseRefundAdvisory(refundId, waitingAdvisory(wait)));
  return true;
}

/** Adds the takeover to the payment's timeline, unless the refund has ended meanwhile. */
async function noteTakeOver(
  database: Database,
  { id: refundId, payment_intent_id: paymentIntentId, provider }: RefundRow,
  endedAs: string,
): Promise<void> {
  const at = new Date().toISOString();
  const summary = `The workflow of a refund had ended (${endedAs}); another run asks ${provider} again under the same key`;
  const step: PaymentStep = { timeline: [{ kind: 'decision', summary, details: { refundId } }] };
  await recordOutsideWorkflow(
    createPaymentStore(database),
    { paymentIntentId, step, stepId: `${refundId}:takeover:${at}`, at },
    async () => (await database.refund.count({ where: { id: refundId, status: 'pending' } })) > 0,
  );
}
