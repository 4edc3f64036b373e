import type { DisputeReport, DisputeStage, DisputeStatus } from '../../domain/dispute.ts';
import { DAY_MS } from '../../domain/time.ts';
import { reportedMeaning, reportedTime } from '../reported-values.ts';
import type { CashfreeDispute } from './messages.ts';
import { CASHFREE_CURRENCY, minorOf } from './money.ts';

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
  const status = reportedMeaning(
    'cashfree dispute_status',
    said,
    (each) => STATUSES.find(([end]) => each.endsWith(end))?.[1],
  );
  return {
    providerReference: dispute.dispute_id,
    providerEvent,
    stage: type == null ? null : (STAGES[type] ?? 'chargeback'),
    status: status.meaning,
    unknownStatus: status.unknown,
    reason: null,
    networkReasonCode: dispute.reason_code ?? null,
    amountMinor: amount == null ? null : minorOf(amount, currency ?? CASHFREE_CURRENCY),
    currency: amount == null ? null : (currency ?? CASHFREE_CURRENCY),
    respondBy: timeIn(dispute.respond_by),
    isDefendable: null,
    funds: null,
    occurredAt: resolvedAt(dispute) ?? timeIn(dispute.updated_at) ?? new Date().toISOString(),
  };
}

/** Cashfree writes 9999-09-09 while a dispute is open. */
function resolvedAt({ resolved_at: text }: CashfreeDispute): string | null {
  const time = timeIn(text);
  return time !== null && Date.parse(time) <= Date.now() + DAY_MS ? time : null;
}

const WITHOUT_ZONE = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?$/;

/** Times without a zone are those of India. */
function timeIn(text: string | null | undefined): string | null {
  return reportedTime(text != null && WITHOUT_ZONE.test(text) ? `${text.replace(' ', 'T')}+05:30` : text);
}
