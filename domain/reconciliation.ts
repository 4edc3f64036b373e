import type { AttemptOutcome, CaptureMethod, Environment } from './payment.ts';
import {
  agreesWithRequest,
  type Approved,
  type DisputeEvent,
  type NotCharged,
  type OutageCode,
  type ProviderEvent,
  type RefundInquiryOutcome,
  type RefundProviderEvent,
  type UnknownRefundEvent,
} from './provider-outcome.ts';
import type { StrayChargeStatus } from './stray-charge.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './time.ts';

/** A refund in a provider's list. */
export interface ListedRefund {
  /** The id under which this engine sent it; null where it was made by somebody else. */
  readonly refundId: string | null;
  readonly providerRefundId: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly status: 'pending' | 'succeeded' | 'failed';
  /** The provider's id of the payment whose money it returns; absent for the listed one. An order may be paid twice. */
  readonly providerPaymentId?: string;
}

/** A payment in a provider's list, in our terms; amounts in minor units, times ISO 8601 UTC. */
export interface ListedPayment {
  /** The id under which this engine sent it; null where it was made by somebody else. */
  readonly attemptId: string | null;
  readonly providerPaymentId: string;
  /** `open`: its outcome is still to come. */
  readonly status: 'open' | 'declined' | 'failed' | 'held' | 'captured' | 'voided';
  readonly amountMinor: number;
  readonly currency: string;
  /** 0 where nothing was captured; refunds are not deducted. */
  readonly capturedMinor: number;
  readonly refunds: readonly ListedRefund[];
  readonly createdAt: string;
  /** The time of the last change, refunds included, as far as the provider tells it. */
  readonly updatedAt: string;
}

/** A refund as our rows have it. */
export interface RecordedRefund {
  readonly refundId: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly status: 'pending' | 'succeeded' | 'failed';
  /** Null while the provider has not named it. */
  readonly providerRefundId: string | null;
  /** ISO 8601. */
  readonly changedAt: string;
}

/** An attempt as our rows have it; amounts in minor units. */
export interface RecordedAttempt {
  readonly attemptId: string;
  readonly paymentIntentId: string;
  readonly merchantAccountId: string;
  readonly environment: Environment;
  readonly provider: string;
  readonly providerPaymentId: string | null;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly captureMethod: CaptureMethod;
  /** Null while it is open. */
  readonly outcome: AttemptOutcome | null;
  /** The amounts that were held, released and captured, by its transactions. */
  readonly heldMinor: number;
  readonly voidedMinor: number;
  /** Without what did not arrive after all. */
  readonly capturedMinor: number;
  /** What was captured and did not arrive after all. */
  readonly reversedMinor: number;
  readonly strayCharge: StrayChargeStatus | null;
  readonly refunds: readonly RecordedRefund[];
  /** The last change of the payment; ISO 8601. */
  readonly changedAt: string;
}

/** The kinds of differences, and whether each is repaired or only reported. */
export const DIFFERENCE_ACTIONS = {
  outcome_not_recorded: 'repaired',
  stray_charge: 'repaired',
  capture_not_recorded: 'repaired',
  hold_ended: 'repaired',
  refund_outcome_not_recorded: 'repaired',
  amount_differs: 'reported',
  currency_differs: 'reported',
  status_differs: 'reported',
  refund_differs: 'reported',
  unknown_payment: 'reported',
  unknown_refund: 'reported',
  missing_payment: 'reported',
  missing_refund: 'reported',
} as const satisfies Readonly<Record<string, 'repaired' | 'reported'>>;
export type DifferenceKind = keyof typeof DIFFERENCE_ACTIONS;
export type DifferenceAction = (typeof DIFFERENCE_ACTIONS)[DifferenceKind];

export const RECONCILIATION_STATUSES = ['running', 'completed', 'failed'] as const;
export type ReconciliationStatus = (typeof RECONCILIATION_STATUSES)[number];

