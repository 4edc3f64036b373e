import type {
  Approved,
  Declined,
  Failed,
  InquiryOutcome,
  NotCharged,
  RefundInquiryOutcome,
} from '../../domain/provider-outcome.ts';
import type { MaskedCard } from '../../domain/payment.ts';
import { redactProviderResponse } from '../../domain/redaction.ts';
import { SECOND_MS } from '../../domain/time.ts';
import { ProviderOutageError } from '../provider-errors.ts';
import { noteUnknownValue } from '../reported-values.ts';
import { adviceOf, refusalOf } from './error-codes.ts';
import type { StripeIntent, StripePaymentError, StripeRefund } from './messages.ts';
import { fromStripeAmount } from './money.ts';

/** Translates a PaymentIntent; null while it is not confirmed, so that it cannot charge. */
export function outcomeOf(intent: StripeIntent): InquiryOutcome | null {
  const { id: providerPaymentId, status, last_payment_error: error } = intent;
  switch (status) {
    case 'requires_confirmation':
      return null;
    case 'requires_payment_method':
      return error === null ? null : declineOf(error, providerPaymentId);
    case 'requires_action':
      return actionOf(intent);
    case 'requires_capture':
      return approvalOf(intent, intent.amount_capturable, false);
    case 'succeeded':
      return approvalOf(intent, intent.amount, true);
    case 'canceled':
      return notChargedOf(intent);
    default:
      if (status !== 'processing') noteUnknownValue('stripe payment_intent.status', status);
      return { kind: 'pending', providerPaymentId };
  }
}

/** A decline of a confirmed payment, or of a card that cannot be used at all. */
export function declineOf(error: StripePaymentError, providerPaymentId: string | null): Declined | Failed {
  const refusal = refusalOf(error) ?? { kind: 'declined', code: 'PAYMENT_DECLINED' };
  const advised = adviceOf(error);
  if (refusal.kind === 'failed') return { kind: 'failed', providerPaymentId, code: refusal.code, ...advised };
  const { code, reason } = refusal;
  const details = reason === undefined ? {} : { details: { reason } };
  return { kind: 'declined', providerPaymentId, code, ...details, ...advised };
}

function actionOf({ id: providerPaymentId, next_action: action }: StripeIntent): InquiryOutcome {
  const url = action?.redirect_to_url?.url ?? null;
  // Every confirmation names a return URL or forbids actions, so an action without a redirect is not one for the customer.
  if (url === null) return { kind: 'pending', providerPaymentId };
  return { kind: 'requires_action', providerPaymentId, nextAction: { type: 'redirect', url } };
}

function approvalOf(intent: StripeIntent, amount: number, captured: boolean): Approved {
  const { id: providerPaymentId, amount_received: received } = intent;
  const money = reportedMoney({ amount, currency: intent.currency });
  const capturedMinor = reportedMoney({ amount: received, currency: intent.currency }).amountMinor;
  const isPart = captured && capturedMinor !== money.amountMinor;
  const card = cardOf(intent);
  const captureBefore = captured ? null : captureBeforeOf(intent);
  return {
    kind: 'approved',
    providerPaymentId,
    ...money,
    captured,
    ...(isPart ? { capturedMinor } : {}),
    ...(card === null ? {} : { card }),
    ...(captureBefore === null ? {} : { captureBefore }),
  };
}

/** Stripe's names of brands that have other names here. */
const BRANDS: ReadonlyMap<string, string> = new Map([
  ['amex', 'american_express'],
  ['diners', 'diners_club'],
]);

/** Webhooks have only the id of the charge, which does not tell the card. */
function chargedCardOf({ latest_charge: charge }: StripeIntent) {
  return typeof charge === 'object' ? (charge?.payment_method_details?.card ?? null) : null;
}

/** Stripe says it of each hold: it depends on the card's brand, the country and who began the payment. */
function captureBeforeOf(intent: StripeIntent): string | null {
  const seconds = chargedCardOf(intent)?.capture_before;
  return seconds == null ? null : new Date(seconds * SECOND_MS).toISOString();
}

function cardOf(intent: StripeIntent): MaskedCard | null {
  const card = chargedCardOf(intent);
  if (card === null) return null;
  const { brand, last4, exp_month: expiryMonth, exp_year: expiryYear } = card;
  return { type: 'card', brand: BRANDS.get(brand ?? '') ?? brand ?? 'unknown', last4, expiryMonth, expiryYear };
}

function notChargedOf({ id: providerPaymentId, latest_charge: charge }: StripeIntent): NotCharged {
  const isVoided = charge !== null && typeof charge === 'object' && charge.status === 'succeeded' && !charge.captured;
  if (!isVoided) return { kind: 'not_charged' };
  return { kind: 'not_charged', voided: { providerPaymentId, ...reportedMoney(charge) } };
}

/** Translates a refund. A refund that fails after it had succeeded is refused: the money is back on the balance. */
export function refundOutcomeOf(refund: StripeRefund): Exclude<RefundInquiryOutcome, { kind: 'not_refunded' }> {
  const { id: providerRefundId, status, failure_reason: failureReason = null } = refund;
  switch (status) {
    case 'succeeded':
      return { kind: 'refunded', providerRefundId, ...reportedMoney(refund) };
    case 'failed':
    case 'canceled': {
      const providerResponse = redactProviderResponse({ status, failureReason });
      return { kind: 'refused', providerRefundId, details: { providerResponse } };
    }
    default:
      if (status !== 'pending' && status !== 'requires_action')
        noteUnknownValue('stripe refund.status', String(status));
      return { kind: 'pending', providerRefundId, ...reportedMoney(refund) };
  }
}

/**
 * The amount in minor units and the currency, as Stripe reports them.
 * @throws ProviderOutageError where Stripe reports a fraction of a minor unit
 */
export function reportedMoney({ amount, currency }: { readonly amount: number; readonly currency: string }) {
  const amountMinor = fromStripeAmount(amount, currency);
  if (amountMinor === null) throw new ProviderOutageError('TSP_ERROR', 'the amount is no whole number of minor units');
  return { amountMinor, currency: currency.toUpperCase() };
}
