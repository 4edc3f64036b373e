import type { Database } from '../prisma/client.ts';
import { acceptRefund } from '../prisma/queries/refund.ts';
import { retryWhileDatabaseIsUnavailable } from './provider-calls.ts';
import type { RefundPaymentRequest, RefundPaymentResult } from '../protocol/refund-activities.ts';

/** Writes that the provider has accepted a refund and not ended it. From then on it may take days. */
export async function noteAcceptance(
  { direct }: Pick<Database, 'direct'>,
  { refundId }: RefundPaymentRequest,
  { outcome }: RefundPaymentResult,
): Promise<void> {
  if (outcome.kind !== 'pending') return;
  await retryWhileDatabaseIsUnavailable(() => direct.execute(acceptRefund(refundId, outcome.providerRefundId)));
}
