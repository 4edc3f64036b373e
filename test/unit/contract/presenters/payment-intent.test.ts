import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { presentIntentForPage, presentPaymentIntent } from '../../../../contract/presenters/payment-intent.ts';
import { paymentIntentResource } from '../../../../contract/schemas/payment-intent-resource.ts';
import { ERROR_CATALOGUE } from '../../../../domain/error-catalogue.ts';
import type { PaymentStatus } from '../../../../domain/payment-state.ts';
import { STORED_ATTEMPT as ATTEMPT, storedIntent } from '../../../support/payment-intents.ts';

const CONTRACT_FIELDS =
  'id object merchantId environment amount currency amountCapturable amountCaptured amountRefunded amountDisputed status reference ' +
  'description customerId country captureMethod paymentMethod setupFutureUsage allowSavedPaymentMethods savedPaymentMethodId offSession nextAction provider attempts lastError lastDecline advisory ' +
  'cancellationReason metadata disputeIds disputedAt captureBefore expiresAt createdAt updatedAt';

describe('payment intent presenter', () => {
  it('returns exactly the documented fields', () => {
    const resource = presentPaymentIntent(storedIntent(), null);
    assert.deepEqual(Object.keys(resource), CONTRACT_FIELDS.split(' '));
    // Added for keys with the support scope.
    assert.deepEqual(Object.keys(paymentIntentResource.shape), [...CONTRACT_FIELDS.split(' '), 'workflowUrl']);
  });

  it('matches the response schema', () => {
    const at = '2026-06-01T12:00:02+00:00';
    const full = {
      ...storedIntent({
        status: 'processing',
        next_action: { type: 'redirect', url: 'https://example.com/3ds' },
        last_error: { code: 'CARD_DECLINED', message: 'no', details: { a: [1, null] }, at },
        advisory: { code: 'PAYMENT_STUCK', since: '2026-06-01T12:00:00.000Z' },
        metadata: { order: '1' },
      }),
      attempts: [ATTEMPT],
    };
    const resource = presentPaymentIntent(full, { type: 'upi', vpa: 's*****s@upi' });
    assert.deepEqual(paymentIntentResource.parse(JSON.parse(JSON.stringify(resource))), resource);
  });

  it('shows the deadline that can still act: the expiry, or the end of the hold', () => {
    const capture_before = '2026-06-08T12:00:00+00:00';
    const [held, expiry] = ['2026-06-08T12:00:00.000Z', '2026-06-01T12:30:00.000Z'];
    const deadlines = (status: PaymentStatus, change = {}) => {
      const { captureBefore, expiresAt } = presentPaymentIntent(storedIntent({ status, ...change }), null);
      return [captureBefore, expiresAt];
    };
    for (const status of ['requires_payment_method', 'processing', 'requires_action', 'expired'] as const) {
      assert.deepEqual(deadlines(status), [null, expiry], status);
    }
    assert.deepEqual(deadlines('requires_capture', { capture_before }), [held, null]);
    for (const status of ['succeeded', 'failed', 'canceled'] as const) {
      assert.deepEqual(deadlines(status), [null, null], status);
    }
    const page = presentIntentForPage(storedIntent({ status: 'requires_capture', capture_before }), null);
    assert.equal(page.captureBefore, null);
  });

  it('warns of a redirect from which nothing leads back', () => {
    const action = { type: 'redirect', url: 'https://bank.example/3ds' } as const;
    const shown = (return_url: string | null) =>
      presentPaymentIntent(storedIntent({ next_action: action, return_url }), null).nextAction;
    assert.deepEqual(shown('https://shop.example/back'), action);
    const { warning, ...warned } = { warning: undefined, ...shown(null) };
    assert.deepEqual(warned, action);
    assert.match(String(warning), /no returnUrl/);
    const inApp = { type: 'approve_in_app', app: 'upi' } as const;
    assert.deepEqual(presentPaymentIntent(storedIntent({ next_action: inApp }), null).nextAction, inApp);
  });

  it('keeps the last decline, whatever the last error is, and does not show it to pages', () => {
    const at = '2026-06-01T12:30:00+00:00';
    const expired = storedIntent({
      status: 'expired',
      last_error: { code: 'PAYMENT_EXPIRED', message: 'Expired.', at },
    });
    const finishedAt = '2026-06-01T12:00:02+00:00';
    const attempts = [
      { ...ATTEMPT, id: 'att_0', code: 'INSUFFICIENT_FUNDS' as const },
      { ...ATTEMPT, finishedAt },
      { ...ATTEMPT, id: 'att_2', outcome: 'not_charged' as const, code: 'TSP_UNAVAILABLE' as const },
    ];
    const { lastError, lastDecline } = presentPaymentIntent({ ...expired, attempts }, null);
    assert.equal(lastError?.code, 'PAYMENT_EXPIRED');
    assert.deepEqual(lastDecline, {
      attemptId: 'att_1',
      code: 'CARD_DECLINED',
      message: ERROR_CATALOGUE.CARD_DECLINED.message,
      advice: 'later',
      at: '2026-06-01T12:00:02.000Z',
    });
    const unknown = presentPaymentIntent({ ...expired, attempts: [{ ...ATTEMPT, code: null }] }, null);
    assert.deepEqual([unknown.lastDecline?.code, unknown.lastDecline?.message], [null, null]);
    assert.equal(presentPaymentIntent(expired, null).lastDecline, null);
    assert.equal(presentIntentForPage(expired, null).lastDecline, null);
  });

  it('shows the reference to the merchant alone', () => {
    const stored = storedIntent({ reference: 'ORDER-1042' });
    assert.equal(presentPaymentIntent(stored, null).reference, 'ORDER-1042');
    assert.equal(presentIntentForPage(stored, null).reference, null);
  });

  it('returns route, provider, payment method, tries, outcome, code and times of an attempt', () => {
    const paymentMethod = { type: 'card', brand: 'visa', expiryMonth: 12, expiryYear: 2_035, last4: '0002' } as const;
    const [attempt] = presentPaymentIntent(
      { ...storedIntent(), attempts: [{ ...ATTEMPT, paymentMethod }] },
      null,
    ).attempts;
    assert.deepEqual(attempt, {
      id: 'att_1',
      route: 'rt_1',
      provider: 'alpha',
      paymentMethod,
      tries: 2,
      outcome: 'declined',
      code: 'CARD_DECLINED',
      advice: 'later',
      networkCode: '51',
      startedAt: '2026-06-01T12:00:01.000Z',
      finishedAt: null,
    });
  });

  it('writes every time in UTC with milliseconds', () => {
    const { createdAt, updatedAt } = presentPaymentIntent(storedIntent(), null);
    assert.deepEqual([createdAt, updatedAt], ['2026-06-01T12:00:00.500Z', '2026-06-01T12:00:00.123Z']);
  });
});