/** Why a run failed, in a sentence that tells merchants nothing of the engine's network or of credentials. */
export const RECONCILIATION_FAILURES = {
  TSP_UNAVAILABLE:
    'The provider could not be reached for an hour, or refused to answer. Test the credentials of an account of your own. The next run covers these payments too.',
  TSP_TIMEOUT: 'For an hour the provider did not answer in time. The next run covers these payments too.',
  TSP_ERROR:
    'For an hour the provider answered with errors, or with what the engine cannot read. The next run covers these payments too.',
  CANNOT_LIST:
    'The provider was disabled or removed during the run, or can no longer be asked for payments. Compare with its own reports.',
  INTERRUPTED: 'The run was ended before it had compared everything. The next run covers these payments too.',
  INTERNAL_ERROR:
    'The engine could not compare these payments. The next run covers them too; if it fails as well, tell support the id of the run.',
} as const satisfies Readonly<Partial<Record<OutageCode, string>> & Record<string, string>>;
export type ReconciliationFailureCode = keyof typeof RECONCILIATION_FAILURES;

/** @param code the type of what made a run fail; undefined where it has none */
export function reconciliationFailureCodeOf(code: string | undefined): ReconciliationFailureCode {
  return code !== undefined && Object.hasOwn(RECONCILIATION_FAILURES, code)
    ? (code as ReconciliationFailureCode)
    : 'INTERNAL_ERROR';
}

/** How many differences of one run are stored; further ones are only counted. */
export const MAXIMUM_STORED_DIFFERENCES = 1_000;

/** The data of a payment or refund on one side. */
export interface DifferenceSide {
  readonly status: string;
  /** In minor units. */
  readonly amount: number;
  /** Null for a refund. */
  readonly capturedAmount: number | null;
  readonly currency: string;
}

/** One difference between a provider's list and our rows. */
export interface Difference {
  readonly kind: DifferenceKind;
  /** The account whose payment it is; null if it is not ours. */
  readonly attempt: RecordedAttempt | null;
  /** The id as the provider lists it, if the payment is not ours; null if it has none. */
  readonly attemptId: string | null;
  readonly refundId: string | null;
  readonly providerPaymentId: string | null;
  /** Null where there is nothing on that side. */
  readonly ours: DifferenceSide | null;
  readonly theirs: DifferenceSide | null;
  /** What the provider's webhook would have reported; null where nothing is repaired. */
  readonly report: Report | null;
}

type Report =
  | Pick<UnknownRefundEvent, 'unknownRefund'>
  | { readonly attemptId: string; readonly outcome: Approved | NotCharged }
  | { readonly refundId: string; readonly refundOutcome: RefundInquiryOutcome };

type OurState = 'open' | 'uncharged' | 'held' | 'captured' | 'voided' | 'reversed';
type TheirState = 'open' | 'none' | 'held' | 'captured';

/** The kind of difference between a state in our rows and one at the provider; null if they agree, or will agree without help. */
const RULES: Readonly<Record<OurState, Readonly<Record<TheirState, DifferenceKind | null>>>> = {
  open: { open: null, none: null, held: 'outcome_not_recorded', captured: 'outcome_not_recorded' },
  uncharged: { open: null, none: null, held: 'stray_charge', captured: 'stray_charge' },
  held: { open: 'status_differs', none: 'hold_ended', held: null, captured: 'capture_not_recorded' },
  captured: { open: 'status_differs', none: 'status_differs', held: 'status_differs', captured: null },
  voided: { open: 'status_differs', none: null, held: 'status_differs', captured: 'stray_charge' },
  reversed: { open: null, none: null, held: 'status_differs', captured: 'status_differs' },
};

const THEIR_STATES: Readonly<Record<ListedPayment['status'], TheirState>> = {
  open: 'open',
  declined: 'none',
  failed: 'none',
  voided: 'none',
  held: 'held',
  captured: 'captured',
};

/**
 * Whether a run compares a listed payment: it changed within the window, and our rows did not change after it. A later change is
 * in flight, so that one side may not know it yet; it is left to the next run.
 */
export function isComparable(
  listed: ListedPayment,
  recorded: RecordedAttempt | undefined,
  { from, to }: TimeWindow,
): boolean {
  if (isAfter(listed.updatedAt, to) || Date.parse(listed.updatedAt) < from.getTime()) return false;
  return recorded === undefined || !isAfter(recorded.changedAt, to);
}

/**
 * Compares a listed payment and its refunds with our rows.
 * @param recorded undefined where the provider's payment belongs to no attempt at this provider
 */
