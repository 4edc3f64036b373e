import { newId } from './new-id.ts';
import { formatMoney } from './money.ts';
import type { Attempt, Transaction, TransactionType } from './payment.ts';
import type { PaymentRecord, PaymentStep } from './payment-step.ts';
import type { CaptureFailureEvent } from './provider-outcome.ts';

type Failure = CaptureFailureEvent['captureFailure'];

/**
 * The step that takes a capture back, because the provider reports that the money did not arrive after all. Pure but for the id of
 * its transaction.
 * @param at ISO 8601 UTC
 * @returns null where nothing counts as captured
 */
export function reverseCapture(record: PaymentRecord, failure: Failure, at: string): PaymentStep | null {
  const { columns, attempts } = record;
  const attempt = attempts.find(({ id }) => id === failure.attemptId);
  if (columns.status !== 'succeeded' || columns.amountCapturedMinor === 0 || attempt === undefined) return null;
  const { provider, currency } = attempt;
  const amountMinor = Math.min(failure.amountMinor, columns.amountCapturedMinor);
  const leftMinor = columns.amountCapturedMinor - amountMinor;
  const money = formatMoney(amountMinor, currency);
  const message = `The provider had captured ${money}, and reports that the capture has failed after all: the money did not arrive.`;
  const details = { amount: amountMinor, currency, reason: failure.reason };
  const error = { code: 'TSP_PAYMENT_FAILED', message, details } as const;
  const transaction = transactionOf(attempt, 'capture_reversal', amountMinor);
  return {
    isLateReport: true,
    ...(leftMinor === 0 ? { to: 'failed' } : {}),
    columns: { amountCapturedMinor: leftMinor, lastError: { ...error, at } },
    transactions: [transaction],
    timeline: [
      {
        kind: 'provider_event',
        summary: `${provider}: the capture of ${money} has failed after all; it does not count any more`,
        details: { attemptId: attempt.id, reason: failure.reason },
      },
    ],
    events: [
      { type: 'transaction.created', transactionId: transaction.id },
      { type: 'payment_intent.payment_failed', failure: error },
    ],
  };
}

/**
 * The step that records that a provider has captured the money again, after a capture that had failed. Pure but for the id of its
 * transaction.
 * @returns null where the payment has not failed
 */
export function recoverCapture(
  record: PaymentRecord,
  { attemptId, capturedMinor }: { readonly attemptId: string; readonly capturedMinor: number },
): PaymentStep | null {
  const { columns, attempts } = record;
  const attempt = attempts.find(({ id }) => id === attemptId);
  if (columns.status !== 'failed' || attempt?.outcome !== 'approved' || capturedMinor <= 0) return null;
  const amountMinor = Math.min(capturedMinor, attempt.amountMinor);
  const transaction = transactionOf(attempt, 'capture', amountMinor);
  const summary = `${attempt.provider} has captured ${formatMoney(amountMinor, attempt.currency)} again, after the capture had failed`;
  return {
    isLateReport: true,
    to: 'succeeded',
    columns: { amountCapturedMinor: amountMinor, lastError: null },
    transactions: [transaction],
    timeline: [{ kind: 'provider_event', summary, details: { attemptId } }],
    events: [{ type: 'transaction.created', transactionId: transaction.id }, { type: 'payment_intent.succeeded' }],
  };
}

/** An attempt may have several of these: its own capture has the id that its workflow makes. */
function transactionOf(attempt: Attempt, type: TransactionType, amountMinor: number): Transaction {
  const { id: attemptId, currency, provider, providerPaymentId } = attempt;
  if (providerPaymentId === null) throw new Error('captured money has a payment at its provider');
  return { id: newId('transaction'), attemptId, type, amountMinor, currency, provider, providerPaymentId };
}
