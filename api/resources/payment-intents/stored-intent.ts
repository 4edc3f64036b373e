import type { PaymentMethodType } from '../../../domain/payment.ts';
import type { IntentRow, IntentSnapshot } from '../../../presenters/payment-intent.ts';
import type { MaskedPaymentMethod } from '../../../vault/masking.ts';
import type { PaymentIntentInput } from '../../../workflows/messages.ts';

/** An intent as it is read for a response. */
export interface StoredIntent extends IntentSnapshot {
  readonly paymentMethod: { readonly type: PaymentMethodType; readonly masked: MaskedPaymentMethod } | null;
}

/** What the intent's workflow is started with. */
export function workflowInputOf(intent: IntentRow): PaymentIntentInput {
  return {
    paymentIntentId: intent.id,
    merchantAccountId: intent.merchant_account_id,
    environment: intent.environment,
    terms: {
      amountMinor: intent.amount_minor,
      currency: intent.currency,
      country: intent.country,
      captureMethod: intent.capture_method,
    },
    expiresAt: new Date(intent.expires_at).toISOString(),
    attemptBudget: intent.attempt_budget,
  };
}
