import { newId } from './new-id.ts';
import { formatMoney } from './money.ts';
import type { Attempt, Transaction, TransactionType } from './payment.ts';
import type { PaymentRecord, PaymentStep } from './payment-step.ts';
import {
  capturedMinorOf,
  type CaptureFailureEvent,
  isCaptureFailure,
  isNamedCapture,
  isProviderEvent,
  isVoided,
} from './provider-outcome.ts';

type Failure = CaptureFailureEvent['captureFailure'];

/** What is known of an attempt before the reports about its captures are read. */
export interface OwnCapture {
  readonly attemptId: string;
  /** The amount that was captured before the payment ended, in minor units. */
  readonly capturedMinor: number;
  /** Under automatic capture, a void takes back what was captured; after a manual one it only releases the rest of the hold. */
  readonly isAutomatic: boolean;
}

/**
 * The amount of an attempt that is captured by all reports of its provider, in minor units; it may exceed what was authorized. A named
 * capture that is reported before any failure is the payment's own, or a part of it. One that is reported after a failure was made
 * again, unless it is the one that has failed and its report came late.
 * @param reports stored events of the provider, in the order of their arrival
 */
export function capturedByReports(reports: readonly unknown[], own: OwnCapture): number {
  const captured = new Set<string>();
  const failed = new Set<string>();
  let hasFailed = false;
  let reportedMinor = 0;
  for (const report of reports) {
    const failure = failureIn(report, own);
    if (failure !== null) {
      const beforeMinor = hasFailed ? reportedMinor : Math.max(reportedMinor, own.capturedMinor);
      reportedMinor = Math.max(0, beforeMinor - failure.amountMinor);
      hasFailed = true;
      if (failure.captureReference !== undefined) failed.add(failure.captureReference);
    } else if (isProviderEvent(report) && isNamedCapture(report) && report.attemptId === own.attemptId) {
      if (failed.has(report.captureReference) || captured.has(report.captureReference)) continue;
      captured.add(report.captureReference);
      reportedMinor += capturedMinorOf(report.outcome);
    }
  }
  return hasFailed ? reportedMinor : Math.max(reportedMinor, own.capturedMinor);
}

function failureIn(
  report: unknown,
  { attemptId, isAutomatic }: OwnCapture,
): Pick<Failure, 'amountMinor' | 'captureReference'> | null {
  if (isCaptureFailure(report)) return report.captureFailure.attemptId === attemptId ? report.captureFailure : null;
  const isVoid = isAutomatic && isProviderEvent(report) && report.attemptId === attemptId && isVoided(report.outcome);
  return isVoid ? report.outcome.voided : null;
}

/**
 * The step that takes a capture back, because the provider reports that the money did not arrive after all. Pure but for the id of
 * its transaction.
 * @param at ISO 8601 UTC
 * @returns null where nothing counts as captured
 */
export function reverseCapture(record: PaymentRecord, failure: Failure, at: string): PaymentStep | null {
  const { columns, attempts } = record;
  const attempt = attempts.find(({ id }) => id === failure.attemptId);
  const amountMinor = Math.min(failure.amountMinor, columns.amountCapturedMinor);
  if (columns.status !== 'succeeded' || amountMinor <= 0 || attempt === undefined) return null;
  const { provider, currency } = attempt;
  const leftMinor = columns.amountCapturedMinor - amountMinor;
  const money = formatMoney(amountMinor, currency);
  const { reason } = failure;
  const message = `The provider had captured ${money}, and reports that the capture has failed after all: the money did not arrive.`;
  const error = { code: 'TSP_PAYMENT_FAILED', message, details: { amount: amountMinor, currency, reason } } as const;
  const summary = `${provider}: the capture of ${money} has failed after all; it does not count any more`;
  const end = {
    to: 'failed',
    columns: { amountCapturedMinor: 0, lastError: { ...error, at } },
    events: [{ type: 'payment_intent.payment_failed', failure: error }],
  } as const;
  return lateStep(attempt, {
    type: 'capture_reversal',
    amountMinor,
    details: { reason },
    summary,
    change: leftMinor === 0 ? end : changeOfSum(leftMinor),
  });
}

/**
 * The step that records that a provider has captured more of the money: again, after a capture that had failed, or the rest. Pure
 * but for the id of its transaction.
 * @param capturedMinor the amount that was captured, in minor units; more than was authorized does not count
 * @returns null where nothing of the attempt is left to capture
 */
export function recoverCapture(
  record: PaymentRecord,
  { attemptId, capturedMinor }: { readonly attemptId: string; readonly capturedMinor: number },
): PaymentStep | null {
  const { columns, attempts } = record;
  const { status, amountCapturedMinor } = columns;
  const attempt = attempts.find(({ id }) => id === attemptId);
  if ((status !== 'failed' && status !== 'succeeded') || attempt?.outcome !== 'approved') return null;
  const amountMinor = Math.min(capturedMinor, attempt.amountMinor - amountCapturedMinor);
  if (amountMinor <= 0) return null;
  const end = {
    to: 'succeeded',
    columns: { amountCapturedMinor: amountMinor, lastError: null },
    events: [{ type: 'payment_intent.succeeded' }],
  } as const;
  return lateStep(attempt, {
    type: 'capture',
    amountMinor,
    summary: `${attempt.provider} has captured ${formatMoney(amountMinor, attempt.currency)} more, after the payment had ended`,
    change: status === 'failed' ? end : changeOfSum(amountCapturedMinor + amountMinor),
  });
}

/** The step that notes a report of more captured money than was authorized. */
export function noteExcessCapture(
  { id, provider, currency, amountMinor }: Attempt,
  reportedMinor: number,
): PaymentStep {
  const [reported, authorized] = [reportedMinor, amountMinor].map((money) => formatMoney(money, currency));
  const summary = `${provider} reports ${reported} as captured, though ${authorized} was authorized; the rest was not recorded`;
  return { timeline: [{ kind: 'provider_event', summary, details: { attemptId: id, reported: reportedMinor } }] };
}

type Change = Pick<PaymentStep, 'to' | 'columns'> & { readonly events: NonNullable<PaymentStep['events']> };

/** A payment that goes on as `succeeded`. */
function changeOfSum(amountCapturedMinor: number): Change {
  return { columns: { amountCapturedMinor }, events: [{ type: 'payment_intent.amount_captured_changed' }] };
}

interface LateMovement {
  readonly type: Extract<TransactionType, 'capture' | 'capture_reversal'>;
  readonly amountMinor: number;
  readonly summary: string;
  readonly details?: { readonly reason: string };
  readonly change: Change;
}

function lateStep(attempt: Attempt, { type, amountMinor, summary, details, change }: LateMovement): PaymentStep {
  const transaction = transactionOf(attempt, type, amountMinor);
  return {
    ...change,
    isLateReport: true,
    transactions: [transaction],
    timeline: [{ kind: 'provider_event', summary, details: { attemptId: attempt.id, ...details } }],
    events: [{ type: 'transaction.created', transactionId: transaction.id }, ...change.events],
  };
}

/** An attempt may have several of these: its own capture has the id that its workflow makes. */
function transactionOf(attempt: Attempt, type: TransactionType, amountMinor: number): Transaction {
  const { id: attemptId, currency, provider, providerPaymentId } = attempt;
  if (providerPaymentId === null) throw new Error('captured money has a payment at its provider');
  return { id: newId('transaction'), attemptId, type, amountMinor, currency, provider, providerPaymentId };
}
