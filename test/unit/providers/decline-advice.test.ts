import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  REFUSALS,
  refusalOf as refusalOfAdyen,
  reportedRefusalOf,
  requestErrorOf,
} from '../../../providers/adyen/error-codes.ts';
import { outcomeOf as outcomeOfAdyen } from '../../../providers/adyen/outcomes.ts';
import { adviceOfRefusal, failureMeaningOf } from '../../../providers/cashfree/error-codes.ts';
import { merchantAdviceOf, networkCodeIn, visaAdviceOf } from '../../../providers/network-advice.ts';
import { DECLINES, outcomeOf as outcomeOfSimulator } from '../../../providers/simulator/outcomes.ts';
import { adviceOf } from '../../../providers/stripe/error-codes.ts';
import { declineOf } from '../../../providers/stripe/outcomes.ts';

/** Every documented decline code of Stripe, by its advice; with an asterisk where an issuer declines in general. */
const STRIPE = {
  never:
    'currency_not_supported do_not_try_again fraudulent invalid_account lost_card merchant_blacklist not_permitted pickup_card ' +
    'previously_declined_do_not_retry revocation_of_all_authorizations revocation_of_authorization security_violation ' +
    'service_not_allowed stolen_card stop_payment_order transaction_not_allowed',
  later:
    'approve_with_id card_velocity_exceeded duplicate_transaction insufficient_funds invalid_amount pin_try_exceeded ' +
    'restricted_card withdrawal_count_limit_exceeded',
  elsewhere:
    'issuer_not_available processing_error reenter_transaction try_again_later call_issuer* card_not_supported* do_not_honor* ' +
    'generic_decline* no_action_taken*',
  authenticate:
    'authentication_not_handled authentication_required mobile_device_authentication_required offline_pin_required ' +
    'online_or_offline_pin_required',
  correct_data:
    'expired_card incorrect_address incorrect_cvc incorrect_number incorrect_pin incorrect_zip invalid_cvc invalid_expiry_month ' +
    'invalid_expiry_year invalid_number invalid_pin new_account_information_available testmode_decline',
} as const;

/** Every `refusalReasonCode` of Adyen, likewise. */
const ADYEN = {
  never: '5 14 20 22 23 26 31 46',
  later: '12 15 16 18 19 25 28 29 40',
  elsewhere: '4 9 21 2* 3* 10* 27*',
  authenticate: '11 33 36 37 38 39 41 42 43 44 45',
  correct_data: '6 7 8 17 24 32 34 35',
} as const;

/** Every reason with which a payment fails at Cashfree, and every code with which it refuses a payment. */
const CASHFREE = {
  never: 'risk_declined fraud_suspected',
  later: 'insufficient_funds insufficient_balance limit_exceeded transaction_limit_exceeded',
  elsewhere:
    'issuer_not_available bank_processing_failure payment_gateway_inactive auth_declined* bank_rejected* transaction_declined*',
  authenticate: 'authentication_failed',
  correct_data: 'card_expired expired_card',
} as const;
const CASHFREE_REFUSALS = {
  elsewhere:
    'card_unsupported* card_submission_disabled payment_method_unsupported payment_gateway_unsupported authorize_only_invalid ' +
    'order_amount_invalid payment_amount_invalid',
  correct_data: 'card_number_invalid payment_method_invalid',
} as const;

/** Calls the check with each code, its advice, and whether it is an issuer's decline in general. */
function eachOf(table: Readonly<Record<string, string>>, check: (code: string, expected: object) => void): void {
  for (const [advice, codes] of Object.entries(table)) {
    for (const code of codes.split(' ')) {
      check(code.replace('*', ''), { advice, ...(code.endsWith('*') ? { isIssuerDecline: true } : {}) });
    }
  }
}

