import { formatMoney } from '../../domain/money.ts';
import { referenceLine } from '../shared/reference-line.ts';
import type { Attempt } from '../../domain/payment.ts';
import type { PaymentRecord } from '../../domain/payment-step.ts';
import type { PaymentStatus } from '../../domain/payment-state.ts';
import { detailsText, linksOfPayment } from '../shared/details.ts';

const WAITS_FOR: Readonly<Record<PaymentStatus, string>> = {
  requires_payment_method: 'the merchant to confirm or cancel, or the expiry',
  processing: "the provider's outcome",
  requires_action: 'the customer to act at the provider, or the expiry',
  requires_capture: 'the merchant to capture or cancel, or the authorization to lapse',
  succeeded: 'nothing; the payment is complete',
  failed: 'nothing; the payment has failed',
  canceled: 'nothing; the payment is canceled',
  expired: 'nothing; the payment has expired',
};

/** The progress that is not recorded. */
export interface Progress {
  /** The summary of the last decision; null when this run has made none. */
  readonly decided: string | null;
  /** What the workflow waits for now; null for the default of the payment's state. */
  readonly waitsFor: string | null;
}

/** The payment for support staff, in markdown: its state, the last decision, what it waits for, the attempts. */
export function describePayment(
  { paymentIntentId, columns, terms, attempts, statusSince }: PaymentRecord,
  { decided, waitsFor }: Progress,
): string {
  const { lastError, advisory, cancellationReason } = columns;
  return detailsText([
    `**${formatMoney(terms.amountMinor, terms.currency)}** is \`${columns.status}\` since ${statusSince}.`,
    '',
    ...referenceLine(terms.reference),
    ...(decided === null ? [] : [`- Decided last: ${decided}.`]),
    `- Waits for: ${waitsFor ?? WAITS_FOR[columns.status]}.`,
    ...(advisory === null ? [] : [`- Advisory: \`${advisory.code}\` since ${advisory.since}.`]),
    ...(lastError === null ? [] : [`- Last error: \`${lastError.code}\` at ${lastError.at}. ${lastError.message}`]),
    ...(cancellationReason === null ? [] : [`- Canceled: ${cancellationReason}.`]),
    ...attempts.map((attempt) => `- ${describeAttempt(attempt)}.`),
    linksOfPayment(paymentIntentId),
  ]);
}

/** A line rather than a row of a table, which would be wider than the UI's frame. */
function describeAttempt({ number, provider, outcome, code, tries, providerPaymentId }: Attempt): string {
  return [
    `Attempt ${number} at ${provider}: ${(outcome ?? 'open').replaceAll('_', ' ')}`,
    ...(code === null ? [] : [`\`${code}\``]),
    tries === 1 ? '1 try' : `${tries} tries`,
    ...(providerPaymentId === null ? [] : [`${provider}'s payment \`${providerPaymentId}\``]),
  ].join(', ');
}
