import { formatMoney } from '../../domain/money.ts';
import type { Advisory, Attempt, CancellationReason, LastError } from '../../domain/payment.ts';
import type { IntentColumns, PaymentRecord } from '../../domain/payment-step.ts';
import { CARD_DECLINE_REASONS } from '../../domain/provider-outcome.ts';
import type { PaymentStatus } from '../../domain/payment-state.ts';
import { detailsText, linksOfPayment, referenceLine } from '../shared/details.ts';

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

/** The progress that no row holds. */
export interface Progress {
  /** The summary of the last decision; null when this run has made none. */
  readonly decided: string | null;
  /** What the workflow waits for now; null for the default of the payment's state. */
  readonly waitsFor: string | null;
  /** The reason of a requested cancel; null for none. */
  readonly cancelAsked: CancellationReason | null;
  /** The last four digits of cards that were confirmed, by the ids of their payment methods. */
  readonly cards: ReadonlyMap<string, string>;
}

/** The payment for support staff, in markdown: its state, the last decision, what it waits for, the attempts. */
export function describePayment(
  { paymentIntentId, columns, terms, attempts, statusSince }: PaymentRecord,
  { decided, waitsFor, cancelAsked, cards }: Progress,
): string {
  const { lastError, advisory, cancellationReason } = columns;
  return detailsText([
    `**${formatMoney(terms.amountMinor, terms.currency)}** is \`${columns.status}\` since ${statusSince}.`,
    '',
    ...referenceLine(terms.reference),
    ...(decided === null ? [] : [`- Decided last: ${decided}.`]),
    `- Waits for: ${waitsFor ?? WAITS_FOR[columns.status]}.`,
    ...(advisory === null ? [] : [`- Advisory: ${describeAdvisory(advisory)}`]),
    ...(lastError === null ? [] : [`- Last error: ${describeError(lastError)}`]),
    ...(cancellationReason === null ? askedCancel(cancelAsked, columns) : [`- Canceled: ${cancellationReason}.`]),
    ...attempts.map((attempt) => `- ${describeAttempt(attempt, cards)}.`),
    linksOfPayment(paymentIntentId),
  ]);
}

/** Of a payment or a refund. */
export function describeAdvisory({ code, since, reason }: Advisory): string {
  const why = reason === undefined ? '' : ' The provider refuses the credentials of its account: replace them.';
  return `\`${code}\` since ${since}.${why}`;
}

function describeError({ code, at, message, details }: LastError): string {
  const reason = CARD_DECLINE_REASONS.find((known) => known === details?.reason);
  return `\`${code}\`${reason === undefined ? '' : ` (\`${reason}\`)`} at ${at}. ${message}`;
}

function askedCancel(reason: CancellationReason | null, { status }: IntentColumns): string[] {
  if (reason === null) return [];
  return [`- Cancel asked for (${reason})${status === 'succeeded' ? ', too late: the provider had charged' : ''}.`];
}

/** A line rather than a row of a table, which would be wider than the UI's frame. */
function describeAttempt(attempt: Attempt, cards: Progress['cards']): string {
  const { number, provider, outcome, code, advice = null, tries, providerPaymentId, paymentMethodId } = attempt;
  const last4 = cards.get(paymentMethodId);
  const card = last4 === undefined ? '' : `, card ending in ${last4}`;
  return [
    `Attempt ${number} at ${provider}${card}: ${(outcome ?? 'open').replaceAll('_', ' ')}`,
    ...(code === null ? [] : [`\`${code}\``]),
    ...(advice === null ? [] : [`advice \`${advice}\``]),
    tries === 1 ? '1 try' : `${tries} tries`,
    ...(providerPaymentId === null ? [] : [`${provider}'s payment \`${providerPaymentId}\``]),
  ].join(', ');
}