describe('the advice of declines', () => {
  it('is one for every decline code of Stripe', () => {
    eachOf(STRIPE, (code, expected) => {
      assert.deepEqual(adviceOf({ type: 'card_error', code: 'card_declined', decline_code: code }), expected, code);
    });
    for (const error of [
      'amount_too_large',
      'card_declined',
      'charge_exceeds_source_limit',
      'invalid_card_type',
      'invalid_number',
    ]) {
      assert.ok(adviceOf({ type: 'card_error', code: error }).advice !== undefined, error);
    }
  });

  it('is one for every refusal of Adyen, and for every error that blames what was entered', () => {
    const codes: string[] = [];
    eachOf(ADYEN, (code, expected) => {
      codes.push(code);
      const {
        kind: _kind,
        providerPaymentId: _id,
        code: _code,
        details: _details,
        ...advised
      } = refusalOfAdyen(code, null);
      assert.deepEqual(advised, expected, code);
    });
    assert.deepEqual(codes.toSorted(), Object.keys(REFUSALS).toSorted());
    for (const [code, advice] of [
      ['101', 'correct_data'],
      ['105', 'authenticate'],
      ['803', 'never'],
      ['905_1', 'elsewhere'],
    ] as const)
      assert.equal(requestErrorOf(code)?.advice, advice, code);
  });

  it('is one for every failure and refusal of Cashfree', () => {
    eachOf(CASHFREE, (code, expected) => {
      const { kind: _kind, code: _code, ...rest } = failureMeaningOf(code.toUpperCase(), null);
      const advised = Object.fromEntries(Object.entries(rest).filter(([name]) => name !== 'reason'));
      assert.deepEqual(advised, expected, code);
    });
    eachOf(CASHFREE_REFUSALS, (code, expected) => assert.deepEqual(adviceOfRefusal(code), expected, code));
  });

  it('is one for every decline of the simulator', () => {
    for (const [code, { advice }] of DECLINES) assert.ok(advice !== undefined, code);
  });

  it('is one for every merchant advice code, with the time after which the network allows the card again', () => {
    const hours = { '24': 1, '25': 24, '26': 48, '27': 96, '28': 144, '29': 192, '30': 240 };
    const plain = { '01': 'correct_data', '02': 'later', '03': 'never', '21': 'never' };
    for (const [code, advice] of Object.entries(plain)) assert.deepEqual(merchantAdviceOf(code), { advice }, code);
    for (const [code, count] of Object.entries(hours)) {
      assert.deepEqual(merchantAdviceOf(code), { advice: 'later', retryAfterSeconds: count * 3_600 }, code);
    }
  });

  it("is never for Visa's codes of cards that are never approved, and for no other", () => {
    const never = '04 07 12 14 15 41 43 46 57 R0 R1 R3'.split(' ');
    for (const code of never) assert.deepEqual(visaAdviceOf(code), { advice: 'never' }, code);
    for (const code of ['05', '51', '54', '61', '65', '91', '1A']) assert.equal(visaAdviceOf(code), undefined, code);
    assert.equal(visaAdviceOf(undefined), undefined);
  });

  it('is absent where a code is in no table: nothing falls to never in silence', () => {
    assert.deepEqual(adviceOf({ type: 'card_error', code: 'card_declined', decline_code: 'invented_later' }), {});
    assert.equal(refusalOfAdyen('99', null).advice, undefined);
    assert.equal(failureMeaningOf('invented_later', null).advice, undefined);
    assert.deepEqual(adviceOfRefusal('invented_later'), {});
    assert.equal(merchantAdviceOf('99'), undefined);
  });

  it('follows what Stripe and the network say in so many words, the strictest first', () => {
    const error = { type: 'card_error', code: 'card_declined', decline_code: 'generic_decline' };
    const of = (said: object): unknown => declineOf({ ...error, ...said }, 'pi_1').advice;
    assert.equal(of({ advice_code: 'do_not_try_again' }), 'never');
    assert.equal(of({ advice_code: 'try_again_later', network_advice_code: '03' }), 'never');
    assert.equal(of({ advice_code: 'confirm_card_data' }), 'correct_data');
    assert.equal(of({ network_advice_code: '21' }), 'never');
    assert.equal(of({ advice_code: 'invented_later' }), 'elsewhere');
    assert.deepEqual(adviceOf({ ...error, network_advice_code: '24', network_decline_code: '05' }), {
      advice: 'later',
      retryAfterSeconds: 3_600,
      networkCode: '05',
    });
  });

  it("follows Adyen's merchant advice code, and Visa's codes for cards of Visa alone", () => {
    const refused = (additionalData: object): unknown =>
      outcomeOfAdyen(
        { resultCode: 'Refused', refusalReasonCode: '2', pspReference: 'psp', additionalData },
        { captureMethod: 'automatic', canRedirect: false, startedAt: '2026-11-01T00:00:00.000Z' },
      );
    const declined = { kind: 'declined', providerPaymentId: 'psp', code: 'CARD_DECLINED' };
    const visa = refused({ paymentMethod: 'visa', refusalReasonRaw: '14 : Invalid card number' });
    assert.deepEqual(visa, { ...declined, advice: 'never', networkCode: '14' });
    const mastercard = refused({ paymentMethod: 'mc', refusalReasonRaw: '14 : Invalid card number' });
    assert.deepEqual(mastercard, { ...declined, advice: 'elsewhere', isIssuerDecline: true, networkCode: '14' });
    assert.deepEqual(refused({ merchantAdviceCode: '03 : Do not try again' }), { ...declined, advice: 'never' });
    assert.equal(networkCodeIn('AUTHORISED'), undefined);
  });

  it("takes no advice on which the engine charges again from Adyen's webhooks, whose signature does not cover it", () => {
    assert.equal(reportedRefusalOf('Acquirer Error', 'psp').advice, undefined);
    assert.equal(reportedRefusalOf('Authentication required', 'psp').advice, undefined);
    assert.equal(reportedRefusalOf('Acquirer Fraud', 'psp').advice, 'never');
    assert.equal(reportedRefusalOf('Not enough balance', 'psp').advice, 'later');
  });

  it("lets the network's advice overrule the simulator's code", () => {
    const money = { id: 'simpay_1', reference: 'att_1', amount: 1, currency: 'EUR', amountCaptured: 0 };
    const payment = { ...money, status: 'declined', declineCode: 'do_not_honor', merchantAdviceCode: '03' } as const;
    const outcome = outcomeOfSimulator(payment);
    assert.ok(outcome.kind === 'declined');
    assert.equal(outcome.advice, 'never');
  });
});
