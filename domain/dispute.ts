import type { Transaction } from './payment.ts';

/** How far a dispute is. `inquiry`: the customer's bank asks about the payment. From `chargeback` on it takes the money back. */
export const DISPUTE_STAGES = ['inquiry', 'chargeback', 'pre_arbitration', 'arbitration'] as const;
export type DisputeStage = (typeof DISPUTE_STAGES)[number];

export const DISPUTE_STATUSES = ['needs_response', 'under_review', 'won', 'lost', 'closed'] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

/** What a merchant does about a dispute: it sends its evidence, or gives the money up. Neither can be taken back. */
const DISPUTE_OPERATIONS = ['submit', 'accept'] as const;
export type DisputeOperation = (typeof DISPUTE_OPERATIONS)[number];

/** The status while the provider has not answered the operation. */
export const STATUS_OF_OPERATION = { submit: 'submitting', accept: 'accepting' } as const satisfies Readonly<
  Record<DisputeOperation, string>
>;

/** The statuses of a dispute as it is stored: those that providers report, and those of operations under way. */
export const STORED_DISPUTE_STATUSES = [...DISPUTE_STATUSES, ...Object.values(STATUS_OF_OPERATION)] as const;
export type StoredDisputeStatus = (typeof STORED_DISPUTE_STATUSES)[number];

/** Why the customer disputes the payment. */
export const DISPUTE_REASONS = [
  'fraudulent',
  'unrecognized',
  'duplicate',
  'product_not_received',
  'product_unacceptable',
  'credit_not_processed',
  'subscription_canceled',
  'amount_differs',
  'authorization',
  'processing_error',
  'general',
] as const;
export type DisputeReason = (typeof DISPUTE_REASONS)[number];

/** What a provider says of a dispute at one moment. A member is null where this report does not say it. */
export interface DisputeReport {
  /** The provider's id of the dispute, the same in each of its reports. */
  readonly providerReference: string;
  /** The provider's name of what has happened, such as `SECOND_CHARGEBACK`. */
  readonly providerEvent: string;
  readonly stage: DisputeStage | null;
  readonly status: DisputeStatus | null;
  /** The provider's own status, where the adapter does not know it. */
  readonly unknownStatus: string | null;
  readonly reason: DisputeReason | null;
  /** The card network's own code of the reason. */
  readonly networkReasonCode: string | null;
  /** As the provider reports it, in minor units. */
  readonly amountMinor: number | null;
  readonly currency: string | null;
  /** Until when the merchant can answer, ISO 8601 UTC. */
  readonly respondBy: string | null;
  readonly isDefendable: boolean | null;
  /** Whether the provider has taken the amount from the merchant, or given it back, with what this report tells. */
  readonly funds: 'withdrawn' | 'reinstated' | null;
  /** When it happened at the provider, ISO 8601 UTC. */
  readonly occurredAt: string;
}

/** A report with the provider's id of its event, by which repeats are recognised. */
export type StoredReport = DisputeReport & { readonly eventId: string };

/** Money that a dispute has moved. */
export interface DisputeMovement {
  readonly type: Extract<Transaction['type'], 'chargeback' | 'chargeback_reversal'>;
  /** What makes the movement the same in each report of it. */
  readonly key: string;
  readonly amountMinor: number;
  readonly currency: string;
}

/** What the reports of a dispute say together. */
export interface DisputeFacts {
  readonly stage: DisputeStage;
  readonly status: DisputeStatus;
  readonly reason: DisputeReason;
  readonly networkReasonCode: string | null;
  readonly amountMinor: number | null;
  readonly currency: string | null;
  readonly respondBy: string | null;
  readonly isDefendable: boolean | null;
  readonly movements: readonly DisputeMovement[];
  /** What has been taken and not given back, in minor units; never negative. */
  readonly withdrawnMinor: number;
  /** When it ended, ISO 8601 UTC; null while it is open. A dispute that was won may be opened again. */
  readonly outcomeAt: string | null;
}

/** More reports than a provider sends of one dispute; further ones are not kept. */
export const MAXIMUM_REPORTS = 100;

/** The reports with one more; the same list where it is known, or there are too many. */
export function withReport(reports: readonly StoredReport[], report: StoredReport): readonly StoredReport[] {
  const isKnown = reports.some(({ eventId }) => eventId === report.eventId);
  return isKnown || reports.length >= MAXIMUM_REPORTS ? reports : [...reports, report];
}

/** The reports with those of an answer that change what they say together; the same list where none does. */
export function withNews(reports: readonly StoredReport[], answered: readonly StoredReport[]): readonly StoredReport[] {
  return answered.reduce((known, report) => {
    const more = withReport(known, report);
    return more === known || (known.length > 0 && saysTheSame(factsOf(known), factsOf(more))) ? known : more;
  }, reports);
}

