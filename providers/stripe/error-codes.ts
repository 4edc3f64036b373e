import type { Advised } from '../../domain/decline-advice.ts';
import type { CardDeclineReason, Declined, Failed } from '../../domain/provider-outcome.ts';
import { advise, ISSUER_DECLINE, merchantAdviceOf, overruledBy } from '../network-advice.ts';
import type { StripePaymentError } from './messages.ts';

type Refusal = Pick<Advised, 'advice' | 'isIssuerDecline'> &
  (
    | { readonly kind: 'declined'; readonly code: Declined['code']; readonly reason?: CardDeclineReason }
    | { readonly kind: 'failed'; readonly code: Extract<Failed['code'], 'FRAUD_DETECTED'> }
  );

const NEVER = advise('never');
const LATER = advise('later');
const ELSEWHERE = advise('elsewhere');
const AUTHENTICATE = advise('authenticate');
const CORRECT_DATA = advise('correct_data');

const CARD: Refusal = { kind: 'declined', code: 'CARD_DECLINED' };
const EXPIRED: Refusal = { ...CARD, reason: 'expired_card' };
const NOT_AUTHENTICATED: Refusal = { ...CARD, reason: 'authentication_failed' };
const PAYMENT: Refusal = { kind: 'declined', code: 'PAYMENT_DECLINED' };
const LIMIT: Refusal = { kind: 'declined', code: 'LIMIT_EXCEEDED' };
const FRAUD: Refusal = { kind: 'failed', code: 'FRAUD_DETECTED' };

/** Every decline code that Stripe documents (docs.stripe.com/declines/codes). */
const BY_DECLINE_CODE: ReadonlyMap<string, Refusal> = new Map<string, Refusal>([
  ['approve_with_id', { ...PAYMENT, ...LATER }],
  ['authentication_not_handled', { ...NOT_AUTHENTICATED, ...AUTHENTICATE }],
  ['authentication_required', { ...NOT_AUTHENTICATED, ...AUTHENTICATE }],
  ['call_issuer', { ...PAYMENT, ...ISSUER_DECLINE }],
  ['card_not_supported', { ...CARD, ...ISSUER_DECLINE }],
  ['card_velocity_exceeded', { ...LIMIT, ...LATER }],
  ['currency_not_supported', { kind: 'declined', code: 'UNSUPPORTED_CURRENCY_PAIR', ...NEVER }],
  ['do_not_honor', { ...PAYMENT, ...ISSUER_DECLINE }],
  ['do_not_try_again', { ...PAYMENT, ...NEVER }],
  ['duplicate_transaction', { ...PAYMENT, ...LATER }],
  ['expired_card', { ...EXPIRED, ...CORRECT_DATA }],
  ['fraudulent', { ...FRAUD, ...NEVER }],
  ['generic_decline', { ...CARD, ...ISSUER_DECLINE }],
  ['incorrect_address', { ...CARD, ...CORRECT_DATA }],
  ['incorrect_cvc', { ...CARD, ...CORRECT_DATA }],
  ['incorrect_number', { ...CARD, ...CORRECT_DATA }],
  ['incorrect_pin', { ...CARD, ...CORRECT_DATA }],
  ['incorrect_zip', { ...CARD, ...CORRECT_DATA }],
  ['insufficient_funds', { kind: 'declined', code: 'INSUFFICIENT_FUNDS', ...LATER }],
  ['invalid_account', { ...CARD, ...NEVER }],
  ['invalid_amount', { ...LIMIT, ...LATER }],
  ['invalid_cvc', { ...CARD, ...CORRECT_DATA }],
  ['invalid_expiry_month', { ...CARD, ...CORRECT_DATA }],
  ['invalid_expiry_year', { ...CARD, ...CORRECT_DATA }],
  ['invalid_number', { ...CARD, ...CORRECT_DATA }],
  ['invalid_pin', { ...CARD, ...CORRECT_DATA }],
  ['issuer_not_available', { ...PAYMENT, ...ELSEWHERE }],
  ['lost_card', { ...CARD, ...NEVER }],
  ['merchant_blacklist', { ...FRAUD, ...NEVER }],
  ['mobile_device_authentication_required', { ...NOT_AUTHENTICATED, ...AUTHENTICATE }],
  ['new_account_information_available', { ...CARD, ...CORRECT_DATA }],
  ['no_action_taken', { ...PAYMENT, ...ISSUER_DECLINE }],
  ['not_permitted', { ...PAYMENT, ...NEVER }],
  ['offline_pin_required', { ...CARD, ...AUTHENTICATE }],
  ['online_or_offline_pin_required', { ...CARD, ...AUTHENTICATE }],
  ['pickup_card', { ...CARD, ...NEVER }],
  ['pin_try_exceeded', { ...CARD, ...LATER }],
  ['previously_declined_do_not_retry', { ...PAYMENT, ...NEVER }],
  ['processing_error', { ...PAYMENT, ...ELSEWHERE }],
  ['reenter_transaction', { ...PAYMENT, ...ELSEWHERE }],
  ['restricted_card', { ...CARD, ...LATER }],
  ['revocation_of_all_authorizations', { ...PAYMENT, ...NEVER }],
  ['revocation_of_authorization', { ...PAYMENT, ...NEVER }],
  ['security_violation', { ...PAYMENT, ...NEVER }],
  ['service_not_allowed', { ...PAYMENT, ...NEVER }],
  ['stolen_card', { ...CARD, ...NEVER }],
  ['stop_payment_order', { ...PAYMENT, ...NEVER }],
  ['testmode_decline', { ...CARD, ...CORRECT_DATA }],
  ['transaction_not_allowed', { ...PAYMENT, ...NEVER }],
  ['try_again_later', { ...PAYMENT, ...ELSEWHERE }],
  ['withdrawal_count_limit_exceeded', { ...LIMIT, ...LATER }],
]);

