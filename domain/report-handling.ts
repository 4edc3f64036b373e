import { attemptIdOfStrayCharge } from './ids.ts';
import {
  type CaptureFailureEvent,
  type DisputeEvent,
  type FraudWarningEvent,
  isCaptureFailure,
  isCaptureRefusal,
  isDispute,
  isFraudWarning,
  isNamedCapture,
  isProviderEvent,
  isRefundEvent,
  isUnknownRefund,
  isVoided,
  type NamedCapture,
  type ProviderEvent,
  type ProviderEventReference,
  type RefundProviderEvent,
  type UnknownRefundEvent,
} from './provider-outcome.ts';
import { MINUTE_MS } from './time.ts';

/** A stored report, and what is known of the payment that it is about. */
export interface StoredReport extends ProviderEventReference {
  /** As it was stored: of no type that can be relied on. */
  readonly event: unknown;
  /** The status of the payment. */
  readonly status: string;
  /** Whether it says that a hold was voided of whose capture we know. */
  readonly isVoidAfterCapture: boolean;
  readonly isVoidOfOpenAttempt: boolean;
  /** Whether it says that money was captured of whose capture we know that it has failed. */
  readonly isCaptureAfterFailure: boolean;
  readonly receivedAt: Date;
}

/** What is to be done about a report. */
export type ReportHandling =
  | { readonly kind: 'book_capture_failure'; readonly event: CaptureFailureEvent }
  | { readonly kind: 'book_late_capture'; readonly event: NamedCapture }
  | { readonly kind: 'report_unknown_refund'; readonly event: UnknownRefundEvent }
  | { readonly kind: 'report_dispute'; readonly event: DisputeEvent }
  | { readonly kind: 'report_fraud_warning'; readonly event: FraudWarningEvent }
  | { readonly kind: 'fail_reversal'; readonly event: RefundProviderEvent; readonly attemptId: string }
  | { readonly kind: 'deliver_to_refund'; readonly event: RefundProviderEvent }
  | { readonly kind: 'ask_provider'; readonly event: ProviderEvent }
  | { readonly kind: 'deliver_to_payment'; readonly event: ProviderEvent }
  /** The activity that repeats a capture reads the report where it is stored. */
  | { readonly kind: 'leave_to_capture' }
  | { readonly kind: 'wait' };

/**
 * The time for which a run gets one report repeatedly; after it, the run learns the outcome by itself. A run that has halted would
 * get it until Temporal ends the run, because its history is too long.
 */
const REPEAT_SIGNALS_FOR_MS = MINUTE_MS;

/** Whether the run of a payment or of a refund may get the report once more. */
export function mayRepeat({ receivedAt }: Pick<StoredReport, 'receivedAt'>, now: Date): boolean {
  return now.getTime() - receivedAt.getTime() < REPEAT_SIGNALS_FOR_MS;
}

/** Decides what is to be done about a report. @throws TypeError for one that has no known form */
export function handlingOf(report: StoredReport, now: Date): ReportHandling {
  const { event } = report;
  if (isCaptureFailure(event)) return { kind: 'book_capture_failure', event };
  if (isCaptureRefusal(event)) return { kind: 'leave_to_capture' };
  if (isUnknownRefund(event)) return { kind: 'report_unknown_refund', event };
  if (isDispute(event)) return { kind: 'report_dispute', event };
  if (isFraudWarning(event)) return { kind: 'report_fraud_warning', event };
  if (isProviderEvent(event)) return handlingOfCharge(report, event, now);
  if (isRefundEvent(event)) return handlingOfRefund(event);
  throw new TypeError(`provider event ${report.provider} ${report.eventId} has no known form`);
}

function handlingOfCharge(report: StoredReport, event: ProviderEvent, now: Date): ReportHandling {
  const failure = report.isVoidAfterCapture ? captureFailureOf(event) : null;
  if (failure !== null) return { kind: 'book_capture_failure', event: failure };
  const hasEnded = report.status === 'succeeded' || report.status === 'failed';
  if (hasEnded && isNamedCapture(event)) return { kind: 'book_late_capture', event };
  if (report.isCaptureAfterFailure) return { kind: 'ask_provider', event };
  if (report.isVoidOfOpenAttempt && !mayRepeat(report, now)) return { kind: 'wait' };
  return { kind: event.notUnderstood === undefined ? 'deliver_to_payment' : 'ask_provider', event };
}

function handlingOfRefund(event: RefundProviderEvent): ReportHandling {
  const attemptId = attemptIdOfStrayCharge(event.refundId);
  return attemptId === undefined ? { kind: 'deliver_to_refund', event } : { kind: 'fail_reversal', event, attemptId };
}

/** The failure of a capture that the provider has voided after all; null for other reports. */
function captureFailureOf({ provider, eventId, attemptId, outcome }: ProviderEvent): CaptureFailureEvent | null {
  if (!isVoided(outcome)) return null;
  const { amountMinor, currency } = outcome.voided;
  return { provider, eventId, captureFailure: { attemptId, amountMinor, currency, reason: 'voided' } };
}
