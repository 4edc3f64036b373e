import type { Attempt, LastError } from '../../domain/payment.ts';
import type { MaskedPaymentMethod } from '../../vault/masking.ts';
import type { PaymentIntentResource } from '../schemas/payment-intent-resource.ts';
import type { IntentSnapshot } from './stored-intent.ts';

/** The payment intent as clients see it, from its row or from an event's snapshot. */
export function presentPaymentIntent(
  { intent, attempts }: IntentSnapshot,
  paymentMethod: MaskedPaymentMethod | null,
): PaymentIntentResource {
  return {
    id: intent.id,
    object: 'payment_intent',
    merchantId: intent.merchant_account_id,
    environment: intent.environment,
    amount: intent.amount_minor,
    currency: intent.currency,
    amountCapturable: intent.amount_capturable_minor,
    amountCaptured: intent.amount_captured_minor,
    amountRefunded: intent.amount_refunded_minor,
    status: intent.status,
    description: intent.description,
    customerId: intent.customer_id,
    country: intent.country,
    captureMethod: intent.capture_method,
    paymentMethod,
    nextAction: intent.next_action,
    provider: intent.provider,
    attempts: attempts.map(presentAttempt),
    lastError: presentLastError(intent.last_error),
    advisory: intent.advisory,
    cancellationReason: intent.cancellation_reason,
    metadata: intent.metadata,
    expiresAt: presentTime(intent.expires_at),
    createdAt: presentTime(intent.created_at),
    updatedAt: presentTime(intent.updated_at),
  };
}

function presentAttempt(attempt: Attempt): PaymentIntentResource['attempts'][number] {
  const { id, routeId: route, provider, tries, outcome, code, startedAt, finishedAt } = attempt;
  return {
    id,
    route,
    provider,
    tries,
    outcome,
    code,
    startedAt: presentTime(startedAt),
    finishedAt: finishedAt === null ? null : presentTime(finishedAt),
  };
}

function presentLastError(error: LastError | null): PaymentIntentResource['lastError'] {
  if (error === null) return null;
  const { code, message, details, at } = error;
  return { code, message, ...(details === undefined ? {} : { details }), at: presentTime(at) };
}

/** ISO 8601 UTC with milliseconds, whatever form and zone the database wrote. */
export function presentTime(time: string): string {
  return new Date(time).toISOString();
}
