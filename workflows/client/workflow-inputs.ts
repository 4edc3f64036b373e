import { strayChargeIdOf } from '../../domain/ids.ts';
import type { CaptureMethod, Environment } from '../../domain/payment.ts';
import type { PaymentIntentInput, RefundInput, StrayChargeInput } from '../messages.ts';

/** The columns of an intent, as JSON, that its workflow is started with. */
export interface PaymentInputRow {
  readonly id: string;
  readonly merchant_account_id: string;
  readonly environment: Environment;
  readonly amount_minor: number;
  readonly currency: string;
  readonly country: string | null;
  readonly capture_method: CaptureMethod;
  /** In any form that PostgreSQL writes. */
  readonly expires_at: string;
  readonly attempt_budget: number;
}

/** What the workflow of an intent is started with. */
export function paymentInputOf(intent: PaymentInputRow): PaymentIntentInput {
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

/** The columns of a refund, as JSON, that its workflow is started with. */
export interface RefundInputRow {
  readonly id: string;
  readonly payment_intent_id: string;
  readonly merchant_account_id: string;
  readonly environment: Environment;
  readonly amount_minor: number;
  readonly currency: string;
  readonly provider: string;
  readonly attempt_id: string;
  readonly provider_payment_id: string;
}

/** What the workflow of a refund is started with. */
export function refundInputOf(refund: RefundInputRow): RefundInput {
  return {
    refundId: refund.id,
    paymentIntentId: refund.payment_intent_id,
    merchantAccountId: refund.merchant_account_id,
    environment: refund.environment,
    amountMinor: refund.amount_minor,
    currency: refund.currency,
    provider: refund.provider,
    attemptId: refund.attempt_id,
    providerPaymentId: refund.provider_payment_id,
  };
}

/** The columns of a stray charge, as JSON, that its workflow is started with. */
export interface StrayChargeInputRow {
  readonly attempt_id: string;
  readonly payment_intent_id: string;
  readonly merchant_account_id: string;
  readonly environment: Environment;
  readonly provider: string;
}

/** The attempt that was charged. */
export interface ChargedAttempt {
  readonly number: number;
  readonly amountMinor: number;
  readonly currency: string;
}

/** What the workflow of a stray charge is started with. Amount and currency are those of the attempt. */
export function strayChargeInputOf(strayCharge: StrayChargeInputRow, attempt: ChargedAttempt): StrayChargeInput {
  return {
    strayChargeId: strayChargeIdOf(strayCharge.attempt_id),
    attemptId: strayCharge.attempt_id,
    attemptNumber: attempt.number,
    paymentIntentId: strayCharge.payment_intent_id,
    merchantAccountId: strayCharge.merchant_account_id,
    environment: strayCharge.environment,
    provider: strayCharge.provider,
    amountMinor: attempt.amountMinor,
    currency: attempt.currency,
  };
}
