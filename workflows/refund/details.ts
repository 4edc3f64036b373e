import { formatMoney } from '../../domain/money.ts';
import type { PaymentError } from '../../domain/payment.ts';
import { detailsText, linksOfPayment, reasonLines, referenceLine, workflowLink } from '../shared/details.ts';
import type { RefundInput } from '../../protocol/messages.ts';

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
    ...(failure === null ? [] : [`- Error: \`${failure.code}\`. ${failure.message}`]),
    ...reasonLines(provider, failure?.details),
    ...(providerRefundId === null ? [] : [`- ${provider}'s refund: \`${providerRefundId}\`.`]),
    `- Provider: ${provider}, payment \`${providerPaymentId}\`, attempt \`${attemptId}\`.`,
    linksOfPayment(paymentIntentId),
  ]);
}
