import { adviceDetailsOf, type AttemptAdvice, attemptAdviceOf } from './decline-advice.ts';
import type { DeclineRetry } from './decline-retries.ts';
import { ERROR_CATALOGUE, type ErrorCode } from './error-catalogue.ts';
import { transactionIdOf } from './ids.ts';
import type { JsonObject } from './json.ts';
import { formatMoney } from './money.ts';
import { expiredError } from './operation.ts';
import {
  type Advisory,
  type Attempt,
  type AttemptOutcome,
  type CancellationReason,
  type OperationResult,
  type PaymentError,
  type Transaction,
  usedAttempts,
  type WaitingOperation,
} from './payment.ts';
import type { PaymentStep, TimelineEntry } from './payment-step.ts';
import type { PaymentStatus } from './payment-state.ts';
import {
  capturedMinorOf,
  type Approved,
  type FinalOutcome,
  type InquiryOutcome,
  type NotCharged,
  type RequiresAction,
} from './provider-outcome.ts';
import { AUTHORIZATION_VALID_MS } from './time-limits.ts';
import { UNKNOWN_OUTCOME_DESCRIPTIONS, type UnknownOutcome } from './unknown-outcome.ts';

/** Why an attempt was called off. */
export type CalledOff = 'cancel' | 'expiry';

/** The final outcome of an attempt, and how it became known. */
export interface AttemptEnd {
  readonly attempt: Attempt;
  readonly outcome: FinalOutcome;
  /** Why an inquiry was needed; null where the provider answered the first call. */
  readonly unknown: UnknownOutcome | null;
  readonly calledOff: CalledOff | null;
  /** How the payment may be tried again, where the provider itself answered with a decline; else absent. */
  readonly retry?: DeclineRetry;
}

/** The step that an outcome leads to, and the result of the confirm; null while the confirm is under way. */
export interface Resolution {
  readonly step: PaymentStep;
  readonly result: OperationResult | null;
}

/** The context in which an outcome is resolved. */
export interface ResolutionContext {
  readonly paymentIntentId: string;
  /** The state of the intent as it is recorded. */
  readonly status: PaymentStatus;
  readonly attemptBudget: number;
  /** The attempts of the intent as they are recorded. */
  readonly attempts: readonly Attempt[];
  /** Why the payment is to be canceled; null where no cancel was requested. */
  readonly cancellation: CancellationReason | null;
  /** Whether the payment has expired, so that no other attempt may follow one that charged nothing; absent where it has not. */
  readonly isExpired?: boolean;
  readonly now: string;
}

/** Resolves a provider's outcome, final or open, to a step of the payment. Pure. */
export function resolveOutcome(attempt: Attempt, outcome: InquiryOutcome, context: ResolutionContext): Resolution {
  const known = withPaymentId(attempt, outcome);
  switch (outcome.kind) {
    case 'requires_action':
      return requiresAction(known, outcome, context);
    case 'pending':
      return { step: pendingStep(known, context), result: null };
    default:
      return resolveEnd({ attempt: known, outcome, unknown: null, calledOff: null }, context);
  }
}

/** Resolves the end of an attempt to a step of the payment. Pure. */
export function resolveEnd(end: AttemptEnd, context: ResolutionContext): Resolution {
  const { step, result } = resolve(end, context);
  const { operationId } = end.attempt;
  const operation = operationId === null ? {} : { operation: { id: operationId, kind: 'confirm' as const, result } };
  return { step: { from: context.status, ...step, ...operation }, result };
}

type EndResolution = { readonly step: PaymentStep; readonly result: OperationResult };

function resolve(end: AttemptEnd, context: ResolutionContext): EndResolution {
  const { outcome } = end;
  if (outcome.kind === 'approved') return approved(end, outcome, context);
  if (outcome.kind === 'failed') return failure(end, 'failed', errorOf(end, context.now), context);
  if (context.cancellation !== null) return canceled(end, context.cancellation, context);
  if (end.calledOff === 'expiry' || context.isExpired === true) return expired(end, context);
  const error = errorOf(end, context.now);
  return usedAttempts(context.attempts, end.attempt) >= context.attemptBudget
    ? exhausted(end, error, context)
    : failure(end, 'requires_payment_method', error, context);
}

/** The attempt with the provider's id of it, once that is known. */
export function withPaymentId(attempt: Attempt, outcome: InquiryOutcome): Attempt {
  const providerPaymentId =
    outcome.kind === 'not_charged' ? (outcome.voided?.providerPaymentId ?? null) : outcome.providerPaymentId;
  return { ...attempt, providerPaymentId: providerPaymentId ?? attempt.providerPaymentId };
}