/** Errors without a decline code, or whose own code is more exact. */
const BY_ERROR_CODE: ReadonlyMap<string, Refusal> = new Map<string, Refusal>([
  ['amount_too_large', { ...LIMIT, ...ELSEWHERE }],
  ['amount_too_small', { ...LIMIT, ...ELSEWHERE }],
  ['authentication_required', { ...NOT_AUTHENTICATED, ...AUTHENTICATE }],
  ['card_decline_rate_limit_exceeded', { ...LIMIT, ...LATER }],
  ['card_declined', { ...CARD, ...ISSUER_DECLINE }],
  ['charge_exceeds_source_limit', { ...LIMIT, ...LATER }],
  ['charge_exceeds_transaction_limit', { ...LIMIT, ...LATER }],
  ['expired_card', { ...EXPIRED, ...CORRECT_DATA }],
  ['expired_payment_method', { ...EXPIRED, ...CORRECT_DATA }],
  ['incorrect_address', { ...CARD, ...CORRECT_DATA }],
  ['incorrect_cvc', { ...CARD, ...CORRECT_DATA }],
  ['incorrect_number', { ...CARD, ...CORRECT_DATA }],
  ['incorrect_zip', { ...CARD, ...CORRECT_DATA }],
  ['insufficient_funds', { kind: 'declined', code: 'INSUFFICIENT_FUNDS', ...LATER }],
  ['invalid_card_type', { ...CARD, ...ISSUER_DECLINE }],
  ['invalid_cvc', { ...CARD, ...CORRECT_DATA }],
  ['invalid_expiry_month', { ...CARD, ...CORRECT_DATA }],
  ['invalid_expiry_year', { ...CARD, ...CORRECT_DATA }],
  ['invalid_number', { ...CARD, ...CORRECT_DATA }],
  ['payment_intent_authentication_failure', { ...NOT_AUTHENTICATED, ...AUTHENTICATE }],
  ['payment_intent_payment_attempt_expired', { ...NOT_AUTHENTICATED, ...AUTHENTICATE }],
  ['payment_method_currency_mismatch', { kind: 'declined', code: 'UNSUPPORTED_CURRENCY_PAIR', ...ELSEWHERE }],
  ['processing_error', { ...PAYMENT, ...ELSEWHERE }],
]);

/**
 * The meaning of Stripe's error for the payment; null if the error is not about a card or an amount. A decline code that is not
 * documented has no advice, whatever the error's code is.
 */
export function refusalOf({ type, code, decline_code: declineCode }: StripePaymentError): Refusal | null {
  const documented = BY_DECLINE_CODE.get(declineCode ?? '');
  if (documented !== undefined) return documented;
  const byError = BY_ERROR_CODE.get(code ?? '') ?? (type === 'card_error' ? CARD : null);
  return byError === null || declineCode == null ? byError : withoutAdvice(byError);
}

function withoutAdvice({ advice: _advice, isIssuerDecline: _isIssuerDecline, ...refusal }: Refusal): Refusal {
  return refusal;
}

/** Stripe's own advice (docs.stripe.com/declines/codes), which overrules the code's. */
const BY_ADVICE_CODE: ReadonlyMap<string, Pick<Advised, 'advice'>> = new Map<string, Pick<Advised, 'advice'>>([
  ['confirm_card_data', CORRECT_DATA],
  ['do_not_try_again', NEVER],
  ['try_again_later', LATER],
]);

/** What Stripe's error tells the merchant to do. */
export function adviceOf(error: StripePaymentError): Advised {
  const { advice_code: adviceCode, network_advice_code: networkAdvice, network_decline_code: networkCode } = error;
  const structured = [BY_ADVICE_CODE.get(adviceCode ?? ''), merchantAdviceOf(networkAdvice)];
  const advised = overruledBy(refusalOf(error) ?? {}, structured);
  return { ...advised, ...(networkCode == null ? {} : { networkCode }) };
}

/** Codes with which Stripe refuses a refund for good. */
export const REFUND_REFUSALS: ReadonlySet<string> = new Set([
  'charge_already_refunded',
  'charge_disputed',
  'charge_not_refundable',
  'refund_disputed_payment',
]);
