import type { PaymentIntentResource } from '../api/schemas/payment-intent-resource.ts';
import type {
  Advisory,
  Attempt,
  CancellationReason,
  CaptureMethod,
  Environment,
  LastError,
  NextAction,
} from '../domain/payment.ts';
import type { PaymentStatus } from '../domain/payment-state.ts';
import type { MaskedPaymentMethod } from '../vault/masking.ts';
import { presentTime } from './time.ts';

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
  readonly cancellation_reason: CancellationReason | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly attempt_budget: number;
  readonly expires_at: string;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** An intent and its attempts: the snapshot that events store. */
export interface IntentSnapshot {
  readonly intent: IntentRow;
  readonly attempts: readonly Attempt[];
}

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

/** The intent for a checkout page, without data between the merchant and the providers, and without the customer's record. */
export function withoutInternals(intent: PaymentIntentResource): PaymentIntentResource {
  return { ...intent, customerId: null, provider: null, attempts: [], metadata: {} };
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