/** The time of an end that is known already is that of the first report of it. */
function saysTheSame({ outcomeAt: _, ...known }: DisputeFacts, { outcomeAt: __, ...more }: DisputeFacts): boolean {
  return JSON.stringify(known) === JSON.stringify(more);
}

/**
 * What reports say together, whatever order they arrived in: of each member the provider's last word counts, by its own clock. A stage
 * only rises. Money counts apart from the status, each movement once.
 * @param reports one or more
 */
export function factsOf(reports: readonly StoredReport[]): DisputeFacts {
  const ordered = reports.toSorted(byTime);
  const stage = highest(ordered);
  const status = statusAt(stage, lastOf(ordered, 'status') ?? 'needs_response');
  const movements = movementsIn(reports);
  return {
    stage,
    status,
    reason: lastOf(ordered, 'reason') ?? 'general',
    networkReasonCode: lastOf(ordered, 'networkReasonCode'),
    amountMinor: lastOf(ordered, 'amountMinor'),
    currency: lastOf(ordered, 'currency'),
    respondBy: lastOf(ordered, 'respondBy'),
    isDefendable: lastOf(ordered, 'isDefendable'),
    movements,
    withdrawnMinor: withdrawnBy(movements),
    outcomeAt: hasEnded(status) ? timeOfStatus(ordered) : null,
  };
}

/** When the last status was first reported: a provider that is asked says it again, as of that moment. */
function timeOfStatus(ordered: readonly StoredReport[]): string | null {
  const decisive = ordered.filter(({ status }) => status !== null);
  const last = decisive.at(-1)?.status;
  return decisive[decisive.findLastIndex(({ status }) => status !== last) + 1]?.occurredAt ?? null;
}

/** Whether the provider has said how the dispute ended. */
export function hasEnded(status: StoredDisputeStatus): boolean {
  return status === 'won' || status === 'lost' || status === 'closed';
}

/** Of a second, the report that is further comes later; ids only make the order the same for everybody. */
function byTime(left: StoredReport, right: StoredReport): number {
  return (
    Date.parse(left.occurredAt) - Date.parse(right.occurredAt) ||
    placeOf(left) - placeOf(right) ||
    (left.eventId < right.eventId ? -1 : 1)
  );
}

function placeOf({ status }: StoredReport): number {
  return status === null ? -1 : DISPUTE_STATUSES.indexOf(status);
}

function highest(reports: readonly StoredReport[]): DisputeStage {
  return DISPUTE_STAGES.findLast((stage) => reports.some((report) => report.stage === stage)) ?? 'chargeback';
}

/** An inquiry moves no money, so nothing is lost with its end. */
function statusAt(stage: DisputeStage, status: DisputeStatus): DisputeStatus {
  return stage === 'inquiry' && status === 'lost' ? 'closed' : status;
}

function lastOf<Name extends keyof StoredReport>(
  ordered: readonly StoredReport[],
  name: Name,
): StoredReport[Name] | null {
  return ordered.findLast((report) => report[name] !== null)?.[name] ?? null;
}

const TYPES = { withdrawn: 'chargeback', reinstated: 'chargeback_reversal' } as const;

/** One movement for each kind of the provider's event: some send an event twice under different ids. */
function movementsIn(reports: readonly StoredReport[]): readonly DisputeMovement[] {
  const byKey = new Map<string, DisputeMovement>();
  for (const { funds, providerEvent: key, amountMinor, currency } of reports) {
    if (funds === null || amountMinor === null || currency === null || byKey.has(key)) continue;
    byKey.set(key, { type: TYPES[funds], key, amountMinor, currency });
  }
  return [...byKey.values()];
}

function withdrawnBy(movements: readonly DisputeMovement[]): number {
  const sum = movements.reduce(
    (minor, { type, amountMinor }) => minor + (type === 'chargeback' ? amountMinor : -amountMinor),
    0,
  );
  return Math.max(0, sum);
}

/**
 * How much of a capture cannot be refunded because of a dispute, in minor units: what has been taken; and while a chargeback is open or
 * lost, all that is disputed, because some providers do not report when they take it. An inquiry that is open takes nothing.
 */
export function blockedMinorOf(
  { stage, status, amountMinor, currency, withdrawnMinor }: DisputeFacts,
  captured: { readonly amountMinor: number; readonly currency: string },
): number {
  const isAtRisk = stage !== 'inquiry' && status !== 'won' && status !== 'closed';
  if (!isAtRisk && withdrawnMinor === 0) return 0;
  // What is disputed in another currency, or without an amount, cannot be compared.
  if (amountMinor === null || currency !== captured.currency) return captured.amountMinor;
  return Math.min(captured.amountMinor, Math.max(withdrawnMinor, isAtRisk ? amountMinor : 0));
}