/** The attempt with its outcome, code and end time. */
export function endAttempt(end: AttemptEnd, now: string): Attempt {
  const ended = { outcome: attemptOutcomeOf(end), code: attemptCodeOf(end), finishedAt: now };
  return { ...end.attempt, ...ended, ...adviceOf(end) };
}

function adviceOf({ outcome }: AttemptEnd): AttemptAdvice {
  return outcome.kind === 'declined' || outcome.kind === 'failed' ? attemptAdviceOf(outcome) : {};
}

/**
 * Whether the provider was available in this attempt, for its circuit breaker; empty when the attempt was called off. An outage
 * counts when the last try has failed: the attempt may only end once the provider is back.
 */
export function providerHealthOf({
  attempt,
  unknown,
  calledOff,
}: AttemptEnd): NonNullable<PaymentStep['providerHealth']> {
  const hasAnswered = unknown?.kind !== 'outage' && unknown?.kind !== 'credentials_refused' && calledOff === null;
  return hasAnswered ? [{ provider: attempt.provider, available: true }] : [];
}

/** How the attempt ended, for the payment's timeline. */
export function describeEnd(end: AttemptEnd): string {
  const { attempt, outcome, unknown } = end;
  const code = attemptCodeOf(end);
  const why = unknown === null ? '' : ` after ${UNKNOWN_OUTCOME_DESCRIPTIONS[unknown.kind]}`;
  const label = outcome.kind === 'not_charged' ? 'charged nothing' : `said ${outcome.kind}`;
  const { advice } = adviceOf(end);
  const notes = [...(code === null ? [] : [code]), ...(advice === undefined ? [] : [`advice: ${advice}`])].join(', ');
  return `Attempt ${attempt.number}: ${attempt.provider} ${label}${why}${notes === '' ? '' : ` (${notes})`}`;
}

/** The customer has acted. From here on the payment cannot expire, because the customer's money is on its way. */
export function customerActedStep(attempt: Attempt): PaymentStep {
  return {
    from: 'requires_action',
    to: 'processing',
    columns: { nextAction: null },
    attempts: [attempt],
    timeline: [{ kind: 'provider_event', summary: `The customer has acted; ${attempt.provider} works on the payment` }],
    events: [{ type: 'payment_intent.processing' }],
  };
}

/**
 * Gives a payment in `processing` its advisory.
 * @param since when it entered `processing`, ISO 8601 UTC
 * @param observation what shows that it is stuck, for the timeline
 */
export function stuckStep(since: string, observation: string): PaymentStep {
  const { message } = ERROR_CATALOGUE.PAYMENT_STUCK;
  return {
    from: 'processing',
    columns: { advisory: { code: 'PAYMENT_STUCK', since } },
    timeline: [{ kind: 'timer', summary: `${observation}: advisory PAYMENT_STUCK` }],
    events: [{ type: 'payment_intent.stuck', failure: { code: 'PAYMENT_STUCK', message, details: { since } } }],
  };
}

/** An operation that has waited for its provider for long. */
export interface Wait {
  readonly operation: WaitingOperation;
  readonly provider: string;
  /** ISO 8601 UTC */
  readonly since: string;
}

const WAITS_TO: Readonly<Record<WaitingOperation, string>> = {
  close: 'close the attempt',
  capture: 'capture the money',
  void: 'void the authorization',
  refund: 'refund the money',
  reversal: 'return the stray charge',
};

/** The advisory of what has waited for its provider for long. */
export function waitingAdvisory({ operation, since }: Wait): Advisory {
  return { code: 'WAITING_FOR_PROVIDER', since, operation };
}

/** The timeline entry about what has waited for its provider for long. */
export function waitingEntry({ operation, provider, since }: Wait): TimelineEntry {
  const summary = `${provider} has not answered since ${since}, when it was asked to ${WAITS_TO[operation]}: advisory WAITING_FOR_PROVIDER`;
  return { kind: 'timer', summary };
}

/** Gives a payment the advisory that one of its operations has waited for its provider for long. */
export function waitingStep(wait: Wait, from?: PaymentStatus): PaymentStep {
  return {
    ...(from === undefined ? {} : { from }),
    columns: { advisory: waitingAdvisory(wait) },
    timeline: [waitingEntry(wait)],
    events: [{ type: 'payment_intent.waiting_for_provider' }],
  };
}

