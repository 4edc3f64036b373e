import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { currencyExponent, SUPPORTED_CURRENCIES } from '../../../../domain/currencies.ts';
import { AMOUNT_MINOR_LIMITS } from '../../../../domain/money.ts';
import { failureMeaningOf, meaningOf } from '../../../../providers/cashfree/error-codes.ts';
import { MINIMUM_MINOR, minorOf, rupeesOf } from '../../../../providers/cashfree/money.ts';
import {
  cashfreeRefundIdOf,
  customerIdOf,
  refundIdOf,
  sessionKeyOf,
} from '../../../../providers/cashfree/references.ts';

/** Every code that Cashfree documents for its API, by what the adapter takes it for in an answer with status 400. */
const DOCUMENTED_CODES = {
  CARD_DECLINED: 'card_unsupported card_number_invalid',
  PAYMENT_DECLINED:
    'payment_method_unsupported payment_gateway_unsupported card_submission_disabled payment_method_invalid ' +
    'authorize_only_invalid',
  LIMIT_EXCEEDED: 'order_amount_invalid payment_amount_invalid',
  already_exists: 'order_already_exists order_id_already_exists',
  not_found:
    'order_get_not_found order_id_post_not_found refund_get_not_found order_request_not_found resource_get_not_found ' +
    'order_not_found',
  refund_refused: 'order_id_not_paid refund_amount_invalid refund_invalid refund_unsupported',
  TSP_ERROR:
    'order_inactive payment_session_id_invalid order_id_voided order_already_paid bank_processing_failure ' +
    'orderpay_already_exists order_creation_faied order_create_failed order_pay_failed refund_post_failed ' +
    'api_request_failed',
  TSP_TIMEOUT: 'api_request_timeout',
  TSP_UNAVAILABLE: 'payment_gateway_inactive payment_gateway_inactive_request_failed',
  // Wrong requests, wrong credentials, and calls that the adapter never makes.
  unrecognised:
    'surcharge_invalid customer_email_invalid version_invalid order_token_invalid sub_session_id_invalid ' +
    'native_otp_session_id_invalid flash_upi_auth_token_invalid cookie_invalid order_id_invalid ' +
    'order_expiry_time_invalid refund_id_invalid netbanking_bank_code_invalid vendor_id_invalid ' +
    'customer_phone_invalid partner_apikey_invalid sdk_token_invalid sdk_token_unknown simulation_id_invalid ' +
    'entity_id_invalid entity_unsupported simulation_id_missing subscription_id_missing payment_id_missing ' +
    'plan_id_missing refund_id_missing PaymentForm_form_creation_failed PaymentForm_link_creation_failed ' +
    'domain_name_refererString android_package_{xRequestedWith} refType_not_approved refType_ineligible ' +
    'subscription_id_missing_request_failed_failed simulation_id_missing_request_failed_failed ' +
    'cod_eligibility_failed Paymentlink_create_failed headless_otp_submit_request_failed pan_submit_failed ' +
    'gstin_submit_failed cin_submit_failed risk_data_ip_address_request_failed cart_create_failed link_post_failed ' +
    'form_post_failed aadhar_otp_generation_failed aadhar_otp_verification_failed pan_verification_failed ' +
    'bank_account_verification_failed otp_generation_failed otp_expired_failed otp_invalid_failed ' +
    'ref_id_invalid_failed shipping_fetch_failed entity_simulation_payment_error_code_failed ' +
    'gst_verification_failed offer_not_found customer_get_not_found payment_not_found payment_post_not_found ' +
    'entityId_not_found cart_get_not_found orderpay_post_not_found card_alias_not_found cardbin_details_not_found ' +
    'card_not_found modeRates_get_not_found transaction_get_not_found settlement_get_not_found link_get_not_found ' +
    'merchant_get_not_found terminal_id_post_not_found resource_post_not_found terminal_post_not_found ' +
    'payment_request_not_found dispute_request_not_found document_request_not_found form_get_not_found ' +
    'authentication_error customer_instruments_authentication_error integrity_token_not_found ' +
    'checkout_config_not_found api_error_not_found payment_instrument_not_found instrument_not_found request_failed ' +
    'cryptogram_request_failed emi_tenure_invalid',
} as const;

