import type { JsonValue } from '../../domain/json.ts';
import { formatMoney } from '../../domain/money.ts';
import type { PaymentError } from '../../domain/payment.ts';
import { detailsText, linksOfPayment, workflowLink } from '../shared/details.ts';
import type { RefundInput } from '../messages.ts';
import { codeSpan } from '../shared/code-span.ts';
import { referenceLine } from '../shared/reference-line.ts';

const MAXIMUM_ANSWER_LENGTH = 500;

/** How a refund stands: what it waits for or how it ended. */
export interface RefundState {
  readonly what: string;
  /** The provider's id of the refund; null while it is not known. */
  readonly providerRefundId: string | null;
  /** Why it failed; null if it has not. */
  readonly failure: PaymentError | null;
}

/** The refund for support staff, in markdown: how much of which payment, its state, and why it failed. */
export function describeRefund(input: RefundInput, { what, providerRefundId, failure }: RefundState): string {
  const { amountMinor, currency, paymentIntentId, provider, providerPaymentId, attemptId } = input;
  return detailsText([
    `Refund of **${formatMoney(amountMinor, currency)}** of the payment ${workflowLink(paymentIntentId)}.`,
    '',
    ...referenceLine(input.reference),
    `- ${what}.`,
    ...(failure === null ? [] : describeFailure(provider, failure)),
    ...(providerRefundId === null ? [] : [`- ${provider}'s refund: \`${providerRefundId}\`.`]),
    `- Provider: ${provider}, payment \`${providerPaymentId}\`, attempt \`${attemptId}\`.`,
    linksOfPayment(paymentIntentId),
  ]);
}

/** The error, the engine's own reason, and the provider's answer as its adapter has redacted it. */
function describeFailure(provider: string, { code, message, details }: PaymentError): readonly string[] {
  const { reason, providerResponse } = details ?? {};
  return [
    `- Error: \`${code}\`. ${message}`,
    ...(reason === undefined ? [] : [`- Reason: ${codeSpan(textOf(reason))}.`]),
    ...(providerResponse === undefined ? [] : [`- ${provider}'s answer: ${codeSpan(textOf(providerResponse))}.`]),
  ];
}

function textOf(answer: JsonValue): string {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  return text.length <= MAXIMUM_ANSWER_LENGTH ? text : `${text.slice(0, MAXIMUM_ANSWER_LENGTH)} …`;
}
