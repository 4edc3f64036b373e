import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ERROR_CATALOGUE } from '../../../../domain/error-catalogue.ts';
import { refusalOf } from '../../../../providers/stripe/error-codes.ts';

/** The documented decline codes of cards, by what becomes of the payment. */
const DECLINE_CODES = {
  CARD_DECLINED:
    'card_not_supported expired_card generic_decline incorrect_address incorrect_cvc incorrect_number incorrect_pin ' +
    'incorrect_zip invalid_account invalid_cvc invalid_expiry_month invalid_expiry_year invalid_number invalid_pin ' +
    'lost_card new_account_information_available offline_pin_required online_or_offline_pin_required pickup_card ' +
    'pin_try_exceeded restricted_card stolen_card testmode_decline authentication_required ' +
    'authentication_not_handled mobile_device_authentication_required',
  PAYMENT_DECLINED:
    'approve_with_id call_issuer do_not_honor do_not_try_again duplicate_transaction issuer_not_available ' +
    'no_action_taken not_permitted previously_declined_do_not_retry processing_error reenter_transaction revocation_of_all_authorizations ' +
    'revocation_of_authorization security_violation service_not_allowed stop_payment_order transaction_not_allowed ' +
    'try_again_later',
  INSUFFICIENT_FUNDS: 'insufficient_funds',
  LIMIT_EXCEEDED: 'card_velocity_exceeded invalid_amount withdrawal_count_limit_exceeded',
  UNSUPPORTED_CURRENCY_PAIR: 'currency_not_supported',
  FRAUD_DETECTED: 'fraudulent merchant_blacklist',
} as const;

const REASONS: Readonly<Record<string, string>> = {
  expired_card: 'expired_card',
  authentication_required: 'authentication_failed',
  authentication_not_handled: 'authentication_failed',
  mobile_device_authentication_required: 'authentication_failed',
};

describe('Stripe: decline codes', () => {
  it('has an outcome for every documented code', () => {
    for (const [code, declineCodes] of Object.entries(DECLINE_CODES)) {
      assert.ok(Object.hasOwn(ERROR_CATALOGUE, code));
      for (const declineCode of declineCodes.split(' ')) {
        const refusal = refusalOf({ type: 'other', code: 'card_declined', decline_code: declineCode });
        assert.equal(refusal?.code, code, declineCode);
        const reason = refusal.kind === 'declined' ? refusal.reason : undefined;
        assert.equal(reason, REASONS[declineCode], declineCode);
      }
    }
  });

  it('fails the payment as suspicious only where another card would be as well', () => {
    for (const [code, declineCodes] of Object.entries(DECLINE_CODES)) {
      for (const declineCode of declineCodes.split(' ')) {
        const { kind } = refusalOf({ type: 'card_error', decline_code: declineCode }) ?? {};
        assert.equal(kind, code === 'FRAUD_DETECTED' ? 'failed' : 'declined', declineCode);
      }
    }
  });

  it('takes any other error of a card as a decline of the card, and no other error', () => {
    assert.deepEqual(refusalOf({ type: 'card_error', code: 'card_declined', decline_code: 'invented_later' }), {
      kind: 'declined',
      code: 'CARD_DECLINED',
    });
    assert.equal(refusalOf({ type: 'invalid_request_error', code: 'parameter_missing' }), null);
  });
});