export function comparePayment(
  listed: ListedPayment,
  recorded: RecordedAttempt | undefined,
  windowTo: Date,
): readonly Difference[] {
  if (recorded === undefined) return chargedMinor(listed) === 0 ? [] : [unknownPayment(listed)];
  const kind = paymentKindOf(listed, recorded);
  return [
    ...(kind === null ? [] : [paymentDifference(kind, listed, recorded)]),
    ...listed.refunds.flatMap((refund) => compareRefund(refund, listed, recorded, windowTo)),
    ...missingRefunds(listed, recorded, windowTo),
  ];
}

/** A charge in our rows that the provider does not list. */
export function missingPayment(recorded: RecordedAttempt): Difference {
  const { attemptId, providerPaymentId } = recorded;
  return {
    kind: 'missing_payment',
    attempt: recorded,
    attemptId,
    refundId: null,
    providerPaymentId,
    ours: describeAttempt(recorded),
    theirs: null,
    report: null,
  };
}

/** The report that repairs a difference, as an event that reaches its workflow like a webhook's; null where there is none. */
export function repairEventOf({ report }: Difference, provider: string, runId: string): RepairEvent | null {
  if (report === null) return null;
  const subject = subjectOf(report);
  return { provider, eventId: `${REPAIR_EVENT_PREFIX}${runId}:${subject}`, ...report };
}

/** An event that a run stores, and which reaches its payment or refund like a webhook's. */
export type RepairEvent = ProviderEvent | RefundProviderEvent | UnknownRefundEvent | DisputeEvent;

/** The beginning of the ids of the events that runs store. */
export const REPAIR_EVENT_PREFIX = 'reconciliation:';

function subjectOf(report: Report): string {
  if ('unknownRefund' in report) return `unknown refund ${report.unknownRefund.providerRefundId}`;
  return 'attemptId' in report ? report.attemptId : report.refundId;
}

function paymentKindOf(listed: ListedPayment, recorded: RecordedAttempt): DifferenceKind | null {
  const theirs = THEIR_STATES[listed.status];
  const ours = ourStateOf(recorded);
  if (theirs === 'held' || theirs === 'captured') {
    if (listed.currency !== recorded.currency) return 'currency_differs';
    if (listed.amountMinor !== recorded.amountMinor) return 'amount_differs';
    if (listed.capturedMinor > recorded.amountMinor) return 'amount_differs';
    // A capture of nothing: a person has to ask the provider.
    if (theirs === 'captured' && listed.capturedMinor === 0) return 'amount_differs';
  }
  const kind = RULES[ours][theirs];
  if (kind === 'stray_charge') return strayKindOf(listed, recorded);
  if (kind === 'outcome_not_recorded' && !agreesWithRequest(approvedOf(listed), recorded)) return 'amount_differs';
  if (kind !== null || ours !== 'captured') return kind;
  return listed.capturedMinor === recorded.capturedMinor ? null : 'amount_differs';
}

function ourStateOf(recorded: RecordedAttempt): OurState {
  const { outcome, heldMinor, voidedMinor, capturedMinor, reversedMinor } = recorded;
  if (capturedMinor > 0) return 'captured';
  if (reversedMinor > 0) return 'reversed';
  if (voidedMinor > 0) return 'voided';
  if (heldMinor > 0) return 'held';
  return outcome === null ? 'open' : 'uncharged';
}

/** A recorded stray charge is not reported again; a reversed one must be reversed at the provider too. */
function strayKindOf(listed: ListedPayment, { strayCharge }: RecordedAttempt): DifferenceKind | null {
  if (strayCharge === 'pending') return null;
  if (strayCharge === 'failed') return 'status_differs';
  if (strayCharge !== 'reversed') return 'stray_charge';
  const isRefunded = listed.refunds.some(({ status }) => status !== 'failed');
  return isRefunded ? null : 'status_differs';
}

function paymentDifference(kind: DifferenceKind, listed: ListedPayment, recorded: RecordedAttempt): Difference {
  const { attemptId } = recorded;
  return {
    kind,
    attempt: recorded,
    attemptId,
    refundId: null,
    providerPaymentId: listed.providerPaymentId,
    ours: describeAttempt(recorded),
    theirs: describePayment(listed),
    report: DIFFERENCE_ACTIONS[kind] === 'repaired' ? { attemptId, outcome: outcomeOf(listed) } : null,
  };
}

