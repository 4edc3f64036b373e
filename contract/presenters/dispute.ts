import type { DisputeRow } from '../../prisma/queries/dispute.ts';
import type { DisputeResource } from '../schemas/dispute.ts';
import { presentTime } from './time.ts';

/** The dispute as clients see it, from its row or from an event's snapshot. */
export function presentDispute(row: DisputeRow): DisputeResource {
  return {
    id: row.id,
    object: 'dispute',
    merchantId: row.merchant_account_id,
    environment: row.environment,
    paymentIntentId: row.payment_intent_id,
    attemptId: row.attempt_id,
    customerId: row.customer_id,
    provider: row.provider,
    providerReference: row.provider_reference,
    amount: row.amount_minor,
    currency: row.currency,
    stage: row.stage,
    status: row.status,
    reason: row.reason,
    networkReasonCode: row.network_reason_code,
    respondBy: timeOf(row.respond_by),
    isDefendable: row.is_defendable,
    amountWithdrawn: row.amount_withdrawn_minor,
    amountBlocked: row.amount_blocked_minor,
    outcomeAt: timeOf(row.outcome_at),
    createdAt: presentTime(row.created_at),
    updatedAt: presentTime(row.updated_at),
  };
}

function timeOf(time: string | null): string | null {
  return time === null ? null : presentTime(time);
}
