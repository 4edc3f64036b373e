import type { z } from 'zod';
import type { DisputeReason, DisputeReport, DisputeStatus } from '../../domain/dispute.ts';
import { SECOND_MS } from '../../domain/time.ts';
import { reportedMeaning } from '../reported-values.ts';
import type { disputeSchema } from './messages.ts';
import { reportedMoney } from './outcomes.ts';

const STATUSES: Readonly<Record<string, DisputeStatus>> = {
  warning_needs_response: 'needs_response',
  warning_under_review: 'under_review',
  warning_closed: 'closed',
  needs_response: 'needs_response',
  under_review: 'under_review',
  won: 'won',
  lost: 'lost',
  prevented: 'closed',
};

/** Stripe's other reasons are general. */
const REASONS: Readonly<Record<string, DisputeReason>> = {
  credit_not_processed: 'credit_not_processed',
  debit_not_authorized: 'authorization',
  duplicate: 'duplicate',
  fraudulent: 'fraudulent',
  incorrect_account_details: 'processing_error',
  product_not_received: 'product_not_received',
  product_unacceptable: 'product_unacceptable',
  subscription_canceled: 'subscription_canceled',
  unrecognized: 'unrecognized',
};

const FUNDS: Readonly<Record<string, NonNullable<DisputeReport['funds']>>> = {
  'charge.dispute.funds_withdrawn': 'withdrawn',
  'charge.dispute.funds_reinstated': 'reinstated',
};

/**
 * What an event says of a dispute. An inquiry has a status that begins with `warning_`. Money counts by its own events alone: it is
 * taken when a dispute is opened, which is no loss.
 * @param created when it happened, in seconds since 1970; of an event that does not say it, now
 */
export function disputeReportOf(
  dispute: z.infer<typeof disputeSchema>,
  providerEvent: string,
  created: number | undefined,
): DisputeReport {
  const { id: providerReference, amount, currency, reason, evidence_details: evidence } = dispute;
  const said = dispute.status ?? null;
  const status = reportedMeaning('stripe dispute status', said, (each) => STATUSES[each]);
  const money =
    amount == null || currency == null ? { amountMinor: null, currency: null } : reportedMoney({ amount, currency });
  return {
    providerReference,
    providerEvent,
    stage: stageOf(said),
    status: status.meaning,
    unknownStatus: status.unknown,
    reason: reason == null ? null : (REASONS[reason] ?? 'general'),
    networkReasonCode: dispute.payment_method_details?.card?.network_reason_code ?? dispute.network_reason_code ?? null,
    ...money,
    respondBy: evidence?.due_by == null ? null : new Date(evidence.due_by * SECOND_MS).toISOString(),
    isDefendable: null,
    funds: FUNDS[providerEvent] ?? null,
    occurredAt: new Date(created === undefined ? Date.now() : created * SECOND_MS).toISOString(),
  };
}

function stageOf(said: string | null): DisputeReport['stage'] {
  if (said === null) return null;
  return said.startsWith('warning_') ? 'inquiry' : 'chargeback';
}
