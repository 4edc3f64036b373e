import { activityInfo } from '@temporalio/activity';
import { isFinalRefund, type FinalRefundOutcome, type RefundInquiryOutcome } from '../domain/provider-outcome.ts';
import type { ProviderRegistry } from '../providers/provider-registry.ts';
import type { RefundAtProvider, RefundPaymentRequest, RefundPaymentResult } from './refund-activities.ts';
import { outcomeOpen, providerOf, withHeartbeat } from './with-heartbeat.ts';

/** Asks the provider to give money back. */
export async function refundPayment(
  registry: ProviderRegistry,
  request: RefundPaymentRequest,
): Promise<RefundPaymentResult> {
  const provider = providerOf(registry, request);
  const outcome = await withHeartbeat((signal) => provider.refund(request, signal));
  return { outcome, tries: activityInfo().attempt };
}

/** Asks the provider once what became of a refund. */
export async function inquireRefund(
  registry: ProviderRegistry,
  refund: RefundAtProvider,
): Promise<RefundInquiryOutcome> {
  const provider = providerOf(registry, refund);
  return withHeartbeat((signal) => provider.inquireRefund(refund, signal));
}

/** Asks for the end of a refund; fails, so as to be retried, while there is none. */
export async function awaitRefund(registry: ProviderRegistry, refund: RefundAtProvider): Promise<FinalRefundOutcome> {
  const outcome = await inquireRefund(registry, refund);
  if (isFinalRefund(outcome)) return outcome;
  throw outcomeOpen(refund, outcome.kind);
}