describe('tables of the Cashfree adapter', () => {
  it('give every documented code of an error a meaning', () => {
    for (const [meaning, codes] of Object.entries(DOCUMENTED_CODES)) {
      for (const code of codes.split(' ')) {
        assert.equal(meaningOf(400, { code, type: 'invalid_request_error' }), meaning, code);
      }
    }
  });

  it('give every documented type of an error a meaning', () => {
    const meanings = {
      api_connection_error: 'TSP_UNAVAILABLE',
      api_error: 'TSP_ERROR',
      authentication_error: 'credentials_refused',
      invalid_request_error: 'unrecognised',
      feature_not_enabled: 'unrecognised',
      rate_limit_error: 'TSP_UNAVAILABLE',
      validation_error: 'unrecognised',
      idempotency_error: 'TSP_ERROR',
      bad_gateway_error: 'TSP_ERROR',
    } as const;
    for (const [type, meaning] of Object.entries(meanings)) {
      assert.equal(meaningOf(400, { code: 'request_failed', type }), meaning, type);
    }
  });

  it('take no answer with a 5xx for a refusal, whatever its code', () => {
    for (const codes of Object.values(DOCUMENTED_CODES)) {
      for (const code of codes.split(' ')) assert.equal(meaningOf(500, { code }), 'TSP_ERROR', code);
    }
    assert.equal(meaningOf(429, { code: 'order_amount_invalid' }), 'TSP_UNAVAILABLE');
    assert.equal(meaningOf(409, {}), 'already_exists');
  });

  it('give the known reasons of a failed payment an outcome, and unknown ones a decline', () => {
    for (const [reason, code, outcome] of [
      ['auth_declined', 'TRANSACTION_DECLINED', 'CARD_DECLINED'],
      ['bank_rejected', 'TRANSACTION_DECLINED', 'PAYMENT_DECLINED'],
      [null, 'ISSUER_NOT_AVAILABLE', 'PAYMENT_DECLINED'],
      ['insufficient_funds', 'TRANSACTION_DECLINED', 'INSUFFICIENT_FUNDS'],
      ['limit_exceeded', null, 'LIMIT_EXCEEDED'],
      ['fraud_suspected', null, 'FRAUD_DETECTED'],
      ['something_new', 'SOMETHING_NEW', 'PAYMENT_DECLINED'],
      [null, null, 'PAYMENT_DECLINED'],
    ] as const) {
      assert.equal(failureMeaningOf(reason, code).code, outcome, `${reason}, ${code}`);
    }
  });

  it('convert every amount to rupees and back, as JSON numbers of at most two decimals', () => {
    const amounts = fc.integer({ min: MINIMUM_MINOR, max: AMOUNT_MINOR_LIMITS.maximum });
    fc.assert(
      fc.property(amounts, (amountMinor) => {
        const json = JSON.stringify(rupeesOf(amountMinor));
        assert.match(json, /^\d+(\.\d{1,2})?$/);
        const [whole = '', part = ''] = json.split('.');
        assert.equal(BigInt(whole + part.padEnd(2, '0')), BigInt(amountMinor));
        assert.equal(minorOf(Number(JSON.parse(json)), 'INR'), amountMinor);
      }),
    );
  });

  it('read an amount in every currency that Cashfree might report', () => {
    const currencies = fc.constantFrom(...SUPPORTED_CURRENCIES);
    const amounts = fc.integer({ min: 0, max: AMOUNT_MINOR_LIMITS.maximum });
    fc.assert(
      fc.property(currencies, amounts, (currency, amountMinor) => {
        const exponent = currencyExponent(currency);
        const digits = String(amountMinor).padStart(exponent + 1, '0');
        const decimal = exponent === 0 ? digits : `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
        assert.equal(minorOf(Number(decimal), currency), amountMinor);
      }),
    );
  });

  it('refuse to read an amount that is no whole number of minor units', () => {
    for (const [amount, currency] of [
      [10.005, 'INR'],
      [-1, 'INR'],
      [0.1 + 0.2, 'INR'],
      [Number.NaN, 'INR'],
      [1e20, 'INR'],
      [1, 'XYZ'],
    ] as const) {
      assert.throws(() => minorOf(amount, currency), { code: 'TSP_ERROR' }, `${amount} ${currency}`);
    }
  });

  it('shorten ids of refunds to letters and digits, and find them again', () => {
    const unique = fc.stringMatching(/^[0-9a-f]{32}$/);
    fc.assert(
      fc.property(unique, fc.integer({ min: 1, max: 9_999 }), (hex, place) => {
        for (const refundId of [`re_${hex}`, `stray_${hex}_${place}`]) {
          const short = cashfreeRefundIdOf(refundId);
          assert.match(short, /^[a-z\d]{3,40}$/);
          assert.equal(refundIdOf(short), refundId);
        }
        const attemptId = `att_${hex}_${place}`;
        assert.match(customerIdOf(attemptId), /^[a-z\d]{3,50}$/);
        assert.match(sessionKeyOf(attemptId), /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
      }),
    );
    for (const foreign of ['REF-123', 're_1', '', `re${'g'.repeat(32)}`]) assert.equal(refundIdOf(foreign), undefined);
  });
});
