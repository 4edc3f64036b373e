import type { ReconciliationDifferenceResource } from '../schemas/reconciliation.ts';
import type { DifferenceSide } from '../../domain/reconciliation.ts';
import type { DifferenceRow } from '../../prisma/queries/reconciliation.ts';
import { presentTime } from './time.ts';

/** A difference as clients see it, from its row or from an event's snapshot. */
export function presentDifference(
  row: DifferenceRow & { readonly provider: string },
): ReconciliationDifferenceResource {
  return {
    id: `${row.run_id}_${row.number}`,
    object: 'reconciliation_difference',
    reconciliationRunId: row.run_id,
    provider: row.provider,
    kind: row.kind,
    action: row.action,
    paymentIntentId: row.payment_intent_id,
    attemptId: row.attempt_id,
    refundId: row.refund_id,
    providerPaymentId: row.provider_payment_id,
    ours: presentSide(row.ours),
    theirs: presentSide(row.theirs),
    createdAt: presentTime(row.created_at),
  };
}

function presentSide(side: DifferenceSide | null): ReconciliationDifferenceResource['ours'] {
  if (side === null) return null;
  const { status, amount, capturedAmount, currency } = side;
  return { status, amount, capturedAmount, currency };
}
