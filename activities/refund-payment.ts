import {
  isFinalRefund,
  refundAgrees,
  type FinalRefundOutcome,
  type RefundInquiryOutcome,
} from '../domain/provider-outcome.ts';
import type { PaymentProvider } from '../providers/payment-provider.ts';
import type { ProviderRegistry } from '../providers/provider-registry.ts';
import { amountDiffers, outcomeOpen, providerOf, tryNumber, withHeartbeat } from './provider-calls.ts';
import type { RefundAtProvider, RefundPaymentRequest, RefundPaymentResult } from './refund-activities.ts';

/**
 * Asks the provider to give money back. Repeated under the refund's key until the provider has answered: an earlier
 * request may be on its way. An answer of unknown shape is inquired about at every try: what the inquiry finds also
 * covers the earlier requests, for a key that nothing was given back with is closed by it.
 */
export async function refundPayment(
  registry: ProviderRegistry,
  request: RefundPaymentRequest,
): Promise<RefundPaymentResult> {
  const provider = providerOf(registry, request);
  const { provider: _, ...refund } = request;
  const tries = tryNumber();
  return withHeartbeat(async (signal) => {
    const outcome = await provider.refund(refund, signal);
    if (outcome.kind !== 'unrecognised') {
      return { outcome: requireSameAmount(request, outcome), unrecognised: null, tries };
    }
    const state = await inquire(provider, request, signal);
    return { outcome: state, unrecognised: outcome.providerResponse, tries };
  });
}

/** Asks for the end of a refund; fails, so as to be retried, while there is none. */
export async function awaitRefund(registry: ProviderRegistry, refund: RefundAtProvider): Promise<FinalRefundOutcome> {
  const provider = providerOf(registry, refund);
  const outcome = await withHeartbeat((signal) => inquire(provider, refund, signal));
  if (isFinalRefund(outcome)) return outcome;
  throw outcomeOpen(refund, outcome.kind);
}

async function inquire(
  provider: PaymentProvider,
  refund: RefundAtProvider,
  signal: AbortSignal,
): Promise<RefundInquiryOutcome> {
  const { refundId, environment } = refund;
  return requireSameAmount(refund, await provider.inquireRefund({ refundId, environment }, signal));
}

/** Another amount than was asked for is never recorded; the provider is asked again. */
function requireSameAmount(refund: RefundAtProvider, outcome: RefundInquiryOutcome): RefundInquiryOutcome {
  if (outcome.kind !== 'refunded' && outcome.kind !== 'pending') return outcome;
  const { amountMinor, currency, provider, refundId } = refund;
  if (refundAgrees(outcome, { amountMinor, currency })) return outcome;
  const reported = { amountMinor: outcome.amountMinor, currency: outcome.currency };
  throw amountDiffers({ provider, key: refundId }, { amountMinor, currency }, reported);
}
