import type {
  Advisory,
  Attempt,
  CaptureMethod,
  Environment,
  LastError,
  NextAction,
  PaymentMethodType,
} from '../../domain/payment.ts';
import type { PaymentStatus } from '../../domain/payment-state.ts';
import type { MaskedPaymentMethod } from '../../vault/masking.ts';
import type { PaymentIntentInput } from '../../workflows/messages.ts';

/** A row of payment_intent as PostgreSQL turns it into JSON, without the hash of the client secret. */
export interface IntentRow {
  readonly id: string;
  readonly merchant_account_id: string;
  readonly environment: Environment;
  readonly amount_minor: number;
  readonly currency: string;
  readonly amount_capturable_minor: number;
  readonly amount_captured_minor: number;
  readonly amount_refunded_minor: number;
  readonly status: PaymentStatus;
  readonly description: string | null;
  readonly customer_id: string | null;
  readonly country: string | null;
  readonly capture_method: CaptureMethod;
  readonly payment_method_id: string | null;
  readonly next_action: NextAction | null;
  readonly provider: string | null;
  readonly last_error: LastError | null;
  readonly advisory: Advisory | null;
  readonly cancellation_reason: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly attempt_budget: number;
  readonly expires_at: string;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** An intent and its attempts: what events keep as their snapshot. */
export interface IntentSnapshot {
  readonly intent: IntentRow;
  readonly attempts: readonly Attempt[];
}

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
