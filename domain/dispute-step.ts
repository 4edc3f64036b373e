import {
  blockedMinorOf,
  type DisputeFacts,
  type DisputeMovement,
  factsOf,
  hasEnded,
  type StoredReport,
  withNews,
  withReport,
} from './dispute.ts';
import { transactionIdOfDispute } from './ids.ts';
import { formatMoney } from './money.ts';
import type { Attempt, Transaction } from './payment.ts';
import type { DisputeChange, NewEvent, PaymentStep } from './payment-step.ts';

/** A dispute whose step is made. */
export interface KnownDispute {
  readonly id: string;
  readonly attempt: Pick<Attempt, 'id' | 'provider' | 'amountMinor' | 'currency'>;
  /** The earlier reports, in the order of their arrival; empty of a dispute that is new. */
  readonly earlier: readonly StoredReport[];
  /** 32 hexadecimal digits that stand for a text, always the same. */
  readonly digest: (text: string) => string;
}

/** A report of a dispute, and what is known of it. */
export interface ReportedDispute extends KnownDispute {
  readonly report: StoredReport;
}

/**
 * The step that records one more report of a dispute: the dispute, the money that it has moved, timeline and events. The reports
 * lead to the same dispute and the same transactions in whatever order they arrive, and however often. Pure.
 * @returns null where the report is known already
 */
export function stepOfReport({ report, ...known }: ReportedDispute): PaymentStep | null {
  const reports = withReport(known.earlier, report);
  return reports === known.earlier ? null : stepOf(known, reports);
}

/**
 * The step that records what a provider answered when it was asked: of its reports, those that say something new. Pure.
 * @returns null where nothing is new
 */
export function stepOfAnswer(known: KnownDispute, answered: readonly StoredReport[]): PaymentStep | null {
  const reports = withNews(known.earlier, answered);
  return reports === known.earlier ? null : stepOf(known, reports);
}

/** The step that ends the operation on a dispute, with what the provider reported at that. Pure. */
export function stepOfOperation(
  known: KnownDispute,
  answered: readonly StoredReport[],
  operationEnd: NonNullable<DisputeChange['operationEnd']>,
): PaymentStep {
  const { error } = operationEnd;
  const step = stepOf(known, withNews(known.earlier, answered), operationEnd);
  if (error === null) return step;
  const { id: attemptId, provider } = known.attempt;
  const summary = `${provider} did not take the answer to the dispute: ${error.message}`;
  return {
    ...step,
    timeline: [{ kind: 'provider_event', summary, details: { disputeId: known.id, attemptId, error: { ...error } } }],
  };
}

/** The step that tells a merchant that the time to answer ends soon. Pure. */
export function stepOfReminder(known: KnownDispute, hours: number): PaymentStep {
  const step = stepOf(known, known.earlier);
  const { respondBy } = factsOf(known.earlier);
  const summary = `The time to answer the dispute ends in less than ${hours} hours: ${respondBy ?? 'soon'}`;
  return {
    ...step,
    timeline: [{ kind: 'timer', summary, details: { disputeId: known.id, attemptId: known.attempt.id } }],
    events: [{ type: 'dispute.response_due', disputeId: known.id }],
  };
}

function stepOf(
  known: KnownDispute,
  reports: readonly StoredReport[],
  operationEnd?: DisputeChange['operationEnd'],
): PaymentStep {
  const { id, attempt, earlier } = known;
  const [first] = reports;
  if (first === undefined) throw new Error(`${id} has no report`);
  const before = earlier.length === 0 ? null : factsOf(earlier);
  const facts = factsOf(reports);
  const moved = facts.movements.filter(({ key }) => before?.movements.some((old) => old.key === key) !== true);
  const transactions = moved.map((movement) => transactionOf(known, first, movement));
  const { provider } = attempt;
  const { providerReference } = first;
  const providerEvent = reports.at(-1)?.providerEvent ?? first.providerEvent;
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
      ...(operationEnd === undefined ? {} : { operationEnd }),
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
  { id, attempt, digest }: KnownDispute,
  { providerReference }: StoredReport,
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
    providerPaymentId: providerReference,
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
