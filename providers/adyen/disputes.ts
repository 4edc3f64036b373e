import type { DisputeReason, DisputeReport, DisputeStage, DisputeStatus } from '../../domain/dispute.ts';
import type { EventByProviderPaymentId } from '../../domain/provider-outcome.ts';
import { reportedMeaning, reportedTime } from '../reported-values.ts';
import { fromAdyenAmount } from './money.ts';
import type { NotificationItem } from './notifications.ts';

const FRAUD_WARNING = 'NOTIFICATION_OF_FRAUD';

/** What an event says of its dispute; null where it does not say it. */
type Meaning = Pick<DisputeReport, 'stage' | 'status' | 'funds'>;

function meaning(
  stage: DisputeStage | null,
  status: DisputeStatus | null,
  funds: DisputeReport['funds'] = null,
): Meaning {
  return { stage, status, funds };
}

/**
 * The meaning of each event. The signature covers the code, so it alone decides about stage and money. `CHARGEBACK` takes the money and
 * says nothing of who wins; the same holds for a direct debit's, which comes without a notice before it. `CHARGEBACK_REVERSED` gives it
 * back and is not final: `SECOND_CHARGEBACK` takes it again.
 */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  REQUEST_FOR_INFORMATION: meaning('inquiry', 'needs_response'),
  NOTIFICATION_OF_CHARGEBACK: meaning('chargeback', 'needs_response'),
  CHARGEBACK: meaning('chargeback', null, 'withdrawn'),
  INFORMATION_SUPPLIED: meaning(null, 'under_review'),
  ISSUER_COMMENTS: meaning(null, null),
  ISSUER_RESPONSE_TIMEFRAME_EXPIRED: meaning(null, 'won'),
  DISPUTE_DEFENSE_PERIOD_ENDED: meaning(null, 'lost'),
  CHARGEBACK_REVERSED: meaning('chargeback', 'won', 'reinstated'),
  SECOND_CHARGEBACK: meaning('pre_arbitration', 'lost', 'withdrawn'),
  PREARBITRATION_OPEN: meaning('pre_arbitration', 'needs_response'),
  PREARBITRATION_ACCEPTED: meaning('pre_arbitration', 'lost'),
  PREARBITRATION_DECLINED: meaning('pre_arbitration', 'under_review'),
  PREARBITRATION_WON: meaning('pre_arbitration', 'won'),
  PREARBITRATION_ISSUER_WITHDRAWN: meaning('pre_arbitration', 'won'),
  PREARBITRATION_LOST: meaning('pre_arbitration', 'lost'),
  SCHEME_ARBITRATION: meaning('arbitration', 'under_review'),
  SCHEME_ARBITRATION_WON: meaning('arbitration', 'won'),
  SCHEME_ARBITRATION_LOST: meaning('arbitration', 'lost'),
};

/** Adyen's own statuses, for events whose code says nothing of it. The signature does not cover them, so they decide about no money. */
const STATUSES: Readonly<Record<string, DisputeStatus>> = {
  Undefended: 'needs_response',
  Unresponded: 'needs_response',
  Pending: 'under_review',
  Responded: 'under_review',
  Won: 'won',
  Lost: 'lost',
  Accepted: 'lost',
  Expired: 'lost',
};

/** Every event about a dispute, and the warning of one. All events of a dispute have one reference. */
export const DISPUTE_EVENTS: ReadonlySet<string> = new Set([FRAUD_WARNING, ...Object.keys(MEANINGS)]);

/** The report of a dispute or of a warning in an event; null for other events. */
export function disputeReportIn(
  item: NotificationItem,
): Extract<
  EventByProviderPaymentId['report'],
  { readonly dispute: unknown } | { readonly fraudWarning: unknown }
> | null {
  const { eventCode: providerEvent, pspReference: providerReference } = item;
  if (providerEvent === FRAUD_WARNING) return { fraudWarning: { providerEvent, providerReference } };
  const known = MEANINGS[providerEvent];
  return known === undefined ? null : { dispute: disputeReportOf(item, known) };
}

function disputeReportOf(item: NotificationItem, { stage, status, funds }: Meaning): DisputeReport {
  const { eventCode: providerEvent, pspReference: providerReference, amount, additionalData, eventDate, reason } = item;
  const said = reportedMeaning('adyen disputeStatus', additionalData.disputeStatus, (each) => STATUSES[each]);
  const networkReasonCode = additionalData.chargebackReasonCode ?? additionalData.rfiReasonCode ?? null;
  const money = fromAdyenAmount(amount) ?? { amountMinor: null, currency: null };
  const { defendable, defensePeriodEndsAt } = additionalData;
  return {
    providerReference,
    providerEvent,
    stage,
    status: status ?? said.meaning,
    unknownStatus: said.unknown,
    reason: reasonOf(networkReasonCode, reason ?? ''),
    networkReasonCode,
    ...money,
    respondBy: reportedTime(defensePeriodEndsAt),
    isDefendable: defendable === undefined ? null : defendable === 'true',
    funds,
    occurredAt: reportedTime(eventDate) ?? new Date().toISOString(),
  };
}

/** The reasons of Visa (`10.4`) and Mastercard (`4837`) by the beginnings of their codes, then by Adyen's words; the first that fits. */
const REASONS: readonly (readonly [RegExp, DisputeReason])[] = [
  [/^(10\.|4837$|4849$|4870$|4871$|4863$)/, 'fraudulent'],
  [/^(11\.|4808$)/, 'authorization'],
  [/^(12\.6|4834$)/, 'duplicate'],
  [/^12\.5$/, 'amount_differs'],
  [/^(12\.|4842$|4846$)/, 'processing_error'],
  [/^13\.1$/, 'product_not_received'],
  [/^13\.2$/, 'subscription_canceled'],
  [/^(13\.[345]|4853$)/, 'product_unacceptable'],
  [/^(13\.[67]|4860$)/, 'credit_not_processed'],
  [/fraud|no cardholder authori[sz]ation/i, 'fraudulent'],
  [/not (as described|received)|goods|services not/i, 'product_not_received'],
  [/duplicate/i, 'duplicate'],
  [/not recogni[sz]ed|unrecogni[sz]ed/i, 'unrecognized'],
];

function reasonOf(code: string | null, words: string): DisputeReason | null {
  const found = REASONS.find(([pattern]) => (code !== null && pattern.test(code)) || pattern.test(words));
  if (found !== undefined) return found[1];
  return code === null && words === '' ? null : 'general';
}
