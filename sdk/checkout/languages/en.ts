import type { Messages } from './messages.ts';

export const en: Messages = {
  cardDetails: 'Card details',
  number: 'Card number',
  expiry: 'Expiry (MM/YY)',
  code: 'Security code',
  consents: {
    on_session: 'Save this card at {merchant} for my next payments.',
    off_session: 'Save this card at {merchant}. {merchant} may also charge it without me, as we have agreed.',
  },
  problems: {
    number_missing: 'Enter the card number.',
    number_incomplete: 'The card number is too short.',
    number_invalid: 'Check the card number.',
    expiry_missing: 'Enter the expiry date.',
    expiry_invalid: 'Enter the expiry date as month and year, such as 12/30.',
    expired: 'This card has expired.',
    code_missing: 'Enter the security code.',
    code_length: 'The security code of this card has {digits} digits.',
  },
  failures: {
    expired_card: 'This card has expired. Use another card.',
    authentication_failed: 'The payment was not confirmed with your bank (3-D Secure). Try again or use another card.',
    authentication_required:
      'Your bank wants you to confirm this payment yourself. You can pay it now with the same card.',
    CARD_DECLINED: 'Your bank declined the card. Use another card.',
    INSUFFICIENT_FUNDS: 'The card does not have enough funds. Use another card.',
    PAYMENT_DECLINED: 'The payment was declined. Pay another way.',
    LIMIT_EXCEEDED: 'The amount is above the limit of your card. Use another card.',
    PAYMENT_EXPIRED: 'The time to pay is over. Nothing was charged.',
    PAYMENT_RETRIES_EXHAUSTED: 'There were too many attempts. Start the payment again.',
    PROVIDER_UNAVAILABLE: 'The payment service is not available. Nothing was charged. Try again soon.',
    PAYMENT_FAILED: 'The payment could not be processed. Try again or pay another way.',
    TSP_PAYMENT_FAILED: 'The payment failed. Start the payment again.',
    NO_TSP_AVAILABLE: 'This payment method cannot be used for this payment. Pay another way.',
    CHANNEL_LIMIT_MIN_EXCEEDED: 'The amount is too small for this payment method. Pay another way.',
    CHANNEL_LIMIT_MAX_EXCEEDED: 'The amount is too large for this payment method. Pay another way.',
    CRYPTO_DEPOSIT_FAILED:
      'The deposit does not match the payment. Keep the transaction hash, and contact the merchant.',
    SERVICE_UNAVAILABLE: 'The payment service does not respond. Try again soon.',
    RATE_LIMIT_EXCEEDED: 'There were too many attempts. Wait a while and try again.',
    NETWORK_ERROR: 'The payment service could not be reached. Check your connection.',
    CARD_FIELDS_INVALID: 'Check the card details.',
    CARD_FIELDS_UNAVAILABLE: 'The card form could not be loaded. Load the page again.',
  },
};
