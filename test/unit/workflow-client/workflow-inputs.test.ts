import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { paymentInputOf, refundInputOf, strayChargeInputOf } from '../../../workflow-client/workflow-inputs.ts';

const PAYMENT = {
  id: 'pi_1',
  merchant_account_id: 'mer_1',
  environment: 'sandbox',
  amount_minor: 2_000,
  currency: 'USD',
  country: null,
  capture_method: 'automatic',
  expires_at: '2026-06-01T14:00:00.5+02:00',
  customer_id: 'cus_1',
  attempt_budget: 5,
};
const REFUND = {
  id: 're_1',
  payment_intent_id: 'pi_1',
  merchant_account_id: 'mer_1',
  environment: 'sandbox',
  amount_minor: 600,
  currency: 'USD',
  provider: 'alpha',
  attempt_id: 'att_1',
  provider_payment_id: 'sim_1',
};
const STRAY_CHARGE = {
  attempt_id: 'att_1',
  payment_intent_id: 'pi_1',
  merchant_account_id: 'mer_1',
  environment: 'sandbox',
  provider: 'alpha',
};
const ATTEMPT = { number: 1, amountMinor: 2_000, currency: 'USD' };

describe('the input of a workflow', () => {
  it('is made of the row, with the expiry in UTC', () => {
    assert.deepEqual(paymentInputOf(PAYMENT), {
      paymentIntentId: 'pi_1',
      merchantAccountId: 'mer_1',
      environment: 'sandbox',
      terms: { amountMinor: 2_000, currency: 'USD', country: null, captureMethod: 'automatic' },
      expiresAt: '2026-06-01T12:00:00.500Z',
      attemptBudget: 5,
      customerId: 'cus_1',
    });
  });

  it('has the reference, where there is one', () => {
    assert.equal(paymentInputOf({ ...PAYMENT, reference: 'ORDER-1042' }).terms.reference, 'ORDER-1042');
    assert.equal(refundInputOf({ ...REFUND, reference: 'CN-7' }).reference, 'CN-7');
    assert.ok(!('reference' in paymentInputOf({ ...PAYMENT, reference: null }).terms));
    assert.ok(!('reference' in refundInputOf({ ...REFUND, reference: null })));
  });

  it('is refused for a value that only a later version knows', () => {
    const unknown = /does not know "later"/;
    assert.throws(() => paymentInputOf({ ...PAYMENT, environment: 'later' }), unknown);
    assert.throws(() => paymentInputOf({ ...PAYMENT, capture_method: 'later' }), unknown);
    assert.throws(() => refundInputOf({ ...REFUND, environment: 'later' }), unknown);
    assert.throws(() => strayChargeInputOf({ ...STRAY_CHARGE, environment: 'later' }, ATTEMPT), unknown);
  });
});
