import { ERROR_CATALOGUE } from '../../domain/error-catalogue.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { PaymentError } from '../../domain/payment.ts';
import type { RefundResolution } from '../../domain/refund.ts';
import type { RefundInput } from '../../protocol/messages.ts';
import type { RefundEnd } from './complete.ts';

/** Resolves the end of a refund at its provider to what is recorded. Pure. */
export function resolveRefund(
  { refundId, provider, amountMinor }: Pick<RefundInput, 'refundId' | 'provider' | 'amountMinor'>,
  end: RefundEnd,
  now: string,
): RefundResolution {
  const { outcome, tries } = end;
  const common = { refundId, at: now, tries };
  if (outcome.kind === 'refunded') {
    const { providerRefundId, amountMinor: refundedMinor } = outcome;
    const differs = refundedMinor === amountMinor ? {} : { refundedMinor };
    return { ...common, status: 'succeeded', providerRefundId, failure: null, ...differs };
  }
  const providerRefundId = outcome.kind === 'refused' ? outcome.providerRefundId : null;
  return { ...common, status: 'failed', providerRefundId, failure: failureOf(provider, end) };
}

function failureOf(provider: string, { outcome, unrecognised }: RefundEnd): PaymentError {
  if (outcome.kind === 'refused') return failure({ provider, ...outcome.details });
  return failure(unrecognised === null ? { provider } : { provider, providerResponse: unrecognised });
}

function failure(details: JsonObject): PaymentError {
  return { code: 'REFUND_FAILED', message: ERROR_CATALOGUE.REFUND_FAILED.message, details };
}
