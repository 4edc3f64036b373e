import type { z } from 'zod';
import type { DisputeReport, DisputeStage, DisputeStatus } from '../../domain/dispute.ts';
import { noteUnknownValue } from '../reported-values.ts';
import type { disputeEventSchema } from './messages.ts';
import { CASHFREE_CURRENCY, minorOf } from './money.ts';

type CashfreeDispute = z.infer<typeof disputeEventSchema>['dispute'];

const STAGES: Readonly<Record<string, DisputeStage>> = {
  RETRIEVAL: 'inquiry',
  PRE_ARBITRATION: 'pre_arbitration',
  ARBITRATION: 'arbitration',
};

/** A status is the kind of the dispute and one of these: `CHARGEBACK_MERCHANT_WON`. */
const STATUSES: readonly (readonly [string, DisputeStatus])[] = [
  ['_CREATED', 'needs_response'],
  ['_DOCS_RECEIVED', 'under_review'],
  ['_UNDER_REVIEW', 'under_review'],
  ['_MERCHANT_WON', 'won'],
  ['_MERCHANT_LOST', 'lost'],
  ['_MERCHANT_ACCEPTED', 'lost'],
  ['_INSUFFICIENT_EVIDENCE', 'needs_response'],
];

/** What an event says of a dispute. Cashfree does not say when it takes the money. */
export function disputeReportOf(dispute: CashfreeDispute, providerEvent: string): DisputeReport {
  const {
    dispute_amount: amount,
    dispute_amount_currency: currency,
    dispute_type: type,
    dispute_status: said,
  } = dispute;
  const status = STATUSES.find(([end]) => said?.endsWith(end) === true)?.[1] ?? null;
  const unknownStatus = said != null && status === null ? said : null;
  if (unknownStatus !== null) noteUnknownValue('cashfree dispute_status', unknownStatus);
  return {
    providerReference: dispute.dispute_id,
    providerEvent,
    stage: type == null ? null : (STAGES[type] ?? 'chargeback'),
    status,
    unknownStatus,
    reason: null,
    networkReasonCode: dispute.reason_code ?? null,
    amountMinor: amount == null ? null : minorOf(amount, currency ?? CASHFREE_CURRENCY),
    currency: amount == null ? null : (currency ?? CASHFREE_CURRENCY),
    respondBy: timeOf(dispute.respond_by),
    isDefendable: null,
    funds: null,
    occurredAt: timeOf(dispute.resolved_at) ?? timeOf(dispute.updated_at) ?? new Date().toISOString(),
  };
}

function timeOf(text: string | null | undefined): string | null {
  const time = new Date(text ?? NaN);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}
