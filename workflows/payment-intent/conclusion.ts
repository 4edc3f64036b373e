import { ERROR_CATALOGUE, type ErrorCode } from '../../domain/error-catalogue.ts';
import type { JsonObject } from '../../domain/json.ts';
import { formatMoney } from '../../domain/money.ts';
import type {
  Attempt,
  AttemptOutcome,
  CancellationReason,
  OperationResult,
  PaymentError,
  Transaction,
} from '../../domain/payment.ts';
import { capturedMinorOf, type Approved, type FinalOutcome } from '../../domain/provider-outcome.ts';
import type { PaymentStatus } from '../../domain/payment-state.ts';
import { transactionIdOf } from '../../domain/ids.ts';
import { DOUBT_WORDS } from '../shared/doubt.ts';
import type { AttemptEnd } from './attempt.ts';
import type { PaymentProgress, Step } from './progress.ts';

/** What an attempt's end means for the payment: the step to record and the answer to the confirm. */
export interface Conclusion {
  readonly step: Step;
  readonly result: OperationResult;
}

/** What a conclusion depends on besides the attempt's end. */
export interface Circumstances {
  readonly progress: PaymentProgress;
  readonly attemptBudget: number;
  readonly cancellation: CancellationReason | null;
  readonly now: string;
}

/** Decides what the end of a payment's last attempt means for the payment. Pure. */
export function conclude(end: AttemptEnd, circumstances: Circumstances): Conclusion {
  const { outcome } = end;
  if (outcome.kind === 'approved') return approvedConclusion(end, outcome, circumstances);
  if (outcome.kind === 'failed') return failureConclusion(end, 'failed', errorOf(end), circumstances);
  if (circumstances.cancellation !== null) return canceledConclusion(end, circumstances.cancellation, circumstances);
  if (end.calledOff === 'expiry') return expiredConclusion(end, circumstances);
  const error = errorOf(end);
  return end.attempt.number >= circumstances.attemptBudget
    ? exhaustedConclusion(end, error, circumstances)
    : failureConclusion(end, 'requires_payment_method', error, circumstances);
}

/** The attempt with its end written into it. */
export function closeAttempt(end: AttemptEnd, now: string): Attempt {
  return { ...end.attempt, outcome: attemptOutcomeOf(end), code: attemptCodeOf(end), finishedAt: now };
}

/** How the provider answered in this attempt, for its circuit; nothing when it was called off unanswered. */
export function providerHealthOf({ attempt, doubt, calledOff }: AttemptEnd): NonNullable<Step['providerHealth']> {
  if (doubt?.kind === 'outage') return [{ provider: attempt.provider, available: false }];
  return calledOff === null ? [{ provider: attempt.provider, available: true }] : [];
}

/** One line on how the attempt went, for the payment's story. */
export function describeEnd(end: AttemptEnd): string {
  const { attempt, outcome, doubt } = end;
  const code = attemptCodeOf(end);
  const why = doubt === null ? '' : ` after ${DOUBT_WORDS[doubt.kind]}`;
  const label = outcome.kind === 'not_charged' ? 'charged nothing' : `said ${outcome.kind}`;
  return `Attempt ${attempt.number}: ${attempt.provider} ${label}${why}${code === null ? '' : ` (${code})`}`;
}

function approvedConclusion(end: AttemptEnd, outcome: Approved, { progress, now }: Circumstances): Conclusion {
  const { currency } = end.attempt;
  const amountMinor = outcome.captured ? capturedMinorOf(outcome, end.attempt.amountMinor) : end.attempt.amountMinor;
  const to: PaymentStatus = outcome.captured ? 'succeeded' : 'requires_capture';
  const transaction: Transaction = {
    id: transactionIdOf(progress.paymentIntentId, progress.transactionCount + 1),
    attemptId: end.attempt.id,
    type: outcome.captured ? 'capture' : 'authorization',
    amountMinor,
    currency,
    provider: end.attempt.provider,
    providerPaymentId: outcome.providerPaymentId,
  };
  return {
    step: {
      ...attemptStep(end, now),
      to,
      columns: {
        nextAction: null,
        lastError: null,
        amountCapturedMinor: outcome.captured ? amountMinor : 0,
        amountCapturableMinor: outcome.captured ? 0 : amountMinor,
      },
      transactions: [transaction],
      timeline: [
        attemptEntry(end),
        {
          kind: 'decision',
          summary: `${formatMoney(amountMinor, currency)} ${outcome.captured ? 'captured' : 'authorised'} at ${end.attempt.provider}`,
        },
      ],
      events: [
        { type: 'transaction.created', transactionId: transaction.id },
        { type: outcome.captured ? 'payment_intent.succeeded' : 'payment_intent.amount_capturable' },
      ],
    },
    result: { status: to, error: null },
  };
}

function failureConclusion(
  end: AttemptEnd,
  to: 'failed' | 'requires_payment_method',
  error: PaymentError,
  { now }: Circumstances,
): Conclusion {
  const turn = to === 'failed' ? 'has failed' : `is back to ${to}`;
  return {
    step: {
      ...attemptStep(end, now),
      to,
      columns: { nextAction: null, lastError: { ...error, at: now } },
      timeline: [attemptEntry(end), { kind: 'decision', summary: `${error.code}: the payment ${turn}` }],
      events: [{ type: 'payment_intent.payment_failed', failure: error }],
    },
    result: { status: to, error },
  };
}

