import type { Attempt } from '../../domain/payment.ts';
import type { StoredIntent } from '../../prisma/queries/payment-intent.ts';

/** An intent as the API reads it, in its first state. */
export function storedIntent(change: Partial<StoredIntent['intent']> = {}): StoredIntent {
  return {
    intent: {
      id: 'pi_0192f0c1a2b37c4d8e5f60718293a4b5',
      merchant_account_id: 'mer_1',
      environment: 'sandbox',
      amount_minor: 1_234,
      currency: 'USD',
      amount_capturable_minor: 0,
      amount_captured_minor: 0,
      amount_refunded_minor: 0,
      amount_refunding_minor: 0,
      amount_disputed_minor: 0,
      dispute_ids: [],
      status: 'requires_payment_method',
      description: null,
      customer_id: null,
      country: null,
      capture_method: 'automatic',
      setup_future_usage: null,
      allow_saved_payment_methods: false,
      payment_method_id: null,
      next_action: null,
      provider: null,
      last_error: null,
      advisory: null,
      cancellation_reason: null,
      metadata: {},
      reference: null,
      disputed_at: null,
      attempt_budget: 5,
      capture_before: null,
      expires_at: '2026-06-01T12:30:00+00:00',
      version: 0,
      return_url: null,
      status_since: '2026-06-01T12:00:00.5+00:00',
      created_at: '2026-06-01T12:00:00.5+00:00',
      updated_at: '2026-06-01T14:00:00.123+02:00',
      ...change,
    },
    attempts: [],
    paymentMethod: null,
  };
}

/** A declined attempt, as events have it. */
export const STORED_ATTEMPT: Attempt = {
  id: 'att_1',
  number: 1,
  routeId: 'rt_1',
  provider: 'alpha',
  paymentMethodId: 'pm_1',
  amountMinor: 1_234,
  currency: 'USD',
  tries: 2,
  outcome: 'declined',
  code: 'CARD_DECLINED',
  advice: 'later',
  networkCode: '51',
  providerPaymentId: 'sim_1',
  startedAt: '2026-06-01T12:00:01+00:00',
  finishedAt: null,
  operationId: 'op_1',
};