function unknownPayment(listed: ListedPayment): Difference {
  const { attemptId, providerPaymentId } = listed;
  return {
    kind: 'unknown_payment',
    attempt: null,
    attemptId,
    refundId: null,
    providerPaymentId,
    ours: null,
    theirs: describePayment(listed),
    report: null,
  };
}

/** Compares a refund at a provider with our rows. */
export function compareRefund(
  refund: ListedRefund,
  { providerPaymentId }: Pick<ListedPayment, 'providerPaymentId'>,
  attempt: RecordedAttempt,
  windowTo: Date,
): readonly Difference[] {
  const recorded = attempt.refunds.find((each) => isSameRefund(each, refund));
  if (recorded !== undefined && isAfter(recorded.changedAt, windowTo)) return [];
  const kind = recorded === undefined ? unknownRefundKindOf(attempt) : refundKindOf(refund, recorded);
  if (kind === null) return [];
  const refundId = recorded?.refundId ?? refund.refundId;
  return [
    {
      kind,
      attempt,
      attemptId: attempt.attemptId,
      refundId,
      providerPaymentId,
      ours: recorded === undefined ? null : describeRefund(recorded),
      theirs: describeRefund(refund),
      report: refundReportOf(kind, refund, { attemptId: attempt.attemptId, refundId }),
    },
  ];
}

/** One that was made without a request has no id of ours at the provider, which names it by its own. */
function isSameRefund(recorded: RecordedRefund, { refundId, providerRefundId }: ListedRefund): boolean {
  return refundId === null ? recorded.providerRefundId === providerRefundId : recorded.refundId === refundId;
}

function refundReportOf(
  kind: DifferenceKind,
  refund: ListedRefund,
  { attemptId, refundId }: { readonly attemptId: string; readonly refundId: string | null },
): Report | null {
  if (kind === 'refund_outcome_not_recorded' && refundId !== null) {
    return { refundId, refundOutcome: refundOutcomeOf(refund) };
  }
  const { providerRefundId, amountMinor, currency, providerPaymentId } = refund;
  if (kind !== 'unknown_refund' || refund.status === 'failed') return null;
  const of = providerPaymentId === undefined ? {} : { providerPaymentId };
  return { unknownRefund: { attemptId, providerRefundId, status: 'succeeded', amountMinor, currency, ...of } };
}

/** The refund of a stray charge has no row of its own. */
function unknownRefundKindOf({ strayCharge }: RecordedAttempt): DifferenceKind | null {
  return strayCharge === null || strayCharge === 'unfounded' ? 'unknown_refund' : null;
}

function refundKindOf(theirs: ListedRefund, ours: RecordedRefund): DifferenceKind | null {
  const isSameMoney = theirs.amountMinor === ours.amountMinor && theirs.currency === ours.currency;
  if (theirs.status === 'failed' && ours.status === 'failed') return null;
  if (!isSameMoney) return 'refund_differs';
  if (theirs.status === ours.status) return null;
  const isLearnable = ours.status === 'pending' || (ours.status === 'succeeded' && theirs.status === 'failed');
  return isLearnable ? 'refund_outcome_not_recorded' : 'refund_differs';
}

/** Refunds that succeeded in our rows, and that the provider does not list with the payment. */
function missingRefunds(
  { providerPaymentId, refunds }: ListedPayment,
  attempt: RecordedAttempt,
  windowTo: Date,
): readonly Difference[] {
  return attempt.refunds
    .filter((recorded) => recorded.status === 'succeeded' && !refunds.some((listed) => isSameRefund(recorded, listed)))
    .filter(({ changedAt }) => !isAfter(changedAt, windowTo))
    .map((refund) => ({
      kind: 'missing_refund',
      attempt,
      attemptId: attempt.attemptId,
      refundId: refund.refundId,
      providerPaymentId,
      ours: describeRefund(refund),
      theirs: null,
      report: null,
    }));
}

