import { formatMoney } from '../../domain/money.ts';
import type { Attempt } from '../../domain/payment.ts';
import type { PaymentStatus } from '../../domain/payment-state.ts';
import type { PaymentProgress } from './progress.ts';

const WAITS_FOR: Readonly<Record<PaymentStatus, string>> = {
  requires_payment_method: 'the merchant to confirm or cancel, or the expiry',
  processing: "the provider's outcome",
  requires_action: 'the customer to act at the provider, or the expiry',
  requires_capture: 'the merchant to capture or cancel, or the authorisation to lapse',
  succeeded: 'nothing; the payment is complete',
  failed: 'nothing; the payment has failed',
  canceled: 'nothing; the payment is canceled',
  expired: 'nothing; the payment has expired',
};

/**
 * The payment for support staff, in markdown: where it stands, what was decided last, what it waits for, what was tried.
 * @param decided the last decision in words; null when none was made in this run
 */
export function describePayment(
  { columns, terms, attempts, statusSince }: PaymentProgress,
  decided: string | null,
): string {
  const { lastError, advisory, cancellationReason } = columns;
  return [
    `**${formatMoney(terms.amountMinor, terms.currency)}** is \`${columns.status}\` since ${statusSince}.`,
    '',
    ...(decided === null ? [] : [`- Decided last: ${decided}.`]),
    `- Waits for: ${WAITS_FOR[columns.status]}.`,
    ...(advisory === null ? [] : [`- Advisory: \`${advisory.code}\` since ${advisory.since}.`]),
    ...(lastError === null ? [] : [`- Last error: \`${lastError.code}\` at ${lastError.at}. ${lastError.message}`]),
    ...(cancellationReason === null ? [] : [`- Canceled: ${cancellationReason}.`]),
    ...(attempts.length === 0 ? [] : ['', ATTEMPTS_HEADER, ...attempts.map(attemptRow)]),
  ].join('\n');
}

const ATTEMPTS_HEADER =
  '| attempt | provider | tries | outcome | code | provider payment |\n| --- | --- | --- | --- | --- | --- |';

function attemptRow(attempt: Attempt): string {
  const cells = [
    attempt.number,
    attempt.provider,
    attempt.tries,
    attempt.outcome ?? 'open',
    attempt.code ?? '',
    attempt.providerPaymentId ?? '',
  ];
  return `| ${cells.join(' | ')} |`;
}
