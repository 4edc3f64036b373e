import {
  blockedMinorOf,
  type DisputeFacts,
  type DisputeMovement,
  factsOf,
  hasEnded,
  type StoredReport,
  withReport,
} from './dispute.ts';
import { transactionIdOfDispute } from './ids.ts';
import { formatMoney } from './money.ts';
import type { Attempt, Transaction } from './payment.ts';
import type { NewEvent, PaymentStep } from './payment-step.ts';

/** A report of a dispute, and what is known of it. */
export interface ReportedDispute {
  readonly id: string;
  readonly attempt: Pick<Attempt, 'id' | 'provider' | 'amountMinor' | 'currency'>;
  /** The earlier reports, in the order of their arrival; empty of a dispute that is new. */
  readonly earlier: readonly StoredReport[];
  readonly report: StoredReport;
  /** 32 hexadecimal digits that stand for a text, always the same. */
  readonly digest: (text: string) => string;
}

/**
 * The step that records one more report of a dispute: the dispute, the money that it has moved, timeline and events. The reports
 * lead to the same dispute and the same transactions in whatever order they arrive, and however often. Pure.
 * @returns null where the report is known already
 */
export function stepOfReport(reported: ReportedDispute): PaymentStep | null {
  const { id, attempt, earlier, report } = reported;
  const reports = withReport(earlier, report);
  if (reports === earlier) return null;
  const before = earlier.length === 0 ? null : factsOf(earlier);
  const facts = factsOf(reports);
  const moved = facts.movements.filter(({ key }) => before?.movements.some((known) => known.key === key) !== true);
  const transactions = moved.map((movement) => transactionOf(reported, movement));
  const { provider } = attempt;
  const { providerReference, providerEvent } = report;
  return {
    isDisputed: true,
    dispute: {
      id,
      attemptId: attempt.id,
      provider,
      providerReference,
      facts,
      reports,
      blockedMinor: blockedMinorOf(facts, attempt),
    },
    transactions,
    timeline: [
      {
        kind: 'provider_event',
        summary: `${provider}: ${[describeDispute(facts), ...moved.map(describeMovement)].join('; ')}`,
        details: { disputeId: id, attemptId: attempt.id, stage: facts.stage, status: facts.status, providerEvent },
      },
    ],
    events: eventsOf(id, { before, facts, moved, transactions }),
  };
}

function transactionOf(
  { id, attempt, report, digest }: ReportedDispute,
  { type, key, amountMinor, currency }: DisputeMovement,
): Transaction {
  const { id: attemptId, provider } = attempt;
  const transactionId = transactionIdOfDispute(digest(`${id} ${key}`));
  return {
    id: transactionId,
    attemptId,
    type,
    amountMinor,
    currency,
    provider,
    providerPaymentId: report.providerReference,
  };
}

interface Changes {
  readonly before: DisputeFacts | null;
  readonly facts: DisputeFacts;
  readonly moved: readonly DisputeMovement[];
  readonly transactions: readonly Transaction[];
}

function eventsOf(disputeId: string, { before, facts, moved, transactions }: Changes): readonly NewEvent[] {
  const isClosed = hasEnded(facts.status) && before?.status !== facts.status;
  const types = [
    ...(before === null ? (['dispute.created'] as const) : []),
    ...(before !== null && !isClosed && moved.length === 0 ? (['dispute.updated'] as const) : []),
    ...moved.map(({ type }) =>
      type === 'chargeback' ? ('dispute.funds_withdrawn' as const) : ('dispute.funds_reinstated' as const),
    ),
    ...(isClosed ? (['dispute.closed'] as const) : []),
  ];
  return [
    ...types.map((type) => ({ type, disputeId })),
    ...transactions.map(({ id: transactionId }) => ({ type: 'transaction.created' as const, transactionId })),
  ];
}

const STAGES: Readonly<Record<DisputeFacts['stage'], string>> = {
  inquiry: 'inquiry',
  chargeback: 'chargeback',
  pre_arbitration: 'pre-arbitration',
  arbitration: 'arbitration',
};
const STATUSES: Readonly<Record<DisputeFacts['status'], string>> = {
  needs_response: 'needs an answer',
  under_review: 'under review',
  won: 'won',
  lost: 'lost',
  closed: 'closed',
};

function describeDispute({ stage, status, amountMinor, currency, respondBy }: DisputeFacts): string {
  const amount = amountMinor === null || currency === null ? '' : ` of ${formatMoney(amountMinor, currency)}`;
  const until = status === 'needs_response' && respondBy !== null ? ` by ${respondBy}` : '';
  return `${STAGES[stage]}${amount}, ${STATUSES[status]}${until}`;
}

function describeMovement({ type, amountMinor, currency }: DisputeMovement): string {
  return `${formatMoney(amountMinor, currency)} was ${type === 'chargeback' ? 'taken' : 'given back'}`;
}
