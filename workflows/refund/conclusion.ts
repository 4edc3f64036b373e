import { ERROR_CATALOGUE, type ErrorCode } from '../../domain/error-catalogue.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { PaymentError } from '../../domain/payment.ts';
import type { RefundConclusion } from '../../domain/refund.ts';
import type { RefundInput } from '../messages.ts';
import type { RefundEnd } from './settle.ts';

/** What the end of a refund at its provider means: what is recorded and answered. Pure. */
export function concludeRefund(
  { refundId, provider }: Pick<RefundInput, 'refundId' | 'provider'>,
  end: RefundEnd,
  now: string,
): RefundConclusion {
  const { outcome, tries } = end;
  const common = { refundId, at: now, tries };
  if (outcome.kind === 'refunded') {
    return { ...common, status: 'succeeded', providerRefundId: outcome.providerRefundId, failure: null };
  }
  const providerRefundId = outcome.kind === 'refused' ? outcome.providerRefundId : null;
  return { ...common, status: 'failed', providerRefundId, failure: failureOf(provider, end) };
}

function failureOf(provider: string, { outcome, doubt }: RefundEnd): PaymentError {
  if (outcome.kind === 'refused') return failure('REFUND_FAILED', { provider, ...outcome.details });
  if (doubt?.kind === 'outage') return failure(doubt.code, { provider });
  if (doubt?.kind === 'unrecognised') {
    return failure('REFUND_FAILED', { provider, providerResponse: doubt.providerResponse });
  }
  if (doubt?.kind === 'restarted') return failure('REFUND_FAILED', { provider, reason: 'workflow_ended' });
  return failure('REFUND_FAILED', { provider });
}

function failure(code: ErrorCode, details: JsonObject): PaymentError {
  return { code, message: ERROR_CATALOGUE[code].message, details };
}
