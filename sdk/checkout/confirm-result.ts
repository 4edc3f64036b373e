import type { ApiResult } from './api-client.ts';
import { hasEnded } from './payment-events.ts';
import type { CheckoutError, ConfirmOutcome, ConfirmResult, PaymentStatus } from './types.ts';

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
  const nextAction = payment?.nextAction ?? null;
  return { outcome: outcomeOf(payment?.status ?? null, error, emitted), payment, nextAction, action: null, error };
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
