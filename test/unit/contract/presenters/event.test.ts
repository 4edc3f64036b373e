import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { eventResource } from '../../../../contract/schemas/event.ts';
import { presentEvent } from '../../../../contract/presenters/event.ts';
import { STORED_ATTEMPT as ATTEMPT, storedIntent } from '../../../support/payment-intents.ts';

describe('the event of a reversed stray charge', () => {
  it('contains the payment intent, and besides it the reversed charge', () => {
    const { intent } = storedIntent();
    const strayCharge = {
      attemptId: 'att_1',
      provider: 'alpha',
      amount: 1_234,
      currency: 'USD',
      reversedBy: 'void',
    } as const;
    const event = presentEvent({
      id: 'evt_1',
      type: 'payment_intent.stray_charge_reversed',
      resourceId: intent.id,
      paymentIntentId: intent.id,
      merchantAccountId: 'mer_1',
      environment: 'sandbox',
      sequence: 7,
      createdAt: new Date('2026-06-01T12:00:10.000Z'),
      failure: null,
      snapshot: { intent, strayCharge },
      attempts: [],
      maskedPaymentMethod: null,
      savedPaymentMethodId: null,
      savedUse: null,
    });
    assert.deepEqual(eventResource.strict().parse(event), event);
    assert.equal(event.data.id, intent.id);
    assert.deepEqual(event.strayCharge, strayCharge);
  });
});

describe('the event of an attempt', () => {
  it('shows what each attempt was to be paid with, which its snapshot does not have', () => {
    const { intent } = storedIntent();
    const paymentMethod = { type: 'card', brand: 'visa', expiryMonth: 12, expiryYear: 2_035, last4: '0002' } as const;
    const event = presentEvent({
      id: 'evt_1',
      type: 'payment_intent.payment_failed',
      resourceId: intent.id,
      paymentIntentId: intent.id,
      merchantAccountId: 'mer_1',
      environment: 'sandbox',
      sequence: 7,
      createdAt: new Date('2026-06-01T12:00:10.000Z'),
      failure: null,
      snapshot: { intent, attempts: [ATTEMPT] },
      attempts: [{ ...ATTEMPT, paymentMethod }],
      maskedPaymentMethod: null,
      savedPaymentMethodId: null,
      savedUse: null,
    });
    const shown = 'attempts' in event.data ? event.data.attempts.map((attempt) => attempt.paymentMethod) : [];
    assert.deepEqual(shown, [paymentMethod]);
  });
});
