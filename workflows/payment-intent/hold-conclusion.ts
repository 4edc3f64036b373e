import { transactionIdOf } from '../../domain/ids.ts';
import { formatMoney } from '../../domain/money.ts';
import type { Attempt, CancellationReason, LastError, Transaction } from '../../domain/payment.ts';
import { capturedMinorOf } from '../../domain/provider-outcome.ts';
import type { PaymentProgress, Step } from './progress.ts';
import type { HoldEnd } from './requests.ts';

/** What the end of a hold depends on besides the end itself. */
export interface HoldCircumstances {
  readonly progress: PaymentProgress;
  /** Why the money was given free; null where nobody asked for it: the authorisation has lapsed. */
  readonly cancellation: CancellationReason | null;
  /** The story's line where the money was taken. */
  readonly captured: string;
  /** What the merchant sees where a capture found nothing to take. */
  readonly error?: LastError;
}

/** The step at the end of held money: taken, in whole or in part, or given free. Pure. */
export function concludeHold(attempt: Attempt, end: HoldEnd, circumstances: HoldCircumstances): Step {
  return end.kind === 'approved'
    ? capturedStep(attempt, capturedMinorOf(end, attempt.amountMinor), circumstances)
    : releasedStep(attempt, circumstances);
}

function capturedStep(attempt: Attempt, amountMinor: number, { progress, captured }: HoldCircumstances): Step {
  const transaction = transactionOf(attempt, 'capture', amountMinor, progress);
  return {
    to: 'succeeded',
    columns: {
      amountCapturableMinor: 0,
      amountCapturedMinor: amountMinor,
      cancellationReason: null,
      lastError: null,
    },
    transactions: [transaction],
    timeline: [{ kind: 'decision', summary: `${captured}${restOf(attempt, amountMinor)}` }],
    events: [{ type: 'transaction.created', transactionId: transaction.id }, { type: 'payment_intent.succeeded' }],
  };
}

function restOf({ amountMinor: heldMinor, currency }: Attempt, amountMinor: number): string {
  return amountMinor < heldMinor ? `; ${formatMoney(heldMinor - amountMinor, currency)} was given free` : '';
}

function releasedStep(attempt: Attempt, { progress, cancellation, error }: HoldCircumstances): Step {
  const reason = cancellation ?? 'authorization_lapsed';
  const transaction = transactionOf(attempt, 'void', attempt.amountMinor, progress);
  return {
    to: 'canceled',
    columns: {
      amountCapturableMinor: 0,
      amountCapturedMinor: 0,
      cancellationReason: reason,
      ...(error === undefined ? {} : { lastError: error }),
    },
    transactions: [transaction],
    timeline: [{ kind: 'decision', summary: `Authorisation released at ${attempt.provider} (${reason})` }],
    events: [{ type: 'transaction.created', transactionId: transaction.id }, { type: 'payment_intent.canceled' }],
  };
}

function transactionOf(
  attempt: Attempt,
  type: 'capture' | 'void',
  amountMinor: number,
  { paymentIntentId, transactionCount }: PaymentProgress,
): Transaction {
  const { currency, provider, providerPaymentId } = attempt;
  if (providerPaymentId === null) throw new Error('held money has a payment at its provider');
  const id = transactionIdOf(paymentIntentId, transactionCount + 1);
  return { id, attemptId: attempt.id, type, amountMinor, currency, provider, providerPaymentId };
}
