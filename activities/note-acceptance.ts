import { retryWhileDatabaseIsUnavailable } from './provider-calls.ts';
import type { RefundRows } from './refund-payment.ts';
import type { RefundPaymentRequest, RefundPaymentResult } from '../protocol/refund-activities.ts';

/** Writes that the provider has accepted a refund and not ended it. From then on it may take days. */
export async function noteAcceptance(
  { accept }: Pick<RefundRows, 'accept'>,
  { refundId }: RefundPaymentRequest,
  { outcome }: RefundPaymentResult,
): Promise<void> {
  if (outcome.kind === 'pending')
    await retryWhileDatabaseIsUnavailable(() => accept(refundId, outcome.providerRefundId));
}
