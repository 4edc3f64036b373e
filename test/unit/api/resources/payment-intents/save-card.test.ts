import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { agreementOf, type SavingPayment } from '../../../../../api/resources/payment-intents/save-card.ts';
import { principalWith } from '../../../../support/principal.ts';

const PAYMENT: SavingPayment = { customerId: 'cus_1', currency: 'EUR', setupFutureUsage: 'off_session' };
const SERVER = principalWith({});
const PAGE = principalWith({ onlyPaymentIntentId: 'pi_1', pageAddress: '203.0.113.7', pageUserAgent: 'Browser' });

describe('what a customer agrees to with a confirm', () => {
  it('is what the payment says, if a server confirms it, and nothing if it says null', () => {
    const consent = { acceptedAt: '2026-01-01T01:00:00+01:00', text: 'I agree' };
    assert.deepEqual(agreementOf(SERVER, { consent }, PAYMENT), {
      usage: 'off_session',
      consent: { acceptedAt: '2026-01-01T00:00:00.000Z', ipAddress: null, userAgent: null, text: 'I agree' },
    });
    assert.equal(agreementOf(SERVER, { setupFutureUsage: null }, PAYMENT), null);
    assert.deepEqual(agreementOf(SERVER, { setupFutureUsage: 'on_session' }, PAYMENT), {
      usage: 'on_session',
      consent: null,
    });
  });

  it('is nothing on a page, unless its confirm says it, with its own address and browser', () => {
    assert.equal(agreementOf(PAGE, {}, PAYMENT), null);
    const consent = { ipAddress: '198.51.100.1', userAgent: 'Another', text: 'Keep my card' };
    const agreed = agreementOf(PAGE, { setupFutureUsage: 'off_session', consent }, PAYMENT);
    assert.equal(agreed?.usage, 'off_session');
    assert.deepEqual(
      { ...agreed?.consent, acceptedAt: '' },
      { acceptedAt: '', ipAddress: '203.0.113.7', userAgent: 'Browser', text: 'Keep my card' },
    );
  });

  it('is no more on a page than the merchant allows', () => {
    const onSession = { ...PAYMENT, setupFutureUsage: 'on_session' } as const;
    const none = { ...PAYMENT, setupFutureUsage: null };
    for (const payment of [onSession, none]) {
      assert.throws(() => agreementOf(PAGE, { setupFutureUsage: 'off_session' }, payment), {
        code: 'VALIDATION_ERROR',
      });
    }
  });

  it('needs a customer, and a consent where the merchant may charge alone', () => {
    const missing = (field: string) => ({ code: 'MISSING_REQUIRED_FIELD', details: { field, reason: 'required' } });
    assert.throws(() => agreementOf(SERVER, { consent: {} }, { ...PAYMENT, customerId: null }), missing('customerId'));
    assert.throws(() => agreementOf(SERVER, {}, PAYMENT), missing('consent'));
  });
});
