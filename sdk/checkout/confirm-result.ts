import { type ApiResult, NETWORK_ERROR } from './api-client.ts';
import { hasEnded, UNKNOWN_FAILURE } from './payment-events.ts';
import type { CheckoutError, ConfirmOutcome, ConfirmResult, PaymentStatus, UnpaidOutcome } from './types.ts';

const OUTCOME_OF: Readonly<Record<PaymentStatus, ConfirmOutcome>> = {
  requires_payment_method: 'declined',
  processing: 'processing',
  requires_action: 'requires_action',
  requires_capture: 'authorized',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
  expired: 'failed',
};

/** Codes that leave open whether an earlier try of the same request has paid. */
const UNDECIDED_CODES = [
  'NETWORK_ERROR',
  'SERVICE_UNAVAILABLE',
  'INTERNAL_ERROR',
  'DUPLICATE_REQUEST',
  'API_KEY_EXPIRED',
];

/**
 * The result of a confirm.
 * @param emitted the status of the last event, which may be terminal before the response is
 */
export function confirmResult({ payment, error }: ApiResult, emitted: PaymentStatus | null): ConfirmResult {
  const common = { payment, nextAction: payment?.nextAction ?? null, action: null };
  const outcome = outcomeOf(payment?.status ?? null, error, emitted);
  return isUnpaid(outcome)
    ? { ...common, outcome, error: error ?? payment?.lastError ?? reasonOf(outcome) }
    : { ...common, outcome, error };
}

/** Where the API does not say why. */
function reasonOf(outcome: UnpaidOutcome): CheckoutError {
  return outcome === 'unknown' ? NETWORK_ERROR : UNKNOWN_FAILURE;
}

function isUnpaid(outcome: ConfirmOutcome): outcome is UnpaidOutcome {
  return outcome === 'declined' || outcome === 'failed' || outcome === 'refused' || outcome === 'unknown';
}

function outcomeOf(
  status: PaymentStatus | null,
  error: CheckoutError | null,
  emitted: PaymentStatus | null,
): ConfirmOutcome {
  if (status !== null) return OUTCOME_OF[status];
  if (error !== null && !UNDECIDED_CODES.includes(error.code)) return 'refused';
  return emitted !== null && hasEnded(emitted) ? OUTCOME_OF[emitted] : 'unknown';
}
