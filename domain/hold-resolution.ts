import { ERROR_CATALOGUE, type ErrorCode } from './error-catalogue.ts';
import type { JsonObject } from './json.ts';
import { formatMoney } from './money.ts';
import type { Attempt, CancellationReason, OperationResult, PaymentError } from './payment.ts';
import { transactionOf } from './payment-resolution.ts';
import type { PaymentStep } from './payment-step.ts';
import { capturedMinorOf, type Approved, type NotCharged } from './provider-outcome.ts';

/** How an authorization (hold) ended at the provider. */
export type HoldEnd = Approved | NotCharged;

/** The context in which the end of a hold is resolved. */
export interface HoldContext {
  readonly paymentIntentId: string;
  /** Why the hold was voided; null where nobody requested it, because the authorization has lapsed. */
  readonly cancellation: CancellationReason | null;
  /** The summary of the timeline entry about a capture. */
  readonly captured: string;
  /** The id of the capture operation to answer; null where none was requested. */
  readonly captureId: string | null;
  readonly now: string;
}

/** The step that ends a hold: captured, in whole or in part, or voided. Pure. */
export function resolveHold(attempt: Attempt, end: HoldEnd, context: HoldContext): PaymentStep {
  return end.kind === 'approved' ? capturedStep(attempt, capturedMinorOf(end), context) : voidedStep(attempt, context);
}

/** The answer to a capture when the hold has ended. */
export function captureResultOf(attempt: Attempt, end: HoldEnd): OperationResult {
  return end.kind === 'approved'
    ? { status: 'succeeded', error: null }
    : { status: 'canceled', error: nothingHeld(attempt) };
}

/** The error of a capture when the provider holds no money any more. */
function nothingHeld({ provider }: Pick<Attempt, 'provider'>): PaymentError {
  return {
    code: 'PAYMENT_FAILED',
    message: 'The provider does not hold the money any more; nothing was captured.',
    details: { provider, reason: 'authorization_lapsed' },
  };
}

/** The error of a capture that came after the end of the hold's validity. */
export const AUTHORIZATION_LAPSED = { code: 'STATE_CONFLICT', message: 'The authorization has lapsed.' } as const;

/** The step of a capture that was not sent, because the hold's validity had ended; the hold is voided next. */
export function captureTooLateStep(
  { id, amountMinor }: { readonly id: string; readonly amountMinor: number },
  captureBefore: string | null,
): { readonly step: PaymentStep; readonly result: OperationResult } {
  const result: OperationResult = { status: 'requires_capture', error: AUTHORIZATION_LAPSED };
  const until = captureBefore === null ? '' : ` at ${captureBefore}`;
  return {
    step: {
      from: 'requires_capture',
      timeline: [{ kind: 'timer', summary: `Not captured: the authorization has lapsed${until}` }],
      operation: { id, kind: 'capture', request: { amountMinor }, result },
    },
    result,
  };
}

/** The step of a capture that the provider has refused; the money is still held. */
export function captureRefusedStep(
  { provider }: Pick<Attempt, 'provider'>,
  {
    captureId,
    providerResponse,
    now,
  }: {
    readonly captureId: string;
    readonly providerResponse: JsonObject;
    readonly now: string;
  },
): { readonly step: PaymentStep; readonly result: OperationResult } {
  const code: ErrorCode = 'PROVIDER_VALIDATION_ERROR';
  const error: PaymentError = { code, message: ERROR_CATALOGUE[code].message, details: { providerResponse } };
  const result: OperationResult = { status: 'requires_capture', error };
  return {
    step: {
      from: 'requires_capture',
      columns: { lastError: { ...error, at: now }, advisory: null },
      timeline: [{ kind: 'attempt', summary: `${provider} refused the capture (${code}); the money is still held` }],
      operation: { id: captureId, kind: 'capture', result },
    },
    result,
  };
}

function capturedStep(attempt: Attempt, amountMinor: number, context: HoldContext): PaymentStep {
  const { paymentIntentId, captured, captureId } = context;
  const providerPaymentId = providerPaymentIdOf(attempt);
  const transaction = transactionOf(paymentIntentId, attempt, { type: 'capture', amountMinor, providerPaymentId });
  return {
    from: 'requires_capture',
    to: 'succeeded',
    columns: {
      amountCapturableMinor: 0,
      amountCapturedMinor: amountMinor,
      captureBefore: null,
      cancellationReason: null,
      lastError: null,
    },
    transactions: [transaction],
    timeline: [{ kind: 'decision', summary: `${captured}${restOf(attempt, amountMinor)}` }],
    events: [{ type: 'transaction.created', transactionId: transaction.id }, { type: 'payment_intent.succeeded' }],
    ...answerOf(captureId, { status: 'succeeded', error: null }),
  };
}

function restOf({ amountMinor: heldMinor, currency }: Attempt, amountMinor: number): string {
  return amountMinor < heldMinor
    ? `; the hold of the other ${formatMoney(heldMinor - amountMinor, currency)} ended`
    : '';
}

function voidedStep(attempt: Attempt, { paymentIntentId, cancellation, captureId, now }: HoldContext): PaymentStep {
  const reason = cancellation ?? 'authorization_lapsed';
  const { amountMinor, provider } = attempt;
  const providerPaymentId = providerPaymentIdOf(attempt);
  const transaction = transactionOf(paymentIntentId, attempt, { type: 'void', amountMinor, providerPaymentId });
  const error = captureId === null ? null : nothingHeld(attempt);
  return {
    from: 'requires_capture',
    to: 'canceled',
    columns: {
      amountCapturableMinor: 0,
      amountCapturedMinor: 0,
      captureBefore: null,
      cancellationReason: reason,
      ...(error === null ? {} : { lastError: { ...error, at: now } }),
    },
    transactions: [transaction],
    timeline: [{ kind: 'decision', summary: `Authorization voided at ${provider} (${reason})` }],
    events: [{ type: 'transaction.created', transactionId: transaction.id }, { type: 'payment_intent.canceled' }],
    ...answerOf(captureId, { status: 'canceled', error }),
  };
}

function answerOf(captureId: string | null, result: OperationResult): Pick<PaymentStep, 'operation'> {
  return captureId === null ? {} : { operation: { id: captureId, kind: 'capture', result } };
}

function providerPaymentIdOf({ providerPaymentId }: Attempt): string {
  if (providerPaymentId === null) throw new Error('held money has a payment at its provider');
  return providerPaymentId;
}