function exhaustedConclusion(end: AttemptEnd, cause: PaymentError, circumstances: Circumstances): Conclusion {
  const { now, attemptBudget } = circumstances;
  const error: PaymentError = {
    code: 'PAYMENT_RETRIES_EXHAUSTED',
    message: ERROR_CATALOGUE.PAYMENT_RETRIES_EXHAUSTED.message,
    details: { attempts: attemptBudget, lastCode: cause.code, lastMessage: cause.message },
  };
  return {
    step: {
      ...attemptStep(end, now),
      to: 'canceled',
      columns: { nextAction: null, lastError: { ...error, at: now }, cancellationReason: 'retries_exhausted' },
      timeline: [
        attemptEntry(end),
        { kind: 'decision', summary: `All ${attemptBudget} attempts are used up: canceled` },
      ],
      events: [{ type: 'payment_intent.payment_failed', failure: error }, { type: 'payment_intent.canceled' }],
    },
    result: { status: 'canceled', error },
  };
}

function canceledConclusion(end: AttemptEnd, reason: CancellationReason, { now }: Circumstances): Conclusion {
  return {
    step: {
      ...attemptStep(end, now),
      to: 'canceled',
      columns: { nextAction: null, cancellationReason: reason },
      timeline: [attemptEntry(end), { kind: 'decision', summary: `Canceled (${reason}); nothing was charged` }],
      events: [{ type: 'payment_intent.canceled' }],
    },
    result: {
      status: 'canceled',
      error: { code: 'STATE_CONFLICT', message: 'The payment intent was canceled while it was being confirmed.' },
    },
  };
}

function expiredConclusion(end: AttemptEnd, { now }: Circumstances): Conclusion {
  const error: PaymentError = { code: 'PAYMENT_EXPIRED', message: ERROR_CATALOGUE.PAYMENT_EXPIRED.message };
  return {
    step: {
      ...attemptStep(end, now),
      to: 'expired',
      columns: { nextAction: null, lastError: { ...error, at: now } },
      timeline: [
        attemptEntry(end),
        { kind: 'timer', summary: 'Expired before the customer acted; nothing was charged' },
      ],
      events: [{ type: 'payment_intent.expired', failure: error }],
    },
    result: { status: 'expired', error },
  };
}

/** What every end of an attempt records. The CVC goes once an issuer has spoken or the payment is over. */
function attemptStep(end: AttemptEnd, now: string): Pick<Step, 'attempts' | 'providerHealth' | 'eraseCvcOf'> {
  const judged = end.outcome.kind !== 'not_charged' || end.calledOff !== null;
  return {
    attempts: [closeAttempt(end, now)],
    providerHealth: providerHealthOf(end),
    ...(judged ? { eraseCvcOf: end.attempt.paymentMethodId } : {}),
  };
}

function attemptEntry(end: AttemptEnd): Step['timeline'][number] {
  return {
    kind: 'attempt',
    summary: describeEnd(end),
    details: { provider: end.attempt.provider, tries: end.attempt.tries },
  };
}

const ATTEMPT_OUTCOMES: Readonly<Record<FinalOutcome['kind'], AttemptOutcome>> = {
  approved: 'approved',
  declined: 'declined',
  failed: 'failed',
  not_charged: 'not_charged',
};

function attemptOutcomeOf({ outcome, calledOff }: AttemptEnd): AttemptOutcome {
  return outcome.kind === 'not_charged' && calledOff !== null ? 'canceled' : ATTEMPT_OUTCOMES[outcome.kind];
}

function attemptCodeOf(end: AttemptEnd): ErrorCode | null {
  const { outcome, doubt, calledOff } = end;
  if (outcome.kind === 'approved') return null;
  if (outcome.kind !== 'not_charged') return outcome.code;
  if (calledOff !== null) return calledOff === 'expiry' ? 'PAYMENT_EXPIRED' : null;
  return doubt?.kind === 'outage' ? doubt.code : errorOf(end).code;
}

/** The failure a merchant sees for an attempt that brought no money. */
function errorOf({ attempt, outcome, doubt }: AttemptEnd): PaymentError {
  if (outcome.kind === 'declined' || outcome.kind === 'failed') {
    return paymentError(outcome.code, outcome.message, outcome.details);
  }
  if (doubt?.kind === 'unrecognised') {
    return paymentError('PROVIDER_VALIDATION_ERROR', undefined, { providerResponse: doubt.providerResponse });
  }
  if (doubt?.kind === 'outage') {
    return paymentError('PROVIDER_UNAVAILABLE', undefined, { provider: attempt.provider, reason: doubt.code });
  }
  return paymentError('PAYMENT_FAILED', undefined, { provider: attempt.provider });
}

function paymentError(code: ErrorCode, message: string | undefined, details: JsonObject | undefined): PaymentError {
  return { code, message: message ?? ERROR_CATALOGUE[code].message, ...(details === undefined ? {} : { details }) };
}
