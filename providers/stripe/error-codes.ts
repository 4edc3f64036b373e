import type { CardDeclineReason, Declined, Failed } from '../../domain/provider-outcome.ts';
import type { StripePaymentError } from './messages.ts';

type Refusal =
  | { readonly kind: 'declined'; readonly code: Declined['code']; readonly reason?: CardDeclineReason }
  | { readonly kind: 'failed'; readonly code: Extract<Failed['code'], 'FRAUD_DETECTED'> };

const CARD: Refusal = { kind: 'declined', code: 'CARD_DECLINED' };
const EXPIRED: Refusal = { ...CARD, reason: 'expired_card' };
const NOT_AUTHENTICATED: Refusal = { ...CARD, reason: 'authentication_failed' };
const PAYMENT: Refusal = { kind: 'declined', code: 'PAYMENT_DECLINED' };
const LIMIT: Refusal = { kind: 'declined', code: 'LIMIT_EXCEEDED' };
const FRAUD: Refusal = { kind: 'failed', code: 'FRAUD_DETECTED' };

/** Every decline code that Stripe documents (docs.stripe.com/declines/codes). */
const BY_DECLINE_CODE: ReadonlyMap<string, Refusal> = new Map<string, Refusal>([
  ['approve_with_id', PAYMENT],
  ['authentication_not_handled', NOT_AUTHENTICATED],
  ['authentication_required', NOT_AUTHENTICATED],
  ['call_issuer', PAYMENT],
  ['card_not_supported', CARD],
  ['card_velocity_exceeded', LIMIT],
  ['currency_not_supported', { kind: 'declined', code: 'UNSUPPORTED_CURRENCY_PAIR' }],
  ['do_not_honor', PAYMENT],
  ['do_not_try_again', PAYMENT],
  ['duplicate_transaction', PAYMENT],
  ['expired_card', EXPIRED],
  ['fraudulent', FRAUD],
  ['generic_decline', CARD],
  ['incorrect_address', CARD],
  ['incorrect_cvc', CARD],
  ['incorrect_number', CARD],
  ['incorrect_pin', CARD],
  ['incorrect_zip', CARD],
  ['insufficient_funds', { kind: 'declined', code: 'INSUFFICIENT_FUNDS' }],
  ['invalid_account', CARD],
  ['invalid_amount', LIMIT],
  ['invalid_cvc', CARD],
  ['invalid_expiry_month', CARD],
  ['invalid_expiry_year', CARD],
  ['invalid_number', CARD],
  ['invalid_pin', CARD],
  ['issuer_not_available', PAYMENT],
  ['lost_card', CARD],
  ['merchant_blacklist', FRAUD],
  ['mobile_device_authentication_required', NOT_AUTHENTICATED],
  ['new_account_information_available', CARD],
  ['no_action_taken', PAYMENT],
  ['not_permitted', PAYMENT],
  ['offline_pin_required', CARD],
  ['online_or_offline_pin_required', CARD],
  ['pickup_card', CARD],
  ['pin_try_exceeded', CARD],
  ['previously_declined_do_not_retry', PAYMENT],
  ['processing_error', PAYMENT],
  ['reenter_transaction', PAYMENT],
  ['restricted_card', CARD],
  ['revocation_of_all_authorizations', PAYMENT],
  ['revocation_of_authorization', PAYMENT],
  ['security_violation', PAYMENT],
  ['service_not_allowed', PAYMENT],
  ['stolen_card', CARD],
  ['stop_payment_order', PAYMENT],
  ['testmode_decline', CARD],
  ['transaction_not_allowed', PAYMENT],
  ['try_again_later', PAYMENT],
  ['withdrawal_count_limit_exceeded', LIMIT],
]);

/** Errors without a decline code, or whose own code is more exact. */
const BY_ERROR_CODE: ReadonlyMap<string, Refusal> = new Map<string, Refusal>([
  ['amount_too_large', LIMIT],
  ['amount_too_small', LIMIT],
  ['authentication_required', NOT_AUTHENTICATED],
  ['card_decline_rate_limit_exceeded', LIMIT],
  ['card_declined', CARD],
  ['charge_exceeds_source_limit', LIMIT],
  ['charge_exceeds_transaction_limit', LIMIT],
  ['expired_card', EXPIRED],
  ['expired_payment_method', EXPIRED],
  ['incorrect_address', CARD],
  ['incorrect_cvc', CARD],
  ['incorrect_number', CARD],
  ['incorrect_zip', CARD],
  ['insufficient_funds', { kind: 'declined', code: 'INSUFFICIENT_FUNDS' }],
  ['invalid_card_type', CARD],
  ['invalid_cvc', CARD],
  ['invalid_expiry_month', CARD],
  ['invalid_expiry_year', CARD],
  ['invalid_number', CARD],
  ['payment_intent_authentication_failure', NOT_AUTHENTICATED],
  ['payment_intent_payment_attempt_expired', NOT_AUTHENTICATED],
  ['payment_method_currency_mismatch', { kind: 'declined', code: 'UNSUPPORTED_CURRENCY_PAIR' }],
  ['processing_error', PAYMENT],
]);

/** The meaning of Stripe's error for the payment; null if the error is not about a card or an amount. */
export function refusalOf({ type, code, decline_code: declineCode }: StripePaymentError): Refusal | null {
  const known = BY_DECLINE_CODE.get(declineCode ?? '') ?? BY_ERROR_CODE.get(code ?? '');
  return known ?? (type === 'card_error' ? CARD : null);
}

/** Codes with which Stripe refuses a refund for good. */
export const REFUND_REFUSALS: ReadonlySet<string> = new Set([
  'charge_already_refunded',
  'charge_disputed',
  'charge_not_refundable',
  'refund_disputed_payment',
]);