/** The amount that the provider holds or has captured; 0 if it has charged nothing. */
function chargedMinor({ status, amountMinor, capturedMinor }: ListedPayment): number {
  if (status === 'captured') return capturedMinor;
  return status === 'held' ? amountMinor : 0;
}

function outcomeOf(listed: ListedPayment): Approved | NotCharged {
  const { status, providerPaymentId, amountMinor, currency } = listed;
  if (status === 'held' || status === 'captured') return approvedOf(listed);
  return status === 'voided'
    ? { kind: 'not_charged', voided: { providerPaymentId, amountMinor, currency } }
    : { kind: 'not_charged' };
}

function approvedOf(listed: ListedPayment): Approved {
  const { status, providerPaymentId, amountMinor, currency, capturedMinor } = listed;
  const captured = status === 'captured';
  return {
    kind: 'approved',
    providerPaymentId,
    amountMinor,
    currency,
    captured,
    ...(captured && capturedMinor !== amountMinor ? { capturedMinor } : {}),
  };
}

function refundOutcomeOf({ status, providerRefundId, amountMinor, currency }: ListedRefund): RefundInquiryOutcome {
  if (status === 'failed') return { kind: 'refused', providerRefundId };
  return { kind: status === 'succeeded' ? 'refunded' : 'pending', providerRefundId, amountMinor, currency };
}

function describePayment({ status, amountMinor, currency, capturedMinor }: ListedPayment): DifferenceSide {
  return { status, amount: amountMinor, capturedAmount: capturedMinor, currency };
}

function describeAttempt(recorded: RecordedAttempt): DifferenceSide {
  const { amountMinor, currency, capturedMinor } = recorded;
  return { status: ourStateOf(recorded), amount: amountMinor, capturedAmount: capturedMinor, currency };
}

function describeRefund({
  status,
  amountMinor,
  currency,
}: Pick<ListedRefund, 'status' | 'amountMinor' | 'currency'>): DifferenceSide {
  return { status, amount: amountMinor, capturedAmount: null, currency };
}

function isAfter(time: string, limit: Date): boolean {
  return Date.parse(time) > limit.getTime();
}

/** The window of time whose payments are compared. */
export interface TimeWindow {
  readonly from: Date;
  readonly to: Date;
}

/** Changes within this time are in flight, and left to the next run. */
const IN_FLIGHT_MS = 5 * MINUTE_MS;
/** The next run's window begins this much earlier, so that it finds what was in flight or listed late. */
const OVERLAP_MS = HOUR_MS;
const FIRST_WINDOW_MS = DAY_MS;
const LONGEST_WINDOW_MS = 7 * DAY_MS;

/**
 * The window of a run that continues those before it.
 * @param reconciledTo the end of the latest of them; null if there is none
 */
export function nextWindow(reconciledTo: Date | null, now: Date): TimeWindow {
  const to = new Date(now.getTime() - IN_FLIGHT_MS);
  const fromMs = reconciledTo === null ? to.getTime() - FIRST_WINDOW_MS : reconciledTo.getTime() - OVERLAP_MS;
  const earliestMs = to.getTime() - LONGEST_WINDOW_MS;
  return { from: new Date(Math.min(Math.max(fromMs, earliestMs), to.getTime() - OVERLAP_MS)), to };
}

/** The window that the provider is asked to list: larger, because clocks differ and our calls take time. */
export function listedWindow({ from, to }: TimeWindow): TimeWindow {
  return { from: new Date(from.getTime() - IN_FLIGHT_MS), to: new Date(to.getTime() + IN_FLIGHT_MS) };
}

/** The type of the failure of a reconciliation whose provider is not there, or cannot be asked for payments. */
export const CANNOT_BE_RECONCILED = 'CANNOT_LIST';

/** The progress of a run. */
export interface ReconciliationProgress {
  readonly runId: string;
  readonly provider: string;
  readonly status: ReconciliationStatus;
  /** ISO 8601 UTC: the payments that are compared were created or changed in between. */
  readonly from: string;
  readonly to: string;
  /** Pages of the provider's list. */
  readonly pages: number;
  /** Payments. */
  readonly compared: number;
  /** Differences that were repaired, and those that were only reported. */
  readonly repaired: number;
  readonly reported: number;
  /** Why it failed; null otherwise. */
  readonly error: string | null;
}