function pendingStep(attempt: Attempt, { status }: ResolutionContext): PaymentStep {
  if (status === 'requires_action') return customerActedStep(attempt);
  return {
    from: status,
    attempts: [attempt],
    timeline: [{ kind: 'attempt', summary: `${attempt.provider} has accepted the payment; its outcome is still open` }],
  };
}

function requiresAction(attempt: Attempt, { nextAction }: RequiresAction, { status }: ResolutionContext): Resolution {
  const result: OperationResult = { status: 'requires_action', error: null };
  const { operationId } = attempt;
  return {
    step: {
      from: status,
      to: 'requires_action',
      columns: { nextAction },
      attempts: [attempt],
      timeline: [{ kind: 'attempt', summary: `${attempt.provider} asks the customer to act (${nextAction.type})` }],
      events: status === 'requires_action' ? [] : [{ type: 'payment_intent.requires_action' }],
      ...(operationId === null ? {} : { operation: { id: operationId, kind: 'confirm' as const, result } }),
    },
    result,
  };
}

function approved(end: AttemptEnd, outcome: Approved, { paymentIntentId, now }: ResolutionContext): EndResolution {
  const { attempt } = end;
  const { currency, provider } = attempt;
  const amountMinor = outcome.captured ? capturedMinorOf(outcome) : outcome.amountMinor;
  const to: PaymentStatus = outcome.captured ? 'succeeded' : 'requires_capture';
  const type = outcome.captured ? 'capture' : 'authorization';
  const { providerPaymentId } = outcome;
  const transaction = transactionOf(paymentIntentId, attempt, { type, amountMinor, providerPaymentId });
  return {
    step: {
      ...attemptStep(end, now),
      to,
      columns: {
        nextAction: null,
        lastError: null,
        amountCapturedMinor: outcome.captured ? amountMinor : 0,
        amountCapturableMinor: outcome.captured ? 0 : amountMinor,
        captureBefore: outcome.captured ? null : captureBeforeOf(attempt, outcome),
      },
      transactions: [transaction],
      ...reportedCardOf(attempt, outcome),
      timeline: [
        attemptEntry(end),
        {
          kind: 'decision',
          summary: `${formatMoney(amountMinor, currency)} ${outcome.captured ? 'captured' : 'authorized'} at ${provider}`,
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

/** A hold begins after its attempt, so the validity counted from there ends no later than the hold. */
function captureBeforeOf({ startedAt }: Attempt, { captureBefore }: Approved): string {
  return captureBefore ?? new Date(Date.parse(startedAt) + AUTHORIZATION_VALID_MS).toISOString();
}

function reportedCardOf({ paymentMethodId }: Attempt, { card }: Approved): Pick<PaymentStep, 'reportedCard'> {
  return card === undefined ? {} : { reportedCard: { paymentMethodId, card } };
}

function failure(
  end: AttemptEnd,
  to: 'failed' | 'requires_payment_method',
  error: PaymentError,
  { now }: ResolutionContext,
): EndResolution {
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

function exhausted(end: AttemptEnd, cause: PaymentError, { now, attemptBudget }: ResolutionContext): EndResolution {
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

function canceled(end: AttemptEnd, reason: CancellationReason, context: ResolutionContext): EndResolution {
  const voided = voidedHold(end, context);
  return {
    step: {
      ...attemptStep(end, context.now),
      to: 'canceled',
      columns: { nextAction: null, cancellationReason: reason },
      transactions: voided,
      timeline: [
        attemptEntry(end),
        { kind: 'decision', summary: `Canceled (${reason}); ${describeRelease(end.outcome)}` },
      ],
      events: [...createdEvents(voided), { type: 'payment_intent.canceled' }],
    },
    result: {
      status: 'canceled',
      error: { code: 'STATE_CONFLICT', message: 'The payment intent was canceled while it was being confirmed.' },
    },
  };
}

function expired(end: AttemptEnd, context: ResolutionContext): EndResolution {
  const error = expiredError();
  const voided = voidedHold(end, context);
  return {
    step: {
      ...attemptStep(end, context.now),
      to: 'expired',
      columns: { nextAction: null, lastError: { ...error, at: context.now } },
      transactions: voided,
      timeline: [
        attemptEntry(end),
        { kind: 'timer', summary: `Expired before ${awaitedBy(end)}; ${describeRelease(end.outcome)}` },
      ],
      events: [...createdEvents(voided), { type: 'payment_intent.expired', failure: error }],
    },
    result: { status: 'expired', error },
  };
}

function awaitedBy({ calledOff }: AttemptEnd): string {
  return calledOff === null ? 'another attempt could begin' : 'the customer acted';
}

function describeRelease(outcome: FinalOutcome): string {
  return voidOf(outcome) === undefined ? 'nothing was charged' : 'the hold was voided';
}

function voidOf(outcome: FinalOutcome): NotCharged['voided'] {
  return outcome.kind === 'not_charged' ? outcome.voided : undefined;
}

/** A hold that was voided before it was recorded gets both transactions, authorization and void. */
function voidedHold({ attempt, outcome }: AttemptEnd, { paymentIntentId }: ResolutionContext): readonly Transaction[] {
  const voided = voidOf(outcome);
  if (voided === undefined) return [];
  const { amountMinor } = attempt;
  const { providerPaymentId } = voided;
  return (['authorization', 'void'] as const).map((type) =>
    transactionOf(paymentIntentId, attempt, { type, amountMinor, providerPaymentId }),
  );
}

function createdEvents(transactions: readonly Transaction[]): NonNullable<PaymentStep['events']> {
  return transactions.map(({ id }) => ({ type: 'transaction.created', transactionId: id }));
}

/** A transaction of an attempt. */
export function transactionOf(
  paymentIntentId: string,
  { id: attemptId, number, currency, provider }: Attempt,
  operation: Pick<Transaction, 'amountMinor' | 'providerPaymentId'> & {
    readonly type: 'authorization' | 'capture' | 'void';
  },
): Transaction {
  return { id: transactionIdOf(paymentIntentId, number, operation.type), attemptId, currency, provider, ...operation };
}

/**
 * The part of a step that every end of an attempt records. The CVC is erased once an issuer has answered or the attempt was
 * called off.
 */
function attemptStep(end: AttemptEnd, now: string): Pick<PaymentStep, 'attempts' | 'providerHealth' | 'eraseCvcOf'> {
  const isAnswered = end.outcome.kind !== 'not_charged' || end.calledOff !== null;
  return {
    attempts: [endAttempt(end, now)],
    providerHealth: providerHealthOf(end),
    ...(isAnswered ? { eraseCvcOf: end.attempt.paymentMethodId } : {}),
  };
}

function attemptEntry(end: AttemptEnd): TimelineEntry {
  const { provider, tries } = end.attempt;
  return { kind: 'attempt', summary: describeEnd(end), details: { provider, tries } };
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
  const { outcome, unknown, calledOff } = end;
  if (outcome.kind === 'approved') return null;
  if (outcome.kind !== 'not_charged') return outcome.code;
  if (calledOff !== null) return calledOff === 'expiry' ? 'PAYMENT_EXPIRED' : null;
  if (unknown?.kind === 'credentials_refused') return 'TSP_UNAVAILABLE';
  return unknown?.kind === 'outage' ? unknown.code : uncharged(end).code;
}

/** The error of an attempt without a charge, for merchants. */
function errorOf(end: AttemptEnd, now: string): PaymentError {
  const { outcome } = end;
  if (outcome.kind !== 'declined' && outcome.kind !== 'failed') return uncharged(end);
  const details = { ...outcome.details, ...adviceDetailsOf(outcome, now) };
  return paymentError(outcome.code, outcome.message, Object.keys(details).length === 0 ? undefined : details);
}

/** The error of an attempt of which the provider has said no more than that it charged nothing. */
function uncharged({ attempt, unknown }: Pick<AttemptEnd, 'attempt' | 'unknown'>): PaymentError {
  if (unknown?.kind === 'unrecognised' || unknown?.kind === 'amount_differs') {
    return paymentError('PROVIDER_VALIDATION_ERROR', undefined, { providerResponse: unknown.providerResponse });
  }
  if (unknown?.kind === 'outage') {
    return paymentError('PROVIDER_UNAVAILABLE', undefined, { provider: attempt.provider, reason: unknown.code });
  }
  if (unknown?.kind === 'credentials_refused') {
    return paymentError('PROVIDER_UNAVAILABLE', undefined, { provider: attempt.provider, reason: unknown.kind });
  }
  return paymentError('PAYMENT_FAILED', undefined, { provider: attempt.provider });
}

function paymentError(code: ErrorCode, message: string | undefined, details: JsonObject | undefined): PaymentError {
  return { code, message: message ?? ERROR_CATALOGUE[code].message, ...(details === undefined ? {} : { details }) };
}
