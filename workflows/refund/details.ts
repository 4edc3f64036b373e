import { formatMoney } from '../../domain/money.ts';
import { detailsText, linksOfPayment, workflowLink } from '../shared/details.ts';
import type { RefundInput } from '../messages.ts';
import { referenceLine } from '../shared/reference-line.ts';

/** The refund for support staff, in markdown: how much of which payment, and its state. */
export function describeRefund(input: RefundInput, state: string, providerRefundId: string | null): string {
  const { amountMinor, currency, paymentIntentId, provider, providerPaymentId, attemptId } = input;
  return detailsText([
    `Refund of **${formatMoney(amountMinor, currency)}** of the payment ${workflowLink(paymentIntentId)}.`,
    '',
    ...referenceLine(input.reference),
    `- ${state}.`,
    ...(providerRefundId === null ? [] : [`- ${provider}'s refund: \`${providerRefundId}\`.`]),
    `- Provider: ${provider}, payment \`${providerPaymentId}\`, attempt \`${attemptId}\`.`,
    linksOfPayment(paymentIntentId),
  ]);
}
