import type { PaymentIntentResource } from '../schemas/payment-intent-resource.ts';
import { ERROR_CATALOGUE, isErrorCode } from '../../domain/error-catalogue.ts';
import { errorForPage } from '../../domain/page-error.ts';
import type { LastError, MaskedPaymentMethod } from '../../domain/payment.ts';
import { isAuthorizedOrEnded, type PaymentStatus } from '../../domain/payment-state.ts';
import { FUTURE_USAGES, isOffSession, type SavedMethodUse } from '../../domain/saved-payment-method.ts';
import type { AttemptRow } from '../../prisma/fragments/payment-json.ts';
import type { StoredIntent } from '../../prisma/queries/payment-intent.ts';
import { presentTime } from './time.ts';

/** The states in which the expiry cannot act any more, and never did. */
const NEVER_EXPIRES: readonly PaymentStatus[] = ['requires_capture', 'succeeded', 'failed', 'canceled'];

/** The saved payment method that a payment's method was saved as, or refers to, and then how it is used. */
interface SavedOfPayment {
  readonly savedId?: string | null;
  readonly savedUse?: SavedMethodUse | null;
}

/** The payment intent as clients see it, from its row or from an event's snapshot. */
export function presentPaymentIntent(
  { intent, attempts }: Pick<StoredIntent, 'intent' | 'attempts'>,
  paymentMethod: MaskedPaymentMethod | null,
  { savedId = null, savedUse = null }: SavedOfPayment = {},
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
    amountDisputed: Math.min(intent.amount_disputed_minor, intent.amount_captured_minor),
    status: intent.status,
    reference: intent.reference,
    description: intent.description,
    customerId: intent.customer_id,
    country: intent.country,
    captureMethod: intent.capture_method,
    paymentMethod,
    setupFutureUsage: FUTURE_USAGES.find((usage) => usage === intent.setup_future_usage) ?? null,
    allowSavedPaymentMethods: intent.allow_saved_payment_methods,
    // The events of a payment before it was approved do not have what came of it later.
    savedPaymentMethodId: savedUse !== null || isAuthorizedOrEnded(intent.status) ? savedId : null,
    offSession: isOffSession(savedUse) ? savedUse : null,
    nextAction: presentNextAction(intent),
    provider: intent.provider,
    attempts: attempts.map(presentAttempt),
    lastError: presentLastError(intent.last_error),
    lastDecline: lastDeclineOf(attempts),
    advisory: intent.advisory,
    cancellationReason: intent.cancellation_reason,
    metadata: intent.metadata,
    disputeIds: intent.dispute_ids,
    disputedAt: intent.disputed_at === null ? null : presentTime(intent.disputed_at),
    captureBefore: intent.capture_before === null ? null : presentTime(intent.capture_before),
    expiresAt: NEVER_EXPIRES.includes(intent.status) ? null : presentTime(intent.expires_at),
    createdAt: presentTime(intent.created_at),
    updatedAt: presentTime(intent.updated_at),
  };
}

/**
 * The intent for a checkout page, without data that concern only the merchant and the providers, and without the customer's
 * record.
 */
export function presentIntentForPage(
  stored: Pick<StoredIntent, 'intent'>,
  paymentMethod: MaskedPaymentMethod | null,
): PaymentIntentResource {
  const { last_error: error } = stored.intent;
  const lastError = error === null ? null : { ...errorForPage(error), at: error.at };
  const intent = {
    ...stored.intent,
    last_error: lastError,
    customer_id: null,
    disputed_at: null,
    dispute_ids: [],
    amount_disputed_minor: 0,
    capture_before: null,
    provider: null,
    reference: null,
    metadata: {},
  };
  return presentPaymentIntent({ intent, attempts: [] }, paymentMethod);
}

function presentAttempt(attempt: AttemptRow): PaymentIntentResource['attempts'][number] {
  const { id, routeId: route, provider, tries, outcome, code, advice = null, networkCode = null } = attempt;
  const { paymentMethod = null, startedAt, finishedAt } = attempt;
  return {
    id,
    route,
    provider,
    paymentMethod,
    tries,
    outcome,
    code,
    advice,
    networkCode,
    startedAt: presentTime(startedAt),
    finishedAt: finishedAt === null ? null : presentTime(finishedAt),
  };
}

const NO_RETURN_URL =
  'The payment has no returnUrl: the customer stays on the page of the provider or the bank. Send returnUrl with the confirm, or ' +
  'watch the payment elsewhere.';

/** What the customer has to do; with a warning before a redirect from which nothing leads back. */
function presentNextAction({ next_action: action, return_url: returnUrl }: StoredIntent['intent']) {
  return action?.type === 'redirect' && returnUrl === null ? { ...action, warning: NO_RETURN_URL } : action;
}

/** Why the last attempt that was declined or failed did not pay. */
function lastDeclineOf(attempts: readonly AttemptRow[]): PaymentIntentResource['lastDecline'] {
  const attempt = attempts.findLast(({ outcome }) => outcome === 'declined' || outcome === 'failed');
  if (attempt === undefined) return null;
  const { id: attemptId, code, advice = null, finishedAt, startedAt } = attempt;
  const message = code !== null && isErrorCode(code) ? ERROR_CATALOGUE[code].message : null;
  return { attemptId, code, message, advice, at: presentTime(finishedAt ?? startedAt) };
}

function presentLastError(error: LastError | null): PaymentIntentResource['lastError'] {
  if (error === null) return null;
  const { code, message, details, at } = error;
  return { code, message, ...(details === undefined ? {} : { details }), at: presentTime(at) };
}
