import { DISPUTE_EVIDENCE_MEMBERS } from '../../domain/dispute-evidence.ts';
import type { DisputeRow, StoredDispute } from '../../prisma/queries/dispute.ts';
import { disputeAnswersOf } from '../../providers/provider-kinds.ts';
import type { DisputeResource } from '../schemas/dispute.ts';
import { presentTime } from './time.ts';

/** The dispute as clients see it, with the merchant's answer. */
export function presentStoredDispute({ dispute, evidence, files }: StoredDispute): DisputeResource {
  const texts = Object.fromEntries(DISPUTE_EVIDENCE_MEMBERS.map((name) => [name, evidence[name] ?? null]));
  const presented = files.map((file) => ({ ...file, createdAt: presentTime(file.createdAt) }));
  return {
    ...presentDispute(dispute),
    evidence: { ...texts, files: presented } as NonNullable<DisputeResource['evidence']>,
  };
}

/** The dispute as clients see it in events, from its snapshot: without the merchant's answer. */
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
    answeredIn: disputeAnswersOf(row.provider) !== null ? 'api' : 'provider_dashboard',
    amountWithdrawn: row.amount_withdrawn_minor,
    amountBlocked: row.amount_blocked_minor,
    evidence: null,
    evidenceSubmittedAt: timeOf(row.evidence_submitted_at),
    lastError: row.last_error,
    outcomeAt: timeOf(row.outcome_at),
    createdAt: presentTime(row.created_at),
    updatedAt: presentTime(row.updated_at),
  };
}

function timeOf(time: string | null): string | null {
  return time === null ? null : presentTime(time);
}
