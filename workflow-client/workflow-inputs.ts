import { strayChargeIdOf } from '../domain/ids.ts';
import { CAPTURE_METHODS, ENVIRONMENTS } from '../domain/payment.ts';
import type {
  DisputeInput,
  PaymentIntentInput,
  RefundInput,
  StrayChargeInput,
  WebhookDeliveryInput,
  WebhookRecoveryInput,
} from '../protocol/messages.ts';

/** The columns of an intent, as JSON, from which the input of its workflow is made. */
export interface PaymentInputRow {
  readonly id: string;
  readonly merchant_account_id: string;
  readonly environment: string;
  readonly amount_minor: number;
  readonly currency: string;
  readonly country: string | null;
  readonly capture_method: string;
  readonly reference?: string | null;
  /** In any form that PostgreSQL writes. */
  readonly expires_at: string;
  readonly attempt_budget: number;
  readonly customer_id: string | null;
}

/** The input of an intent's workflow. @throws RangeError for a value of a later version */
export function paymentInputOf(intent: PaymentInputRow): PaymentIntentInput {
  return {
    paymentIntentId: intent.id,
    merchantAccountId: intent.merchant_account_id,
    environment: known(ENVIRONMENTS, intent.environment),
    terms: {
      amountMinor: intent.amount_minor,
      currency: intent.currency,
      country: intent.country,
      captureMethod: known(CAPTURE_METHODS, intent.capture_method),
      ...withReference(intent),
    },
    expiresAt: new Date(intent.expires_at).toISOString(),
    attemptBudget: intent.attempt_budget,
    ...(intent.customer_id === null ? {} : { customerId: intent.customer_id }),
  };
}

function withReference({ reference }: { readonly reference?: string | null }): { readonly reference?: string } {
  return typeof reference === 'string' ? { reference } : {};
}

/** The columns of a refund, as JSON, from which the input of its workflow is made. */
export interface RefundInputRow {
  readonly id: string;
  readonly payment_intent_id: string;
  readonly merchant_account_id: string;
  readonly environment: string;
  readonly amount_minor: number;
  readonly currency: string;
  readonly provider: string;
  readonly attempt_id: string;
  readonly provider_payment_id: string;
  readonly reference?: string | null;
}

/** The input of a refund's workflow. @throws RangeError for a value of a later version */
export function refundInputOf(refund: RefundInputRow): RefundInput {
  return {
    refundId: refund.id,
    paymentIntentId: refund.payment_intent_id,
    merchantAccountId: refund.merchant_account_id,
    environment: known(ENVIRONMENTS, refund.environment),
    amountMinor: refund.amount_minor,
    currency: refund.currency,
    provider: refund.provider,
    attemptId: refund.attempt_id,
    providerPaymentId: refund.provider_payment_id,
    ...withReference(refund),
  };
}

/** The columns of a dispute, as JSON, from which the input of its workflow is made. */
export interface DisputeInputRow {
  readonly id: string;
  readonly payment_intent_id: string;
  readonly merchant_account_id: string;
  readonly environment: string;
  readonly provider: string;
  readonly provider_reference: string;
  readonly created_at: string;
}

/** The input of a dispute's workflow. @throws RangeError for a value of a later version */
export function disputeInputOf(dispute: DisputeInputRow): DisputeInput {
  return {
    disputeId: dispute.id,
    paymentIntentId: dispute.payment_intent_id,
    merchantAccountId: dispute.merchant_account_id,
    environment: known(ENVIRONMENTS, dispute.environment),
    provider: dispute.provider,
    providerReference: dispute.provider_reference,
    createdAt: new Date(dispute.created_at).toISOString(),
  };
}

/** The columns of a stray charge, as JSON, from which the input of its workflow is made. */
export interface StrayChargeInputRow {
  readonly attempt_id: string;
  readonly payment_intent_id: string;
  readonly merchant_account_id: string;
  readonly environment: string;
  readonly provider: string;
}

/** The attempt that was charged. */
export interface ChargedAttempt {
  readonly number: number;
  readonly amountMinor: number;
  readonly currency: string;
}

/**
 * The input of a stray charge's workflow. Amount and currency are those of the attempt.
 * @throws RangeError for a value of a later version
 */
export function strayChargeInputOf(strayCharge: StrayChargeInputRow, attempt: ChargedAttempt): StrayChargeInput {
  return {
    strayChargeId: strayChargeIdOf(strayCharge.attempt_id),
    attemptId: strayCharge.attempt_id,
    attemptNumber: attempt.number,
    paymentIntentId: strayCharge.payment_intent_id,
    merchantAccountId: strayCharge.merchant_account_id,
    environment: known(ENVIRONMENTS, strayCharge.environment),
    provider: strayCharge.provider,
    amountMinor: attempt.amountMinor,
    currency: attempt.currency,
  };
}

/** The columns of a delivery from which the input of its workflow is made. */
type WebhookInputRow = Omit<WebhookDeliveryInput, 'environment'> & { readonly environment: string };

/** The input of a delivery's workflow. @throws RangeError for a value of a later version */
export function webhookInputOf(delivery: WebhookInputRow): WebhookDeliveryInput {
  return { ...delivery, environment: known(ENVIRONMENTS, delivery.environment) };
}

/** The input of an endpoint's recovery. @throws RangeError for a value of a later version */
export function recoveryInputOf(
  endpoint: Omit<WebhookRecoveryInput, 'environment'> & { readonly environment: string },
): WebhookRecoveryInput {
  return { ...endpoint, environment: known(ENVIRONMENTS, endpoint.environment) };
}

/** A row that a later version has written must be left to the workers of that version. */
function known<Value extends string>(values: readonly Value[], value: string): Value {
  const found = values.find((each) => each === value);
  if (found === undefined) throw new RangeError(`this version does not know "${value}"`);
  return found;
}
